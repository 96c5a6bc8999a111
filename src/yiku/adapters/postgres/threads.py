"""How a call gets to run: a thread and a connection of the pool, until it ends or its deadline comes."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar

import psycopg
import structlog
from pgvector.psycopg.halfvec import register_halfvec_info
from psycopg import errors
from psycopg.types import TypeInfo
from psycopg_pool import ConnectionPool

from yiku.adapters.postgres.connections import CommitSent, Connection, conninfo, lost
from yiku.adapters.postgres.failures import translated_errors
from yiku.model.errors import StorageUnavailable

log = structlog.get_logger()

_WAITING_MAX = 4_096
"""Calls that may wait; beyond it they are refused at once instead of piling up behind a slow server."""
_CONNECTION_WAIT_S = 5.0
"""How long a call waits for a connection while the server is away: longer than a restart takes."""
_RECONNECT_S = 4.0
"""For so long a lost connection is tried again by itself; after that the next call that needs one tries."""

T = TypeVar("T")


class Threads:
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
        call = _Call(time.monotonic() + allowed_s)
        answer = asyncio.get_running_loop().run_in_executor(self._threads, self._answer, action, call)
        answer.add_done_callback(self._answered)
        try:
            async with asyncio.timeout(allowed_s):
                return await answer
        except TimeoutError as error:
            call.give_up()
            raise StorageUnavailable(
                f"The store did not answer within {allowed_s:g} seconds; a change may still be applied."
            ) from error

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._pool.close)

    def _answered(self, answer: asyncio.Future[Any]) -> None:
        self._waiting -= 1

    def _answer(self, action: Callable[[Connection], T], call: _Call) -> T:
        with translated_errors():
            try:
                return self._once(action, call)
            except (errors.DeadlockDetected, errors.ReadOnlySqlTransaction) as error:
                log.info("postgres_tries_again", said=str(error))
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                if not lost(error):
                    raise
                log.info("postgres_tries_again", said=str(error))
                # The others of the pool are likely to be just as dead. Asking each could take as long as this call did.
                self._pool.drain()
            return self._once(action, call)

    def _once(self, action: Callable[[Connection], T], call: _Call) -> T:
        # Whoever asked may have given up by now: doing it all the same would only make the next ones late.
        with self._pool.connection(timeout=min(call.left_s, _CONNECTION_WAIT_S)) as connection:
            call.begin(connection)
            try:
                return action(connection)
            except CommitSent as sent:
                raise StorageUnavailable(
                    "The connection to the database was lost while a change was confirmed; it may have been applied."
                ) from sent.__cause__
            except errors.ReadOnlySqlTransaction:
                # A server that was a standby a moment ago may take changes now, but not in this session.
                connection.close()
                raise
            finally:
                _leave_clean(connection)
                call.end()


def _leave_clean(connection: Connection) -> None:
    try:
        if not connection.closed:
            connection.rollback()
    except psycopg.Error:
        connection.close()


class _Call:
    """Which connection a call is using, so that whoever gives up on it can have its thread back."""

    def __init__(self, ends: float) -> None:
        self._ends = ends
        self._lock = Lock()
        self._connection: Connection | None = None
        self._given_up = False

    @property
    def left_s(self) -> float:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise StorageUnavailable("The database cannot keep up with the calls that wait: try again.")
        return left

    def begin(self, connection: Connection) -> None:
        with self._lock:
            if self._given_up:
                raise StorageUnavailable("The caller has stopped waiting.")
            self._connection = connection

    def end(self) -> None:
        with self._lock:
            self._connection = None

    def give_up(self) -> None:
        """End a wait for a server that is silent: PostgreSQL's own deadlines need one that speaks."""
        with self._lock:
            self._given_up = True
            if self._connection is not None and not self._connection.closed:
                with socket.socket(fileno=os.dup(self._connection.fileno())) as wire, suppress(OSError):
                    wire.shutdown(socket.SHUT_RDWR)
