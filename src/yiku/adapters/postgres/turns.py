"""Commits of one partition take turns before they take a thread: they would only queue for its lock there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from yiku.model.errors import StorageUnavailable
from yiku.model.scopes import Partition

_WAITING_MAX = 4_096
"""Commits that may wait; beyond it they are refused at once instead of piling up."""


class Turns:
    def __init__(self, *, deadline_s: float) -> None:
        self._deadline_s = deadline_s
        self._waiting = 0
        # Kept by those who wait or work, and by nobody else.
        self._locks: WeakValueDictionary[Partition, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def of(self, partition: Partition) -> AsyncIterator[float]:
        """Gives the seconds that are left; raises `StorageUnavailable` when the turn does not come in time."""
        ends = asyncio.get_running_loop().time() + self._deadline_s
        if self._waiting >= _WAITING_MAX:
            raise StorageUnavailable("The database cannot keep up with the changes that wait: try again.")
        lock = self._locks.setdefault(partition, asyncio.Lock())
        self._waiting += 1
        try:
            async with asyncio.timeout(self._deadline_s):
                await lock.acquire()
        except TimeoutError as error:
            raise StorageUnavailable("Too many changes of the same user are waiting: try again.") from error
        finally:
            self._waiting -= 1
        try:
            yield max(ends - asyncio.get_running_loop().time(), 0.001)
        finally:
            lock.release()
