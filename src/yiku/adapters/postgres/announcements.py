"""How servers tell each other that jobs may have become claimable: NOTIFY after a commit, LISTEN all the time.

Not inside the commit: a transaction that notifies holds a lock of the whole database while it is flushed, and commits
would no longer share flushes. A wake-up is a hint, so it may be lost with the server; and one hint a moment is enough.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import psycopg
import structlog

from yiku.adapters.postgres.connections import conninfo
from yiku.adapters.postgres.threads import Threads
from yiku.model.errors import StorageUnavailable

log = structlog.get_logger()

_CHANNEL = "yiku_jobs"
_GATHERED_S = 0.02
"""Commits within this time are announced together."""
_PAUSE_S = 1.0
"""Between two tries to reach a server that is gone. Workers look for jobs by themselves meanwhile."""


class Announcements:
    """Calls `heard` for the announcements of other servers; `name` tells ours from theirs."""

    def __init__(self, url: str, name: str, *, heard: Callable[[], None], threads: Threads, deadline_s: float) -> None:
        self._conninfo = conninfo(url, deadline_s=deadline_s)
        self._name = name
        self._heard = heard
        self._threads = threads
        self._due = asyncio.Event()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._send())]

    def announce(self) -> None:
        """Tell the others, soon."""
        self._due.set()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
                async with connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    # Whatever was announced while nobody listened.
                    self._heard()
                    async for notification in connection.notifies():
                        if notification.payload != self._name:
                            self._heard()
            except psycopg.Error as error:
                log.info("postgres_listening_again", said=str(error))
            await asyncio.sleep(_PAUSE_S)

    async def _send(self) -> None:
        while True:
            await self._due.wait()
            await asyncio.sleep(_GATHERED_S)
            self._due.clear()
            with suppress(StorageUnavailable):
                await self._threads.run(
                    lambda connection: connection.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, self._name))
                )
