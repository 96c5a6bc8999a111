"""How does a test pull the server away from under clients that go on running?"""

from __future__ import annotations

import asyncio
from typing import Literal

from tests.postgres.server import Server


class PrivateServer:
    """A server that belongs to one test. Nothing here blocks the loop, for its clients live on it."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def url(self, database: str = "postgres") -> str:
        return self._server.url(database)

    async def kill(self) -> None:
        """As `Server.kill`; it can be started again at once."""
        await asyncio.to_thread(self._server.kill)

    async def start(self) -> None:
        """Back from a kill or a stop, with what had been committed."""
        await asyncio.to_thread(self._server.start)

    async def stop(self, mode: Literal["smart", "fast", "immediate"] = "fast") -> None:
        await asyncio.to_thread(self._server.stop, mode)
