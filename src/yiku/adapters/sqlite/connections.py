"""How the database file is opened, how transactions are held, and what its errors mean to a person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import apsw
import structlog

from yiku.model.errors import StorageUnavailable

log = structlog.get_logger()

BUSY_TIMEOUT_MS = 10_000
"""How long a writer waits for the writer of another process on the same folder."""
_CACHE_KIB = 16 * 1024

_MESSAGES: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "The disk is full: free some space and try again. Nothing was changed."),
    (apsw.ReadOnlyError, "The database file cannot be written: check the permissions of the data folder."),
    (apsw.PermissionsError, "The database file cannot be accessed: check the permissions of the data folder."),
    (apsw.CantOpenError, "The database file cannot be opened: check the path and permissions of the data folder."),
    (apsw.NotADBError, "The file yiku.db in the data folder is not a database: move it away or restore a backup."),
    (apsw.CorruptError, "The database file is damaged: stop the server and restore a backup."),
    (apsw.IOError, "The disk reported an error while the database file was read or written."),
    (apsw.BusyError, "Another process has kept the database file locked for too long: try again."),
    (apsw.LockedError, "Another process has kept the database file locked for too long: try again."),
    (apsw.InterruptError, "The store took too long to answer and the call was stopped."),
    (apsw.NoMemError, "The store ran out of memory."),
)

Bindings = tuple[Any, ...] | dict[str, Any]


def unavailable(error: apsw.Error) -> StorageUnavailable:
    """What an error of SQLite means to whoever asked; the driver's own words are for whoever runs the server."""
    log.warning("sqlite_error", kind=type(error).__name__, said=str(error))
    for kind, message in _MESSAGES:
        if isinstance(error, kind):
            return StorageUnavailable(message)
    return StorageUnavailable("The store failed in a way that is not known here: the log has more.")


@contextmanager
def translated_errors() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        raise unavailable(error) from error


def open_connection(path: Path, *, read_only: bool) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    if not read_only:
        _set_pragma(connection, "journal_mode", "wal")
        _set_pragma(connection, "synchronous", 2)
        # macOS answers an ordinary fsync before the disk has the data; elsewhere this changes nothing.
        _set_pragma(connection, "fullfsync", 1)
    _set_pragma(connection, "foreign_keys", 0)
    _set_pragma(connection, "temp_store", 2)
    _set_pragma(connection, "cache_size", -_CACHE_KIB)
    return connection


@contextmanager
def transaction(connection: apsw.Connection, mode: Literal["DEFERRED", "IMMEDIATE"]) -> Iterator[None]:
    """Everything in the block, or nothing."""
    connection.execute(f"BEGIN {mode}")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        # Also when COMMIT itself failed: SQLite then leaves the transaction open.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextmanager
def savepoint(connection: apsw.Connection) -> Iterator[None]:
    """A part of a transaction that can fail alone."""
    connection.execute("SAVEPOINT part")
    done = False
    try:
        yield
        done = True
    finally:
        # A full disk makes SQLite give up the whole transaction; there is nothing left to go back to then.
        if connection.in_transaction:
            if not done:
                connection.execute("ROLLBACK TO part")
            connection.execute("RELEASE part")


def rows_of(connection: apsw.Connection, sql: str, bindings: Bindings = ()) -> list[Any]:
    return connection.execute(sql, bindings).fetchall()


def value_of(connection: apsw.Connection, sql: str, bindings: Bindings = ()) -> Any:
    """The first column of the first row; None without a row."""
    row = connection.execute(sql, bindings).fetchone()
    return None if row is None else row[0]


def _set_pragma(connection: apsw.Connection, name: str, value: str | int) -> None:
    connection.execute(f"PRAGMA {name} = {value}").fetchall()
    # An unsupported value is ignored in silence, and with it a promise of ours (WAL on a network drive).
    held = value_of(connection, f"PRAGMA {name}")
    if held != value:
        raise StorageUnavailable(f"The database file cannot be used here: {name} stays {held} instead of {value}.")
