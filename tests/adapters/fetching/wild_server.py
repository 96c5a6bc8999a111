"""A server that misbehaves: what it sends is told byte by byte, and when it is silent it waits until it is released."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

Behaviour = Callable[["Visit"], Awaitable[None]]


class Visit:
    """One connection, once the head of its request was read."""

    def __init__(self, writer: asyncio.StreamWriter, released: asyncio.Event) -> None:
        self._writer = writer
        self._released = released

    async def send(self, *pieces: bytes | str) -> None:
        for piece in pieces:
            self._writer.write(piece.encode() if isinstance(piece, str) else piece)
            await self._writer.drain()

    async def answer(self, body: bytes = b"", *, status: str = "200 OK", **headers: str) -> None:
        """A whole and honest answer, unless the headers say otherwise."""
        named = {"content_length": str(len(body))} | headers
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in named.items()]
        await self.send("\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]), body)

    async def silence(self, *, at_most_s: float | None = None) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(at_most_s):
                await self._released.wait()

    @property
    def is_over(self) -> bool:
        return self._released.is_set()


class WildServer:
    """`heads` are the requests that came, `connections` counts those that did not even ask."""

    def __init__(self) -> None:
        self.behaviours: dict[str, Behaviour] = {}
        self.heads: list[str] = []
        self.connections = 0
        self.port = 0
        self._released = asyncio.Event()
        self._visits: set[asyncio.Task[None]] = set()

    @property
    def paths(self) -> list[str]:
        return [head.split(" ")[1] for head in self.heads]

    def says(self, path: str, behaviour: Behaviour) -> None:
        self.behaviours[path] = behaviour

    def answers(self, path: str, body: bytes = b"", *, status: str = "200 OK", **headers: str) -> None:
        self.says(path, lambda visit: visit.answer(body, status=status, **headers))

    def redirects(self, path: str, to: str, *, status: str = "302 Found") -> None:
        self.answers(path, status=status, location=to)

    async def visited(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._visits.add(task)
        self.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.heads.append(head)
            visit = Visit(writer, self._released)
            await self.behaviours[head.split(" ")[1]](visit)
        writer.close()

    async def end(self) -> None:
        self._released.set()
        await asyncio.gather(*self._visits)


@asynccontextmanager
async def wild_server(address: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> AsyncIterator[WildServer]:
    wild = WildServer()
    server = await asyncio.start_server(wild.visited, address, 0, ssl=tls)
    wild.port = server.sockets[0].getsockname()[1]
    try:
        yield wild
    finally:
        server.close()
        await wild.end()


class Names:
    """In the place of DNS. Each look-up of a host takes its next answer; the last is given for ever."""

    def __init__(self, **hosts: list[list[str]]) -> None:
        self._hosts = {host.replace("_", "."): answers for host, answers in hosts.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        if host[0].isdigit() or ":" in host:
            return [host]
        answers = self._hosts.get(host.rstrip("."))
        if answers is None:
            raise OSError("no such name")
        return answers.pop(0) if len(answers) > 1 else answers[0]
