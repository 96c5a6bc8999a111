"""How connections are opened, how transactions are held on them, and when one is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import PoolTimeout

from yiku.model.errors import InvalidInput

Connection = psycopg.Connection[tuple[Any, ...]]

_CONNECT_S = 5
_LOCK_S = 5.0
"""How long a commit waits for another server's on the same user: they take milliseconds, a frozen server for ever."""
_IDLE_S = 10.0
"""After so long in the middle of a transaction a server is taken for frozen, and its locks are taken away."""


class CommitSent(Exception):
    """The connection was lost after the commit was sent: nobody knows whether it was applied."""


def conninfo(url: str, *, deadline_s: float) -> str:
    """The address with what every connection of ours has: durable, no wait without an end, no lock held idly.

    What the address itself says wins, except for the promises to callers.
    """
    milliseconds = int(deadline_s * 1000)
    promises = {
        "statement_timeout": milliseconds,
        "lock_timeout": min(milliseconds, int(_LOCK_S * 1000)),
        "idle_in_transaction_session_timeout": int(_IDLE_S * 1000),
        "synchronous_commit": "on",
        "timezone": "UTC",
        "jit": "off",
    }
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # Not from the error: its text repeats the address, and with it the password.
        raise InvalidInput(
            "database_url is no address of a PostgreSQL database, as postgresql://user:password@host:5432/name;"
            " special characters in its parts must be percent-encoded",
            field="database_url",
        ) from None
    ours = [f"-c {name}={value}" for name, value in promises.items()]
    defaults = {
        "application_name": "yiku",
        "connect_timeout": _CONNECT_S,
        # A server that vanished without a word is noticed within about the same time.
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
    }
    options = " ".join([str(given.get("options", "")), *ours]).strip()
    merged: dict[str, Any] = {**defaults, **given, "options": options, "client_encoding": "utf8"}
    return make_conninfo(**merged)


def connect(url: str, *, deadline_s: float) -> Connection:
    """One connection outside the pool, for what is done once."""
    return psycopg.connect(conninfo(url, deadline_s=deadline_s), autocommit=True)


def lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone, or going: a server that ends it says so before the socket closes."""
    gone = error.sqlstate is None or error.sqlstate[:2] in ("08", "57")
    return gone and not isinstance(error, errors.QueryCanceled | PoolTimeout)


@contextmanager
def committing(connection: Connection) -> Iterator[None]:
    """End the open transaction: what the block writes and the commit go out together.

    Raises `CommitSent` when nobody will ever know how it ended.
    """
    try:
        with connection.pipeline():
            yield
            connection.execute("COMMIT")
    except psycopg.OperationalError as error:
        if lost(error):
            raise CommitSent from error
        raise


@contextmanager
def reading(connection: Connection) -> Iterator[None]:
    """One state of the database for every question inside; fixed by the first of them.

    Statements are gathered and sent when an answer is wanted: the beginning travels with the first question.
    """
    with connection.pipeline():
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield
        connection.execute("COMMIT")
