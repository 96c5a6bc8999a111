"""How connections are opened, and how a call gets one: a thread and a connection each, while it runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
import structlog
from pgvector.psycopg.halfvec import register_halfvec_info
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types import TypeInfo
from psycopg_pool import ConnectionPool, PoolTimeout

from yiku.adapters.postgres.failures import translated_errors
from yiku.model.errors import StorageUnavailable

log = structlog.get_logger()

Connection = psycopg.Connection[tuple[Any, ...]]

_WAITING_MAX = 4_096
"""Calls that may wait; beyond it they are refused at once instead of piling up behind a slow server."""
_CONNECT_S = 5
_CONNECTION_WAIT_S = 5.0
"""How long a call waits for a connection while the server is away: longer than a restart takes."""
_RECONNECT_S = 4.0
"""For so long a lost connection is tried again by itself; after that the next call that needs one tries."""

T = TypeVar("T")


class CommitSent(Exception):
    """The connection was lost after the commit was sent: nobody knows whether it was applied."""


def conninfo(url: str, *, deadline_s: float) -> str:
    """The address with what every connection of ours has: durable, no wait without an end, no lock held idly.

    What the address itself says wins, except for the promises to callers.
    """
    milliseconds = int(deadline_s * 1000)
    promises = {
        "statement_timeout": milliseconds,
        "lock_timeout": milliseconds,
        "idle_in_transaction_session_timeout": 2 * milliseconds,
        "synchronous_commit": "on",
        "timezone": "UTC",
        "jit": "off",
    }
    given = conninfo_to_dict(url)
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


class Connections:
    """`count` threads with as many connections. Each call has one of each, from its start to its end."""

    def __init__(self, url: str, *, name: str, count: int, deadline_s: float, halfvec: TypeInfo) -> None:
        self._deadline_s = deadline_s
        self._waiting = 0
        self._threads = ThreadPoolExecutor(count, thread_name_prefix=f"yiku-postgres-{name}")
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            conninfo(url, deadline_s=deadline_s),
            kwargs={"autocommit": True},
            min_size=1,
            max_size=count,
            configure=lambda connection: register_halfvec_info(connection, halfvec),
            reconnect_timeout=_RECONNECT_S,
            timeout=deadline_s,
            name=name,
            open=False,
        )
        self._pool.open()

    async def run(self, action: Callable[[Connection], T], *, deadline_s: float | None = None) -> T:
        """What `action` returns. It may be called twice: a connection that turns out to be dead is replaced."""
        allowed_s = deadline_s or self._deadline_s
        if self._waiting >= _WAITING_MAX:
            raise StorageUnavailable("The database cannot keep up with the calls that wait: try again.")
        self._waiting += 1
        answer = asyncio.get_running_loop().run_in_executor(self._threads, self._answer, action, time.monotonic())
        answer.add_done_callback(self._answered)
        try:
            async with asyncio.timeout(allowed_s):
                return await answer
        except TimeoutError as error:
            raise StorageUnavailable(
                f"The store did not answer within {allowed_s:g} seconds; a change may still be applied."
            ) from error

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._pool.close)

    def _answered(self, answer: asyncio.Future[Any]) -> None:
        self._waiting -= 1

    def _answer(self, action: Callable[[Connection], T], asked: float) -> T:
        # Whoever asked has given up by now: doing it all the same would only make the next ones late.
        left_s = asked + self._deadline_s - time.monotonic()
        if left_s <= 0:
            raise StorageUnavailable("The database cannot keep up with the calls that wait: try again.")
        with translated_errors():
            try:
                return self._once(action, left_s)
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                if not _again(error):
                    raise
                log.info("postgres_reconnects", said=str(error))
            # The others of the pool are likely to be just as dead.
            self._pool.check()
            return self._once(action, left_s)

    def _once(self, action: Callable[[Connection], T], wait_s: float) -> T:
        with self._pool.connection(timeout=min(wait_s, _CONNECTION_WAIT_S)) as connection:
            try:
                return action(connection)
            except CommitSent as sent:
                raise StorageUnavailable(
                    "The connection to the database was lost while a change was confirmed; it may have been applied."
                ) from sent.__cause__
            finally:
                if not connection.closed:
                    connection.rollback()


def _again(error: psycopg.Error) -> bool:
    """Whether a second try on another connection can do better: this one was lost, or was the victim of a deadlock."""
    if isinstance(error, psycopg.errors.DeadlockDetected):
        return True
    lost = error.sqlstate is None or error.sqlstate[:2] in ("08", "57")
    return lost and not isinstance(error, psycopg.errors.QueryCanceled | PoolTimeout)


@contextmanager
def reading(connection: Connection) -> Iterator[None]:
    """One state of the database for every question inside; fixed by the first of them."""
    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    yield
    connection.execute("COMMIT")
