"""How does a test stand between clients and their PostgreSQL server, and cut, lose or stop what they say?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from enum import Enum, auto

from psycopg.conninfo import conninfo_to_dict, make_conninfo

_CHUNK = 2**16


class Side(Enum):
    """Who says something."""

    CLIENT = auto()
    SERVER = auto()


Loss = Callable[[Side, bytes], bool]
"""Whether this is lost, and the connection with it. What one side says at once may come in several pieces."""


class Proxy:
    """Passes on all that is said, until it is told otherwise. The test and its clients may share the loop."""

    def __init__(self, server_url: str) -> None:
        self._server = conninfo_to_dict(server_url)
        self._links: set[_Link] = set()
        self._serving: set[asyncio.Task[object]] = set()
        self._silenced: list[asyncio.Event] = []
        self._passing = asyncio.Event()
        self._passing.set()
        self._loss: Loss | None = None
        self._pieces_left: int | None = None
        self._listening: asyncio.Server | None = None
        self.trips = 0
        """How often a client spoke after the server had."""

    @property
    def url(self) -> str:
        assert self._listening is not None
        host, port = self._listening.sockets[0].getsockname()[:2]
        # Plain text, so that a test can read along.
        there = self._server | {"host": host, "port": port, "sslmode": "disable", "gssencmode": "disable"}
        return make_conninfo(**there)

    def cut(self) -> None:
        """End every connection without a word."""
        for link in list(self._links):
            link.abort()

    def cut_after(self, pieces: int) -> None:
        """Cut when so many more pieces have been passed on."""
        self._pieces_left = pieces

    def lose(self, loss: Loss) -> None:
        """Lose the first piece that `loss` says yes to."""
        self._loss = loss

    def stop_passing(self) -> None:
        """Keep all connections open, take new ones, and pass nothing on."""
        self._passing.clear()

    def pass_again(self, *, old: bool = True) -> None:
        """Also what was held back, unless the `old` connections shall stay silent."""
        if not old:
            self._silenced.append(self._passing)
            self._passing = asyncio.Event()
        self._passing.set()

    async def start(self) -> None:
        self._listening = await asyncio.start_server(self._accept, "127.0.0.1", 0)

    async def close(self) -> None:
        assert self._listening is not None
        self._listening.close()
        self.cut()
        for gate in (self._passing, *self._silenced):
            gate.set()
        await asyncio.gather(*self._serving)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            server_reader, server_writer = await self._connect()
        except OSError:
            writer.transport.abort()
            return
        link = _Link(writer, server_writer)
        self._links.add(link)
        await asyncio.gather(
            self._pass_on(Side.CLIENT, reader, server_writer, link),
            self._pass_on(Side.SERVER, server_reader, writer, link),
        )
        self._links.discard(link)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = str(self._server["host"]), int(self._server.get("port") or 5432)
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _pass_on(
        self, side: Side, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: _Link
    ) -> None:
        passing = self._passing
        with suppress(OSError):
            while said := await reader.read(_CHUNK):
                await passing.wait()
                self.trips += link.turned(side)
                if self._loses(side, said):
                    break
                writer.write(said)
                await writer.drain()
        link.abort()

    def _loses(self, side: Side, said: bytes) -> bool:
        if self._pieces_left is not None:
            self._pieces_left -= 1
            if self._pieces_left < 0:
                self._pieces_left = None
                self.cut()
                return True
        if self._loss is not None and self._loss(side, said):
            self._loss = None
            return True
        return False


class _Link:
    """One client's connection and ours to the server."""

    def __init__(self, *writers: asyncio.StreamWriter) -> None:
        self._writers = writers
        self._spoke: Side | None = None

    def turned(self, side: Side) -> bool:
        """Whether the client begins to speak."""
        before, self._spoke = self._spoke, side
        return side is Side.CLIENT and before is not Side.CLIENT

    def abort(self) -> None:
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def running_proxy(server_url: str) -> AsyncIterator[Proxy]:
    proxy = Proxy(server_url)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.close()
