"""How records are looked up: by id, by unique key, a page at a time, and by what changed."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from pgvector import HalfVector

from yiku.adapters.postgres.conditions import Filter
from yiku.adapters.postgres.connections import Connection, reading
from yiku.adapters.postgres.partitions import numbers_of
from yiku.engine.records import COLUMNS, records_of
from yiku.model.records import Change, Embedding, PageQuery, Record, RecordPage, Ref
from yiku.model.scopes import Partition

_RECORD_COLUMNS = ", ".join(f"record.{column}" for column in COLUMNS.split(", "))

_NUMBER = "(SELECT number FROM partition WHERE workspace = %(workspace)s AND owner = %(owner)s)"

_BY_ID = f"""
SELECT {COLUMNS} FROM record
WHERE partition = {_NUMBER} AND kind = %(kind)s AND id = ANY(%(names)s) AND expires > %(now)s
"""

_BY_KEY = f"""
SELECT {COLUMNS} FROM record
WHERE partition = {_NUMBER} AND kind = %(kind)s AND unique_key = ANY(%(names)s) AND expires > %(now)s
"""

_LOCATED = f"""
SELECT {_RECORD_COLUMNS}, owner FROM record JOIN partition ON number = record.partition
WHERE hashtextextended(id, 0) = hashtextextended(%(id)s, 0) AND id = %(id)s AND kind = %(kind)s
    AND expires > %(now)s AND workspace = %(workspace)s
"""

# One look into the index for each: without the OFFSET it would become a join, read through all of a small table.
_HOLDERS = """
SELECT asked.id, owner FROM unnest(%(ids)s::text[]) AS asked (id) CROSS JOIN LATERAL (
    SELECT partition FROM record
    WHERE hashtextextended(record.id, 0) = hashtextextended(asked.id, 0) AND record.id = asked.id COLLATE "C"
        AND kind = %(kind)s AND expires > %(now)s OFFSET 0
) AS held JOIN partition ON number = held.partition WHERE workspace = %(workspace)s
"""

# A record that expired, or one that was deleted and does not exist anew; of several deletions of one id, the last.
# In one statement with the rows: between two, another commit could replace what the first one found.
_CHANGED = f"""
WITH changed AS (
    SELECT sequence, kind, id FROM record WHERE partition = {_NUMBER} AND sequence > %(after)s
    UNION ALL
    SELECT sequence, kind, id FROM tombstone
    WHERE partition = {_NUMBER} AND sequence > %(after)s AND id IS NOT NULL
        AND NOT EXISTS (
            SELECT 1 FROM record
            WHERE record.partition = tombstone.partition AND record.kind = tombstone.kind AND record.id = tombstone.id
        )
        AND NOT EXISTS (
            SELECT 1 FROM tombstone AS later
            WHERE later.partition = tombstone.partition AND later.kind = tombstone.kind AND later.id = tombstone.id
                AND later.sequence > tombstone.sequence
        )
    ORDER BY sequence LIMIT %(limit)s
)
SELECT {_RECORD_COLUMNS}, model, embedding.vector, changed.sequence, changed.kind, changed.id
FROM changed
LEFT JOIN record ON record.sequence = changed.sequence AND record.expires > %(now)s
LEFT JOIN feature ON feature.partition = record.partition AND feature.kind = record.kind
    AND feature.sequence = record.sequence
LEFT JOIN embedding ON embedding.sequence = record.sequence
ORDER BY changed.sequence
"""


def locate_record(
    connection: Connection, workspace: str, kind: str, id: str, *, now: int
) -> tuple[Partition, Record] | None:
    row = connection.execute(_LOCATED, {"id": id, "kind": kind, "now": now, "workspace": workspace}).fetchone()
    return None if row is None else (Partition(workspace, row[-1]), records_of([row])[0])


def holders_of(
    connection: Connection, workspace: str, kind: str, ids: Sequence[str], *, now: int
) -> list[tuple[str, Partition]]:
    found = connection.execute(_HOLDERS, {"workspace": workspace, "kind": kind, "ids": list(ids), "now": now})
    return [(record_id, Partition(workspace, owner)) for record_id, owner in found.fetchall()]


def get_records(
    connection: Connection, partition: Partition, kind: str, ids: Sequence[str], *, now: int
) -> list[Record]:
    found = {record.id: record for record in _looked_up(connection, _BY_ID, partition, kind, ids, now)}
    return [found[wanted] for wanted in ids if wanted in found]


def find_records(
    connection: Connection, partition: Partition, kind: str, unique_keys: Sequence[str], *, now: int
) -> list[Record]:
    found = {record.unique_key: record for record in _looked_up(connection, _BY_KEY, partition, kind, unique_keys, now)}
    return [found[wanted] for wanted in unique_keys if wanted in found]


def page_of_records(connection: Connection, query: PageQuery, *, now: int) -> RecordPage:
    with reading(connection):
        numbers = numbers_of(connection, query.partitions)
        if not numbers:
            return RecordPage(0, ())
        chosen = Filter(list(numbers), query.kind, query.where, now=now)
        direction = "ASC" if query.ascending else "DESC"
        order = f"ORDER BY created {direction}, id {direction}, partition"
        counted = connection.execute(f"SELECT count(*) FROM record WHERE {chosen.sql}", chosen.bindings)
        shown = connection.execute(
            f"SELECT {COLUMNS} FROM record WHERE {chosen.sql} {order} LIMIT %(limit)s OFFSET %(offset)s",
            chosen.bindings | {"limit": query.limit, "offset": query.offset},
        )
        ((count,),) = counted
        return RecordPage(int(count), tuple(records_of(shown.fetchall())))


def changes_since(connection: Connection, partition: Partition, *, after: int, limit: int, now: int) -> list[Change]:
    bindings = {"workspace": partition.workspace, "owner": partition.owner, "after": after, "limit": limit, "now": now}
    found = connection.execute(_CHANGED, bindings, binary=True).fetchall()
    present = [row for row in found if row[0] is not None]
    records = {
        row[0]: replace(record, embedding=_embedding(*row[-5:-3]))
        for row, record in zip(present, records_of(present), strict=True)
    }
    return [
        Change(sequence=sequence, partition=partition, ref=Ref(kind, record_id), record=records.get(sequence))
        for *_, sequence, kind, record_id in found
    ]


def _looked_up(
    connection: Connection, sql: str, partition: Partition, kind: str, names: Sequence[str], now: int
) -> list[Record]:
    place = {"workspace": partition.workspace, "owner": partition.owner}
    return records_of(connection.execute(sql, place | {"kind": kind, "names": list(names), "now": now}).fetchall())


def _embedding(model: str | None, half: HalfVector | None) -> Embedding | None:
    if model is None or half is None:
        return None
    return Embedding(model, half.to_numpy().astype(np.float32))
