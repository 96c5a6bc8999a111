"""Which calls an engine is in the middle of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from yiku.model.errors import StorageUnavailable


class RunningCalls:
    """Which calls are running: closing waits for them and refuses later ones."""

    def __init__(self) -> None:
        self._count = 0
        self._closed = False
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def running(self) -> Iterator[None]:
        if self._closed:
            raise StorageUnavailable("The store is closed.")
        self._count += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._idle.set()

    async def end(self) -> bool:
        """Wait until no call is running. False when somebody else has ended them already."""
        first, self._closed = not self._closed, True
        await self._idle.wait()
        return first
