"""A server of ours in its own process, as a user would start it, and what the system says about it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEY = "bench-key-of-the-benchmarks"
ENDPOINT = "/v1/agentic-memory/mcp"


@dataclass(frozen=True, slots=True)
class Server:
    pid: int
    port: int
    ready_s: float
    """From the start of the process to its first good answer."""

    def cpu_s(self) -> float:
        """Processor time used so far, in all threads."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mb(self) -> float:
        lines = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


class Connection:
    """One kept-alive HTTP connection; far cheaper than a client library, so that we measure the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: int) -> Connection:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The structured result of one tool call, as the seed's curl would make it."""
        params = {"name": tool, "arguments": arguments}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        answer = json.loads(await self.send("POST", ENDPOINT, body))
        if answer["result"]["isError"]:
            raise RuntimeError(answer["result"]["content"][0]["text"])
        result: dict[str, Any] = answer["result"]["structuredContent"]
        return result

    async def send(self, method: str, path: str, body: bytes = b"") -> bytes:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {KEY}\r\n"
            f"Content-Type: application/json\r\nAccept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        if not answer.startswith("http/1.1 200"):
            raise RuntimeError(answer)
        length = next(int(line.split(":")[1]) for line in answer.split("\r\n") if line.startswith("content-length"))
        return await self._reader.readexactly(length)

    def close(self) -> None:
        self._writer.close()


@asynccontextmanager
async def running_server(folder: Path, **settings: str) -> AsyncIterator[Server]:
    """Start `yiku serve` on a data folder and wait until it is ready; stop it gracefully at the end."""
    names = {"YIKU_API_KEY": KEY, "YIKU_PORT": "0", "YIKU_DATA_DIR": str(folder)}
    names |= {f"YIKU_{name.upper()}": value for name, value in settings.items()}
    start = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "yiku", "serve", env={**os.environ, **names}, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        greeting = (await process.stdout.readline()).decode()
        port = int(greeting.rsplit(":", 1)[1])
        connection = await Connection.open(port)
        await connection.send("GET", "/healthz")
        connection.close()
        yield Server(process.pid, port, time.perf_counter() - start)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
