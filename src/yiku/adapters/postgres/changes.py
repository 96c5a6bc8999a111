"""How one transaction of the port is applied: look under the partition's lock, decide, write and commit. Two trips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pgvector import HalfVector
from psycopg import errors

from yiku.adapters.postgres import jobs as queue
from yiku.adapters.postgres.connections import Connection, committing
from yiku.adapters.postgres.draft import Draft, Held, Insert
from yiku.adapters.postgres.fields import stored_fields
from yiku.engine.records import PreparedPut, field_rows, fields_of
from yiku.engine.times import expiry, microseconds
from yiku.model.errors import Conflict
from yiku.model.limits import Limits
from yiku.model.records import Changes, Ref
from yiku.model.scopes import Partition

_SEQUENCE_BITS = 32

# The lock that all commits of a partition queue for, and the numbers that this one may give out.
_LOCK = """
UPDATE partition SET counter = counter + %s WHERE workspace = %s AND owner = %s RETURNING number, counter
"""

_MAKE = "INSERT INTO partition (workspace, owner) VALUES (%s, %s) ON CONFLICT DO NOTHING"

# One look into an index for each; else an OR would be answered by reading through the partition.
_HELD = """
SELECT held.* FROM unnest(%(kinds)b::text[], %(ids)b::text[]) AS asked (kind, id) CROSS JOIN LATERAL (
    SELECT kind, id, sequence, version, expires, unique_key, fields FROM record
    WHERE partition = (SELECT number FROM partition WHERE workspace = %(workspace)s AND owner = %(owner)s)
        AND kind = asked.kind COLLATE "C" AND id = asked.id COLLATE "C" LIMIT 1
) AS held
UNION ALL
SELECT held.* FROM unnest(%(key_kinds)b::text[], %(keys)b::text[]) AS asked (kind, key) CROSS JOIN LATERAL (
    SELECT kind, id, sequence, version, expires, unique_key, fields FROM record
    WHERE partition = (SELECT number FROM partition WHERE workspace = %(workspace)s AND owner = %(owner)s)
        AND kind = asked.kind COLLATE "C" AND unique_key = asked.key COLLATE "C" LIMIT 1
) AS held
"""

_ERASE = (
    "DELETE FROM record WHERE sequence = ANY(%(sequences)s)",
    "DELETE FROM embedding WHERE sequence = ANY(%(sequences)s)",
    "DELETE FROM feature WHERE partition = %(partition)s AND kind = ANY(%(kinds)s) AND sequence = ANY(%(sequences)s)",
)

_ERASE_FIELDS = """
DELETE FROM field USING unnest(%b::text[], %b::bytea[], %b::bytea[], %b::bigint[]) AS gone (kind, name, value, sequence)
WHERE field.partition = %b AND field.kind = gone.kind COLLATE "C" AND field.name = gone.name
    AND field.value = gone.value AND field.sequence = gone.sequence
"""

_BURY = """
INSERT INTO tombstone (partition, sequence, kind, id, old_sequence)
SELECT %b::int, * FROM unnest(%b::bigint[], %b::text[], %b::text[], %b::bigint[])
"""

_INSERT_RECORDS = """
INSERT INTO record (
    partition, sequence, kind, id, unique_key, version, created, updated, expires, text, fields, body
)
SELECT %b::int, * FROM unnest(
    %b::bigint[], %b::text[], %b::text[], %b::text[], %b::int[], %b::bigint[], %b::bigint[], %b::bigint[], %b::text[],
    %b::text[], %b::text[]
)
"""

_INSERT_FIELDS = """
INSERT INTO field (partition, kind, sequence, name, value, text, number)
SELECT %b::int, * FROM unnest(%b::text[], %b::bigint[], %b::bytea[], %b::bytea[], %b::text[], %b::numeric[])
"""

_INSERT_FEATURES = """
INSERT INTO feature (partition, kind, sequence, expires, length, terms, model, scale, vector)
SELECT %b::int, * FROM unnest(
    %b::text[], %b::bigint[], %b::bigint[], %b::int[], %b::bytea[], %b::text[], %b::float8[], %b::bytea[]
)
"""

_INSERT_EMBEDDINGS = "INSERT INTO embedding (sequence, vector) SELECT * FROM unnest(%b::bigint[], %b::halfvec[])"


def apply_changes(
    connection: Connection, changes: Changes, puts: Sequence[PreparedPut], limits: Limits, *, now: int
) -> None:
    """`puts` are those of `changes`, prepared."""
    number, draft, queued = _looked(connection, changes, now=now)
    draft.delete(changes.deletes)
    draft.put(puts)
    if queued is not None:
        queue.check_room(connection, changes.enqueues, queued, limits)
    try:
        with committing(connection):
            if number is not None:
                _erase(connection, number, draft)
                _insert(connection, number, list(draft.inserts.values()))
                queue.enqueue_jobs(connection, number, changes.enqueues, now=now)
    except errors.UniqueViolation as error:
        # Under the partition's lock only the ids of jobs can collide: they are unique over all partitions.
        raise Conflict("A job with one of these ids is waiting already.") from error


def delete_expired(connection: Connection, partition: Partition, refs: Sequence[Ref], *, now: int) -> None:
    """Those of these records whose time has passed; one that was put again meanwhile stays."""
    number, draft, _ = _looked(connection, Changes(partition=partition, deletes=tuple(refs)), now=now)
    draft.delete([ref for ref, held in draft.held.items() if held.expires <= now])
    with committing(connection):
        if number is not None:
            _erase(connection, number, draft)


def _looked(connection: Connection, changes: Changes, *, now: int) -> tuple[int | None, Draft, queue.Queued | None]:
    """Lock the partition, read what the commit is about, check what can be checked. The transaction stays open."""
    room = 3 * len(changes.puts) + len(changes.deletes)
    place = (changes.partition.workspace, changes.partition.owner)
    with connection.pipeline():
        connection.execute("BEGIN")
        locked = connection.execute(_LOCK, (room, *place))
        held = connection.execute(_HELD, _asked(changes))
        finished = queue.finish_jobs(connection, changes.finishes)
        queued = queue.ask_for_room(connection, changes.enqueues)
    # Another server may make the partition before us, and drop it again before we have it locked.
    while (found := locked.fetchone()) is None and (changes.puts or changes.enqueues):
        with connection.pipeline():
            connection.execute(_MAKE, place)
            locked = connection.execute(_LOCK, (room, *place))
            held = connection.execute(_HELD, _asked(changes))
    number, counter = found or (None, room)
    rows = {Ref(kind, name): Held(*row) for kind, name, *row in held.fetchall()}
    draft = Draft(held=rows, last=((number or 0) << _SEQUENCE_BITS) + counter - room, now=now)
    draft.check(changes.expects)
    queue.check_finished(finished, changes.finishes)
    return number, draft, queued


def _asked(changes: Changes) -> dict[str, Any]:
    refs = {expectation.ref for expectation in changes.expects} | set(changes.deletes)
    refs |= {Ref(put.kind, put.id) for put in changes.puts}
    keys = [(put.kind, put.unique_key) for put in changes.puts if put.unique_key is not None]
    return {
        "workspace": changes.partition.workspace,
        "owner": changes.partition.owner,
        "kinds": [ref.kind for ref in refs],
        "ids": [ref.id for ref in refs],
        "key_kinds": [kind for kind, _ in keys],
        "keys": [key for _, key in keys],
    }


def _erase(connection: Connection, number: int, draft: Draft) -> None:
    if not draft.erased:
        return
    kinds, held = zip(*draft.erased, strict=True)
    bindings = {"partition": number, "kinds": list(set(kinds)), "sequences": [row.sequence for row in held]}
    for statement in _ERASE:
        connection.execute(statement, bindings)
    gone = [
        (kind, field.name, field.value, row.sequence)
        for kind, row in draft.erased
        for field in stored_fields(field_rows(fields_of(row.fields)))
    ]
    if gone:
        connection.execute(_ERASE_FIELDS, (*_columns(gone), number))
    buried = [(stone.sequence, stone.kind, stone.id, stone.old_sequence) for stone in draft.tombstones]
    connection.execute(_BURY, (number, *_columns(buried)))


def _insert(connection: Connection, number: int, inserts: Sequence[Insert]) -> None:
    if not inserts:
        return
    connection.execute(_INSERT_RECORDS, (number, *_columns([_record_row(insert) for insert in inserts])))
    fields = [
        (insert.put.record.kind, insert.sequence, field.name, field.value, field.text, field.number)
        for insert in inserts
        for field in stored_fields(insert.put.field_rows)
    ]
    if fields:
        connection.execute(_INSERT_FIELDS, (number, *_columns(fields)))
    features = [row for insert in inserts if (row := _feature_row(insert)) is not None]
    if features:
        connection.execute(_INSERT_FEATURES, (number, *_columns(features)))
    embeddings = [
        (insert.sequence, HalfVector(insert.put.record.embedding.values))
        for insert in inserts
        if insert.put.record.embedding is not None
    ]
    if embeddings:
        connection.execute(_INSERT_EMBEDDINGS, _columns(embeddings))


def _record_row(insert: Insert) -> tuple[Any, ...]:
    record = insert.put.record
    return (
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


def _feature_row(insert: Insert) -> tuple[Any, ...] | None:
    feature, record = insert.put.feature, insert.put.record
    if feature is None:
        return None
    return (
        record.kind,
        insert.sequence,
        expiry(record.expires),
        feature.length,
        feature.terms,
        feature.model,
        feature.scale,
        feature.vector,
    )


def _columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """Rows turned into arrays: one statement for all of them."""
    return [list(column) for column in zip(*rows, strict=True)]
