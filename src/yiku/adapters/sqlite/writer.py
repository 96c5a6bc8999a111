"""How changes reach the disk: one thread that writes, and takes all that wait into one flush (group commit)."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import apsw

from yiku.adapters.sqlite.connections import savepoint, transaction, translated_errors, unavailable, value_of
from yiku.engine.times import microseconds
from yiku.model.errors import StorageUnavailable, YikuError
from yiku.ports.clock import Clock

_WAITING_MAX = 4_096
"""Writes that may wait; beyond it they are refused at once instead of piling up behind a slow disk."""
_GROUP_MAX = 256
"""Writes of one transaction: enough that the flush no longer counts, few enough that none waits long."""

T = TypeVar("T")


class WriteTransaction:
    """An open write transaction: its connection, its time, and the sequence numbers that it gives out."""

    def __init__(self, connection: apsw.Connection, clock: Clock) -> None:
        self.connection = connection
        self.clock = clock
        self.now = microseconds(clock.now())
        self._stored = self._sequence = int(value_of(connection, "SELECT value FROM meta WHERE name = 'sequence'"))

    def next_sequence(self) -> int:
        self._sequence += 1
        return self._sequence

    def end(self) -> None:
        """Keep the counter. An idle poll for jobs changes nothing, and must not cost a flush."""
        if self._sequence != self._stored:
            self.connection.execute("UPDATE meta SET value = ? WHERE name = 'sequence'", (self._sequence,))


@dataclass(frozen=True, slots=True)
class _Write:
    action: Callable[[WriteTransaction], Any]
    answer: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class _Outcome:
    write: _Write
    result: Any = None
    error: Exception | None = None


class Writer:
    def __init__(self, connection: apsw.Connection, clock: Clock, *, path: Path, deadline_s: float) -> None:
        self._connection = connection
        self._clock = clock
        self._path = path
        self._file = path.stat().st_ino
        self._deadline_s = deadline_s
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.Queue[_Write | None] = queue.Queue(_WAITING_MAX)
        self._ending = False
        self._thread = Thread(target=self._run, name="yiku-sqlite-writer", daemon=True)
        self._thread.start()

    async def run(self, action: Callable[[WriteTransaction], T]) -> T:
        """What `action` returns, once its changes are on disk; its error, with nothing changed."""
        if not self._thread.is_alive():
            raise StorageUnavailable("The store stopped writing after an error of its own: restart Yiku.")
        answer: asyncio.Future[T] = self._loop.create_future()
        try:
            self._waiting.put_nowait(_Write(action, answer))
        except queue.Full as error:
            raise StorageUnavailable("The disk cannot keep up with the changes that wait: try again.") from error
        try:
            async with asyncio.timeout(self._deadline_s):
                return await answer
        except TimeoutError as error:
            raise StorageUnavailable(
                f"The store did not confirm the change within {self._deadline_s:g} seconds; it may still be applied."
            ) from error

    async def close(self) -> None:
        """Apply what waits, then end the thread and its connection."""
        await asyncio.to_thread(self._waiting.put, None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        try:
            while not self._ending:
                self._apply(self._next_group())
        finally:
            # The last connection to close moves the write-ahead log into the database file.
            self._connection.close()

    def _next_group(self) -> list[_Write]:
        group: list[_Write] = []
        write = self._waiting.get()
        while write is not None:
            group.append(write)
            if len(group) == _GROUP_MAX:
                return group
            try:
                write = self._waiting.get_nowait()
            except queue.Empty:
                return group
        self._ending = True
        return group

    def _apply(self, group: list[_Write]) -> None:
        # Whoever gave up before we began is told no lie if the change never happens.
        wanted = [write for write in group if not write.answer.cancelled()]
        if not wanted:
            return
        try:
            self._check_place()
            with translated_errors(), transaction(self._connection, "IMMEDIATE"):
                state = WriteTransaction(self._connection, self._clock)
                outcomes = [self._attempt(write, state) for write in wanted]
                state.end()
        except StorageUnavailable as error:
            outcomes = [_Outcome(write, error=error) for write in wanted]
        # Only now: an answer means that the change is on disk.
        self._loop.call_soon_threadsafe(_resolve, outcomes)

    def _check_place(self) -> None:
        """SQLite goes on writing into a file that was deleted or moved; after the next start it would all be gone."""
        try:
            in_place = self._path.stat().st_ino == self._file
        except OSError:
            in_place = False
        if not in_place:
            raise StorageUnavailable(
                "The database file was moved or deleted while the server was running: put it back, or restart."
            )

    def _attempt(self, write: _Write, state: WriteTransaction) -> _Outcome:
        try:
            with savepoint(self._connection):
                return _Outcome(write, result=write.action(state))
        except YikuError as error:
            return _Outcome(write, error=error)
        except apsw.Error as error:
            if not self._connection.in_transaction:
                raise
            return _Outcome(write, error=unavailable(error))
        except (TypeError, ValueError, ArithmeticError) as error:
            # A value that SQLite cannot hold is a mistake of that caller; it must not end the thread all others need.
            return _Outcome(write, error=error)


def _resolve(outcomes: list[_Outcome]) -> None:
    for outcome in outcomes:
        answer = outcome.write.answer
        if answer.done():
            continue
        if outcome.error is not None:
            answer.set_exception(outcome.error)
        else:
            answer.set_result(outcome.result)
