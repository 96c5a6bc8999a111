"""How one transaction of the port is applied to the tables: checks, finished jobs, deletes, puts, new jobs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from yiku.adapters.sqlite.connections import rows_of, value_of
from yiku.adapters.sqlite.jobs import enqueue_jobs, finish_jobs
from yiku.adapters.sqlite.partitions import ensured_number, number_of
from yiku.adapters.sqlite.writer import WriteTransaction
from yiku.engine.features import Feature
from yiku.engine.records import PreparedPut, field_rows, fields_of, to_json
from yiku.engine.times import expiry, microseconds
from yiku.model.errors import Conflict, KeyTaken
from yiku.model.limits import Limits
from yiku.model.records import Changes, Expectation

_EXPIRED_AT_ONCE = 100
"""Expired rows that one commit takes along: they go away without a write ever becoming a long one."""

_STORED = "SELECT sequence, version, expires, fields FROM record WHERE partition = ? AND kind = ? AND id = ?"

# As many names as there are, in one bound value: the statement stays the same, and is prepared once.
_HELD_ID = """
SELECT 1 FROM json_each(?) AS asked CROSS JOIN record ON record.id = asked.value AND kind = ? AND partition = ? LIMIT 1
"""
_HELD_KEY = """
SELECT 1 FROM json_each(?) AS asked CROSS JOIN record ON unique_key = asked.value AND kind = ? AND partition = ? LIMIT 1
"""

_INSERT_RECORD = "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_FIELD = "INSERT INTO field (partition, kind, name, type, value, sequence) VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_FEATURE = "INSERT INTO feature VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_HALF = "INSERT INTO half VALUES (?, ?)"

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Insert:
    """A row that comes, with its numbers."""

    sequence: int
    version: int
    put: PreparedPut


def apply_changes(transaction: WriteTransaction, changes: Changes, puts: Sequence[PreparedPut], limits: Limits) -> None:
    """`puts` are those of `changes`, prepared."""
    connection = transaction.connection
    number = number_of(connection, changes.partition)
    for expectation in changes.expects:
        _check(transaction, number, expectation)
    finish_jobs(connection, changes.finishes)
    if number is not None:
        for ref in changes.deletes:
            _delete(transaction, number, ref.kind, ref.id)
    if puts or changes.enqueues:
        number = ensured_number(transaction, changes.partition)
        _put_all(transaction, number, puts)
        enqueue_jobs(transaction, number, changes.enqueues, limits)
    _delete_expired(transaction)


def _check(transaction: WriteTransaction, number: int | None, expectation: Expectation) -> None:
    version = value_of(
        transaction.connection,
        "SELECT version FROM record WHERE partition = ? AND kind = ? AND id = ? AND expires > ?",
        (number, expectation.ref.kind, expectation.ref.id, transaction.now),
    )
    if version != expectation.version:
        raise Conflict


def _delete(transaction: WriteTransaction, number: int, kind: str, id: str) -> None:
    for sequence, _, _, fields in rows_of(transaction.connection, _STORED, (number, kind, id)):
        _erase(transaction, number, kind, sequence, fields, deleted_id=id)


def _put_all(transaction: WriteTransaction, number: int, puts: Sequence[PreparedPut]) -> None:
    """One after the other where a row may be in the way; where all are new, a statement for each table."""
    if _are_new(transaction.connection, number, puts):
        _insert(transaction.connection, number, [Insert(transaction.next_sequence(), 1, put) for put in puts])
        return
    for put in puts:
        _put(transaction, number, put)


def _are_new(connection: apsw.Connection, number: int, puts: Sequence[PreparedPut]) -> bool:
    """Whether no two of them, and nothing that is stored, have an id or a key in common."""
    ids, keys = defaultdict(list), defaultdict(list)
    for put in puts:
        ids[put.record.kind].append(put.record.id)
        if put.record.unique_key is not None:
            keys[put.record.kind].append(put.record.unique_key)
    if any(len(set(names)) < len(names) for names in (*ids.values(), *keys.values())):
        return False
    held = (
        value_of(connection, statement, (to_json(names), kind, number))
        for statement, named in ((_HELD_ID, ids), (_HELD_KEY, keys))
        for kind, names in named.items()
    )
    return all(one is None for one in held)


def _put(transaction: WriteTransaction, number: int, put: PreparedPut) -> None:
    record = put.record
    version = 1
    for sequence, stored_version, expires, fields in rows_of(
        transaction.connection, _STORED, (number, record.kind, record.id)
    ):
        _erase(transaction, number, record.kind, sequence, fields, deleted_id=None)
        version = stored_version + 1 if expires > transaction.now else 1
    if record.unique_key is not None:
        _free_key(transaction, number, record.kind, record.unique_key)
    _insert(transaction.connection, number, [Insert(transaction.next_sequence(), version, put)])


def _free_key(transaction: WriteTransaction, number: int, kind: str, unique_key: str) -> None:
    """Refuse a key that another record holds; one that has expired is as good as gone, and goes."""
    for holder_id, expires in rows_of(
        transaction.connection,
        "SELECT id, expires FROM record WHERE partition = ? AND kind = ? AND unique_key = ?",
        (number, kind, unique_key),
    ):
        if expires > transaction.now:
            raise KeyTaken(kind=kind, unique_key=unique_key, holder_id=holder_id)
        _delete(transaction, number, kind, holder_id)


def _insert(connection: apsw.Connection, number: int, inserts: Sequence[Insert]) -> None:
    connection.executemany(_INSERT_RECORD, [_record_row(number, insert) for insert in inserts])
    connection.executemany(
        _INSERT_FIELD,
        [
            (number, insert.put.record.kind, *field_row, insert.sequence)
            for insert in inserts
            for field_row in insert.put.field_rows
        ],
    )
    features = [(insert, insert.put.feature) for insert in inserts if insert.put.feature is not None]
    names = {feature.model for _, feature in features if feature.model is not None}
    models = {name: _model_number(connection, name) for name in names}
    connection.executemany(
        _INSERT_FEATURE,
        [_feature_row(number, insert, feature, models.get(feature.model or "")) for insert, feature in features],
    )
    connection.executemany(
        _INSERT_HALF, [(insert.sequence, feature.half) for insert, feature in features if feature.half is not None]
    )


def _record_row(number: int, insert: Insert) -> Row:
    record = insert.put.record
    return (
        insert.sequence,
        number,
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


def _feature_row(number: int, insert: Insert, feature: Feature, model: int | None) -> Row:
    record = insert.put.record
    return (
        number,
        record.kind,
        insert.sequence,
        expiry(record.expires),
        feature.length,
        feature.terms,
        model,
        feature.scale,
        feature.vector,
        feature.setting,
        feature.speaker,
    )


def _model_number(connection: apsw.Connection, name: str) -> int:
    connection.execute("INSERT OR IGNORE INTO model (name) VALUES (?)", (name,))
    return int(value_of(connection, "SELECT number FROM model WHERE name = ?", (name,)))


def _erase(
    transaction: WriteTransaction, number: int, kind: str, sequence: int, fields: str, *, deleted_id: str | None
) -> None:
    """Remove a row from every table and leave a tombstone; with an id when the record is gone and not replaced."""
    connection = transaction.connection
    connection.execute("DELETE FROM record WHERE sequence = ?", (sequence,))
    connection.execute("DELETE FROM half WHERE sequence = ?", (sequence,))
    connection.execute(
        "DELETE FROM feature WHERE partition = ? AND kind = ? AND sequence = ?", (number, kind, sequence)
    )
    # By the whole primary key: there is no second index to find the rows of a record by.
    connection.executemany(
        """
        DELETE FROM field
        WHERE partition = ? AND kind = ? AND name = ? AND type = ? AND value = ? AND sequence = ?
        """,
        [(number, kind, *field_row, sequence) for field_row in field_rows(fields_of(fields))],
    )
    connection.execute(
        "INSERT INTO tombstone (partition, sequence, kind, id, old_sequence) VALUES (?, ?, ?, ?, ?)",
        (number, transaction.next_sequence(), kind, deleted_id, sequence),
    )


def _delete_expired(transaction: WriteTransaction) -> None:
    # The second comparison says no more than the first, but without it SQLite cannot see that the index will do.
    expired = rows_of(
        transaction.connection,
        "SELECT partition, kind, id FROM record WHERE expires <= ? AND expires < 9223372036854775807 LIMIT ?",
        (transaction.now, _EXPIRED_AT_ONCE),
    )
    for number, kind, expired_id in expired:
        _delete(transaction, number, kind, expired_id)
