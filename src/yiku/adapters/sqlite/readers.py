"""How questions are answered: a few threads, each with its own read-only connection and one snapshot a call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import local
from typing import TypeVar

import apsw

from yiku.adapters.sqlite.connections import open_connection, translated_errors
from yiku.model.errors import StorageUnavailable

_THREADS = 4
"""Reads rarely wait for the disk; more threads would only compete for the interpreter."""
_STEPS_BETWEEN_CHECKS = 50_000
"""SQLite steps between two looks at the clock: some milliseconds."""

T = TypeVar("T")


class Readers:
    def __init__(self, path: Path, *, deadline_s: float) -> None:
        self._path = path
        self._deadline_s = deadline_s
        self._thread = local()
        self._connections: list[apsw.Connection] = []
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="yiku-sqlite-reader")

    async def run(self, question: Callable[[apsw.Connection], T], *, deadline_s: float | None = None) -> T:
        """What `question` returns; it opens its own transaction."""
        allowed_s = deadline_s or self._deadline_s
        answer = asyncio.get_running_loop().run_in_executor(self._pool, self._answer, question, allowed_s)
        try:
            async with asyncio.timeout(allowed_s):
                return await answer
        except TimeoutError as error:
            raise StorageUnavailable(f"The store did not answer within {allowed_s:g} seconds: try again.") from error

    async def close(self) -> None:
        await asyncio.to_thread(self._pool.shutdown)
        for connection in self._connections:
            connection.close()

    def _answer(self, question: Callable[[apsw.Connection], T], allowed_s: float) -> T:
        with translated_errors():
            connection = self._connection()
            ends = time.monotonic() + allowed_s
            # Nobody waits for the answer any more, and there are few threads: a hopeless query must give its one back.
            connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS_BETWEEN_CHECKS)
            return question(connection)

    def _connection(self) -> apsw.Connection:
        held: apsw.Connection | None = getattr(self._thread, "connection", None)
        if held is None:
            held = open_connection(self._path, read_only=True)
            self._thread.connection = held
            self._connections.append(held)
        return held
