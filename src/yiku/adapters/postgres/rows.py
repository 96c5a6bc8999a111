"""How the outcome of commits is written: two statements, whatever the number of commits, partitions and tables.

Each statement costs the driver a fifth of a millisecond and a chance to lose the interpreter to another thread. What
goes from a table goes before what comes: in one statement, a row could meet the one that it replaces.
"""

# The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pgvector import HalfVector

from yiku.adapters.postgres.connections import Connection
from yiku.adapters.postgres.draft import Draft, Held, Insert
from yiku.adapters.postgres.fields import stored_fields
from yiku.adapters.postgres.partitions import counter_of
from yiku.engine.records import field_rows, fields_of
from yiku.engine.times import expiry, microseconds

_ERASE_RECORDS = "DELETE FROM record WHERE sequence = ANY(%b::bigint[])"

_ERASE_EMBEDDINGS = "DELETE FROM embedding WHERE sequence = ANY(%b::bigint[])"

_ERASE_FEATURES = """
DELETE FROM feature USING unnest(%b::int[], %b::text[], %b::bigint[]) AS gone (partition, kind, sequence)
WHERE feature.partition = gone.partition AND feature.kind = gone.kind COLLATE "C" AND feature.sequence = gone.sequence
"""

_ERASE_FIELDS = """
DELETE FROM field
USING unnest(%b::int[], %b::text[], %b::bytea[], %b::bytea[], %b::bigint[])
    AS gone (partition, kind, name, value, sequence)
WHERE field.partition = gone.partition AND field.kind = gone.kind COLLATE "C" AND field.name = gone.name
    AND field.value = gone.value AND field.sequence = gone.sequence
"""

_BURY = """
INSERT INTO tombstone (partition, sequence, kind, id, old_sequence)
SELECT * FROM unnest(%b::int[], %b::bigint[], %b::text[], %b::text[], %b::bigint[])
"""

_INSERT_RECORDS = """
INSERT INTO record (
    partition, sequence, kind, id, unique_key, version, created, updated, expires, text, fields, body
)
SELECT * FROM unnest(
    %b::int[], %b::bigint[], %b::text[], %b::text[], %b::text[], %b::int[], %b::bigint[], %b::bigint[], %b::bigint[],
    %b::text[], %b::text[], %b::text[]
)
"""

_INSERT_FIELDS = """
INSERT INTO field (partition, kind, sequence, name, value, text, number)
SELECT * FROM unnest(%b::int[], %b::text[], %b::bigint[], %b::bytea[], %b::bytea[], %b::text[], %b::numeric[])
"""

_INSERT_FEATURES = """
INSERT INTO feature (partition, kind, sequence, expires, length, terms, model, scale, vector, setting, speaker)
SELECT * FROM unnest(
    %b::int[], %b::text[], %b::bigint[], %b::bigint[], %b::int[], %b::bytea[], %b::text[], %b::float8[], %b::bytea[],
    %b::bytea[], %b::text[]
)
"""

_INSERT_EMBEDDINGS = "INSERT INTO embedding (sequence, vector) SELECT * FROM unnest(%b::bigint[], %b::halfvec[])"

_COUNT_ON = """
UPDATE partition SET counter = reached.counter FROM unnest(%b::int[], %b::bigint[]) AS reached (number, counter)
WHERE partition.number = reached.number
"""

Row = tuple[Any, ...]
Part = tuple[str, Sequence[Row]]
"""A statement and the rows that it is about; without rows it is left out."""


def write_drafts(connection: Connection, drafts: Sequence[Draft]) -> None:
    """Send what the partitions have become; to be committed by the caller."""
    changed = [draft for draft in drafts if draft.erased or draft.inserts]
    _send(connection, _erasures([(draft.number, kind, held) for draft in changed for kind, held in draft.erased]))
    inserts = [(draft.number, insert) for draft in changed for insert in draft.inserts.values()]
    buried = [
        (draft.number, stone.sequence, stone.kind, stone.id, stone.old_sequence)
        for draft in changed
        for stone in draft.tombstones
    ]
    reached = [(draft.number, counter_of(draft.last)) for draft in changed]
    _send(connection, [*_insertions(inserts), (_BURY, buried), (_COUNT_ON, reached)])


def _erasures(erased: Sequence[tuple[int, str, Held]]) -> list[Part]:
    sequences = [(held.sequence,) for _, _, held in erased]
    fields = [
        (number, kind, field.name, field.value, held.sequence)
        for number, kind, held in erased
        for field in stored_fields(field_rows(fields_of(held.fields)))
    ]
    return [
        (_ERASE_RECORDS, sequences),
        (_ERASE_EMBEDDINGS, sequences),
        (_ERASE_FEATURES, [(number, kind, held.sequence) for number, kind, held in erased]),
        (_ERASE_FIELDS, fields),
    ]


def _insertions(inserts: Sequence[tuple[int, Insert]]) -> list[Part]:
    fields = [
        (number, insert.put.record.kind, insert.sequence, field.name, field.value, field.text, field.number)
        for number, insert in inserts
        for field in stored_fields(insert.put.field_rows)
    ]
    halves = [(insert.sequence, insert.put.feature.half) for _, insert in inserts if insert.put.feature is not None]
    embeddings = [(place, HalfVector(np.frombuffer(half, np.float16))) for place, half in halves if half is not None]
    return [
        (_INSERT_RECORDS, [_record_row(number, insert) for number, insert in inserts]),
        (_INSERT_FIELDS, fields),
        (_INSERT_FEATURES, [row for place in inserts if (row := _feature_row(*place)) is not None]),
        (_INSERT_EMBEDDINGS, embeddings),
    ]


def _record_row(number: int, insert: Insert) -> Row:
    record = insert.put.record
    return (
        number,
        insert.sequence,
        record.kind,
        record.id,
        record.unique_key,
        insert.version,
        microseconds(record.created),
        microseconds(record.updated),
        expiry(record.expires),
        record.text,
        insert.put.fields,
        insert.put.body,
    )


def _feature_row(number: int, insert: Insert) -> Row | None:
    feature, record = insert.put.feature, insert.put.record
    if feature is None:
        return None
    return (
        number,
        record.kind,
        insert.sequence,
        expiry(record.expires),
        feature.length,
        feature.terms,
        feature.model,
        feature.scale,
        feature.vector,
        feature.setting,
        feature.speaker,
    )


def _send(connection: Connection, parts: Sequence[Part]) -> None:
    """In one statement, the rows of each part turned into one array a column."""
    wanted = [(statement, rows) for statement, rows in parts if rows]
    if wanted:
        named = ", ".join(f"part{number} AS ({statement})" for number, (statement, _) in enumerate(wanted))
        columns = [list(column) for _, rows in wanted for column in zip(*rows, strict=True)]
        connection.execute(f"WITH {named} SELECT", columns)
