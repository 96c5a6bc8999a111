"""Yiku as a user starts it: real processes, real sockets."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

STARTED_WITHIN_S = 60.0
KEY = "e2e-key-that-is-long-enough"
ENDPOINT = "/v1/agentic-memory/mcp"


@dataclass(frozen=True)
class Running:
    process: asyncio.subprocess.Process
    greeting: str
    url: str

    async def call(self, tool: str, arguments: dict[str, Any], key: str = KEY) -> dict[str, Any]:
        """The structured result of one tool call; fails the test when the tool reports an error."""
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        async with httpx.AsyncClient(timeout=30) as client:
            response = await client.post(self.url + ENDPOINT, json=body, headers=headers)
        result = response.json()["result"]
        assert result["isError"] is False, result
        structured: dict[str, Any] = result["structuredContent"]
        return structured

    async def settled(self, event_id: str, key: str = KEY) -> dict[str, Any]:
        """The event once it is over; the caller's deadline bounds the wait."""
        async with asyncio.timeout(STARTED_WITHIN_S):
            while True:
                event = await self.call("memory_event_status_get", {"event_id": event_id}, key)
                if event["status"] in ("SUCCEEDED", "FAILED"):
                    return event


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """The environment of a Yiku process: nothing of ours from outside, a fast embedder unless told otherwise."""
    names = {"DATA_DIR": str(folder), "PORT": "0", "EMBEDDER": "hashed"} | {k.upper(): v for k, v in settings.items()}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("YIKU_")}
    return kept | {f"YIKU_{name}": value for name, value in names.items()}


@asynccontextmanager
async def serving(folder: Path, **settings: str) -> AsyncIterator[Running]:
    """`yiku serve`, ready; stopped gracefully at the end unless the test has killed it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "yiku", "serve", env=environment(folder, **settings), cwd=folder.parent,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        async with asyncio.timeout(STARTED_WITHIN_S):
            lines = [await process.stdout.readline()]
            while lines[-1] and b"      -d" not in lines[-1]:
                lines.append(await process.stdout.readline())
        greeting = b"".join(lines).decode()
        url = re.search(r"listening on (\S+)", greeting)
        assert url is not None, greeting
        yield Running(process, greeting, url.group(1))
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def run(folder: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    """One command to its end: exit code, standard output, standard error."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "yiku", *arguments, env=environment(folder, **settings), cwd=folder.parent,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(STARTED_WITHIN_S):
        out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()
