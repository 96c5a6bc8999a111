"""How one transaction of the port is applied to the tables: checks, finished jobs, deletes, puts, new jobs."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from yiku.adapters.sqlite.connections import rows_of, value_of
from yiku.adapters.sqlite.jobs import enqueue_jobs, finish_jobs
from yiku.adapters.sqlite.partitions import ensured_number, number_of
from yiku.adapters.sqlite.writer import WriteTransaction
from yiku.engine.records import PreparedPut, field_rows, fields_of
from yiku.engine.times import expiry, microseconds
from yiku.model.errors import Conflict, KeyTaken
from yiku.model.limits import Limits
from yiku.model.records import Changes, Expectation

_EXPIRED_AT_ONCE = 100
"""Expired rows that one commit takes along: they go away without a write ever becoming a long one."""

_STORED = "SELECT sequence, version, expires, fields FROM record WHERE partition = ? AND kind = ? AND id = ?"


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
        for put in puts:
            _put(transaction, number, put)
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
    sequence = transaction.next_sequence()
    _insert(transaction.connection, number, sequence, version, put)
    if put.feature is not None:
        _insert_feature(transaction.connection, number, sequence, put)


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


def _insert(connection: apsw.Connection, number: int, sequence: int, version: int, put: PreparedPut) -> None:
    record = put.record
    connection.execute(
        "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            sequence,
            number,
            record.kind,
            record.id,
            record.unique_key,
            version,
            microseconds(record.created),
            microseconds(record.updated),
            expiry(record.expires),
            record.text,
            put.fields,
            put.body,
        ),
    )
    connection.executemany(
        "INSERT INTO field (partition, kind, name, type, value, sequence) VALUES (?, ?, ?, ?, ?, ?)",
        [(number, record.kind, *field_row, sequence) for field_row in put.field_rows],
    )


def _insert_feature(connection: apsw.Connection, number: int, sequence: int, put: PreparedPut) -> None:
    feature, record = put.feature, put.record
    assert feature is not None
    model = None if feature.model is None else _model_number(connection, feature.model)
    connection.execute(
        "INSERT INTO feature VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            record.kind,
            sequence,
            expiry(record.expires),
            feature.length,
            feature.terms,
            model,
            feature.scale,
            feature.vector,
            feature.setting,
            feature.speaker,
        ),
    )
    if feature.half is not None:
        connection.execute("INSERT INTO half VALUES (?, ?)", (sequence, feature.half))


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
