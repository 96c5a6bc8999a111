"""What an error of PostgreSQL means to whoever asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import structlog
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from yiku.model.errors import StorageUnavailable

log = structlog.get_logger()

_RETRY_AFTER_S = 2
"""A restart of PostgreSQL takes about that long."""

_FULL = "The database server accepts no more connections: raise its max_connections."
_REFUSED = "The database server refused the user name or password of database_url."
_MISSING = "The database that database_url names does not exist: create it."

_MESSAGES: tuple[tuple[type[psycopg.Error] | tuple[type[psycopg.Error], ...], str], ...] = (
    (
        (TooManyRequests, PoolTimeout),
        "The database server cannot be reached or is too busy: try again in a few seconds.",
    ),
    (PoolClosed, "The store is closed."),
    (errors.DiskFull, "The disk of the database server is full: free some space and try again. Nothing was changed."),
    (errors.TooManyConnections, _FULL),
    ((errors.QueryCanceled, errors.LockNotAvailable), "The store took too long to answer and the call was stopped."),
    (
        errors.ReadOnlySqlTransaction,
        "The database server takes no changes at the moment: try again in a few seconds.",
    ),
    (errors.DeadlockDetected, "Two changes waited for each other and one was stopped: try again."),
    (errors.InsufficientPrivilege, "The database user may not do what is needed: grant it all rights on its database."),
    (errors.UndefinedTable, "The database has lost a table: restore a backup."),
    ((errors.DataCorrupted, errors.IndexCorrupted), "The database is damaged: stop the servers and restore a backup."),
    ((errors.InvalidPassword, errors.InvalidAuthorizationSpecification), _REFUSED),
    (errors.InvalidCatalogName, _MISSING),
)

_SAID: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile('database ".*" does not exist'), _MISSING),
    (re.compile('password|role ".*" does not exist|pg_hba'), _REFUSED),
    (re.compile("too many (connections|clients)|connection slots"), _FULL),
)
"""Of a connection that was refused the driver passes on words only, and no code."""


def unavailable(error: psycopg.Error) -> StorageUnavailable:
    """The driver's own words, which may hold addresses and values, are for whoever runs the server."""
    log.warning("postgres_error", kind=type(error).__name__, state=error.sqlstate, said=str(error))
    return StorageUnavailable(_message(error), retry_after_s=_RETRY_AFTER_S)


def _message(error: psycopg.Error) -> str:
    for kinds, message in _MESSAGES:
        if isinstance(error, kinds):
            return message
    if not isinstance(error, psycopg.OperationalError):
        return "The store failed in a way that is not known here: the log has more."
    for pattern, message in _SAID:
        if pattern.search(str(error)):
            return message
    return "The database server cannot be reached at the moment: try again in a few seconds."


@contextmanager
def translated_errors() -> Iterator[None]:
    try:
        yield
    except psycopg.DataError as error:
        # A value that a column cannot hold is a mistake of ours, and no reason to try again.
        raise ValueError(f"PostgreSQL cannot hold a value: {error}") from error
    except psycopg.Error as error:
        raise unavailable(error) from error
