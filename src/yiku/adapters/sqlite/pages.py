"""How records are looked up: by id, by unique key, a page at a time, and by what changed."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import apsw
import numpy as np

from yiku.adapters.sqlite.conditions import Filter
from yiku.adapters.sqlite.connections import rows_of, value_of
from yiku.adapters.sqlite.partitions import number_of, numbers_of
from yiku.engine.records import COLUMNS, records_of, to_json
from yiku.model.records import Change, Embedding, PageQuery, Record, RecordPage, Ref
from yiku.model.scopes import Partition

_BY_ID = f"""
SELECT {COLUMNS} FROM record
WHERE partition = ? AND kind = ? AND id IN (SELECT value FROM json_each(?)) AND expires > ?
"""

_BY_KEY = f"""
SELECT {COLUMNS} FROM record
WHERE partition = ? AND kind = ? AND unique_key IN (SELECT value FROM json_each(?)) AND expires > ?
"""

# A record that expired, or one that was deleted and does not exist anew; of several deletions of one id, the last.
_CHANGED = """
SELECT sequence, kind, id FROM record
WHERE partition = :partition AND sequence > :after
UNION ALL
SELECT sequence, kind, id FROM tombstone
WHERE partition = :partition AND sequence > :after AND id IS NOT NULL
    AND NOT EXISTS (
        SELECT 1 FROM record
        WHERE record.kind = tombstone.kind AND record.id = tombstone.id AND record.partition = tombstone.partition
    )
    AND NOT EXISTS (
        SELECT 1 FROM tombstone AS later
        WHERE later.partition = tombstone.partition AND later.kind = tombstone.kind AND later.id = tombstone.id
            AND later.sequence > tombstone.sequence
    )
ORDER BY sequence LIMIT :limit
"""

_WITH_EMBEDDING = f"""
SELECT {", ".join(f"record.{column}" for column in COLUMNS.split(", "))}, model.name, half.vector
FROM record
LEFT JOIN feature ON feature.partition = record.partition AND feature.kind = record.kind
    AND feature.sequence = record.sequence
LEFT JOIN model ON model.number = feature.model
LEFT JOIN half ON half.sequence = record.sequence
WHERE record.sequence IN (SELECT value FROM json_each(?)) AND record.expires > ?
"""


_LOCATED = f"""
SELECT {", ".join(f"record.{column}" for column in COLUMNS.split(", "))}, owner
FROM record JOIN partition ON number = record.partition
WHERE kind = ? AND id = ? AND expires > ? AND workspace = ?
"""

# Joined in this order: SQLite would rather walk through every record of the workspace.
_HOLDERS = """
SELECT record.id, owner FROM json_each(?) AS asked CROSS JOIN record ON record.id = asked.value
CROSS JOIN partition ON number = record.partition WHERE kind = ? AND expires > ? AND workspace = ?
"""


def locate_record(
    connection: apsw.Connection, workspace: str, kind: str, id: str, *, now: int
) -> tuple[Partition, Record] | None:
    found = rows_of(connection, _LOCATED, (kind, id, now, workspace))
    return (Partition(workspace, found[0][-1]), records_of(found)[0]) if found else None


def holders_of(
    connection: apsw.Connection, workspace: str, kind: str, ids: Sequence[str], *, now: int
) -> list[tuple[str, Partition]]:
    found = rows_of(connection, _HOLDERS, (to_json(ids), kind, now, workspace))
    return [(record_id, Partition(workspace, owner)) for record_id, owner in found]


def get_records(
    connection: apsw.Connection, partition: Partition, kind: str, ids: Sequence[str], *, now: int
) -> list[Record]:
    found = {record.id: record for record in _looked_up(connection, _BY_ID, partition, kind, ids, now)}
    return [found[wanted] for wanted in ids if wanted in found]


def find_records(
    connection: apsw.Connection, partition: Partition, kind: str, unique_keys: Sequence[str], *, now: int
) -> list[Record]:
    found = {record.unique_key: record for record in _looked_up(connection, _BY_KEY, partition, kind, unique_keys, now)}
    return [found[wanted] for wanted in unique_keys if wanted in found]


def page_of_records(connection: apsw.Connection, query: PageQuery, *, now: int) -> RecordPage:
    numbers = numbers_of(connection, query.partitions)
    if not numbers:
        return RecordPage(0, ())
    chosen = Filter(list(numbers), query.kind, query.where, now=now)
    count = int(value_of(connection, f"SELECT count(*) FROM record WHERE {chosen.sql}", chosen.bindings))
    direction = "ASC" if query.ascending else "DESC"
    order = f"ORDER BY created {direction}, id {direction}, partition"
    # The inner query walks an index; whole rows are only read for what is shown.
    shown = f"SELECT sequence FROM record WHERE {chosen.sql} {order} LIMIT :limit OFFSET :offset"
    found = rows_of(
        connection,
        f"SELECT {COLUMNS} FROM record WHERE sequence IN ({shown}) {order}",
        chosen.bindings | {"limit": query.limit, "offset": query.offset},
    )
    return RecordPage(count, tuple(records_of(found)))


def changes_since(
    connection: apsw.Connection, partition: Partition, *, after: int, limit: int, now: int
) -> list[Change]:
    number = number_of(connection, partition)
    changed = rows_of(connection, _CHANGED, {"partition": number, "after": after, "limit": limit})
    sequences = to_json([sequence for sequence, *_ in changed])
    found = rows_of(connection, _WITH_EMBEDDING, (sequences, now))
    records = {
        row[0]: replace(record, embedding=_embedding(*row[-2:]))
        for row, record in zip(found, records_of(found), strict=True)
    }
    return [
        Change(sequence=sequence, partition=partition, ref=Ref(kind, record_id), record=records.get(sequence))
        for sequence, kind, record_id in changed
    ]


def _looked_up(
    connection: apsw.Connection, sql: str, partition: Partition, kind: str, names: Sequence[str], now: int
) -> list[Record]:
    number = number_of(connection, partition)
    if number is None:
        return []
    return records_of(rows_of(connection, sql, (number, kind, to_json(names), now)))


def _embedding(model: str | None, half: bytes | None) -> Embedding | None:
    if model is None or half is None:
        return None
    return Embedding(model, np.frombuffer(half, np.float16).astype(np.float32))
