"""A door over each real engine in turn, in process: what nearly every test here talks to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from tests.core.memories import digest_all
from tests.wire.doors import ports_at
from yiku.core.access import KeyRing, create_admin_key
from yiku.model.limits import Limits
from yiku.model.principal import Principal
from yiku.ports import Clock, Embedder, Ports
from yiku.wire.http import Edge, no_such_path, plain_refusal
from yiku.wire.opensearch_mcp.routes import PATH, OpenSearchMcp

URL = "http://localhost"


class Door:
    """One running door and a client of it."""

    def __init__(self, ports: Ports, app: Starlette, client: httpx.AsyncClient, key: str) -> None:
        self.ports = ports
        self.app = app
        self.client = client
        self.key = key

    async def post(self, body: bytes | str, *, path: str = PATH, **headers: Any) -> httpx.Response:
        """A request with the documented headers; a keyword changes one, None leaves it out."""
        sent: dict[str, str | None] = {
            "authorization": f"Bearer {self.key}",
            "content-type": "application/json",
            "accept": "application/json",
        }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        given = {name: value for name, value in sent.items() if value is not None}
        return await self.client.post(path, content=body, headers=given)

    async def rpc(self, method: str, params: Any = None, *, id: Any = 1, **headers: Any) -> httpx.Response:
        message = {"jsonrpc": "2.0", "id": id, "method": method} | ({} if params is None else {"params": params})
        return await self.post(httpx.Request("POST", URL, json=message).content, **headers)

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured content of a call that succeeds."""
        result = await self.result(tool, arguments)
        assert result["isError"] is False, result
        content: dict[str, Any] = result["structuredContent"]
        return content

    async def result(self, tool: str, arguments: Any) -> dict[str, Any]:
        response = await self.rpc("tools/call", {"name": tool, "arguments": arguments})
        assert response.status_code == 200, response.text
        result: dict[str, Any] = response.json()["result"]
        return result

    async def work(self) -> None:
        """Do all the background work that waits."""
        await digest_all(self.ports)

    async def remember(self, messages: Any, user_id: str = "u", **more: Any) -> list[str]:
        """Add, wait until it is digested, and return the memories' ids."""
        event = await self.call("memory_add", messages=messages, user_id=user_id, **more)
        await self.work()
        status = await self.call("memory_event_status_get", event_id=event["event_id"])
        assert status["status"] == "SUCCEEDED", status
        ids: list[str] = status["memory_ids"]
        return ids


@asynccontextmanager
async def open_door(
    place: str | Path,
    *,
    limits: Limits | None = None,
    anonymous: Principal | None = None,
    embedder: Embedder | None = None,
    clock: Clock | None = None,
) -> AsyncIterator[Door]:
    async with AsyncExitStack() as stack:
        ports = await stack.enter_async_context(ports_at(place, limits=limits, embedder=embedder, clock=clock))
        mcp = OpenSearchMcp(ports, KeyRing(ports), allowed_hosts=["memory.example"], anonymous=anonymous)
        await stack.enter_async_context(mcp.running())
        elsewhere = Edge(
            no_such_path, allowed_hosts=(), new_id=lambda: ports.clock.new_id("req-"), render=plain_refusal
        )
        app = Starlette(routes=[*mcp.routes, Route("/{path:path}", elsewhere)])
        client = await stack.enter_async_context(httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL))
        yield Door(ports, app, client, await create_admin_key(ports))


@pytest.fixture
async def door(place: str) -> AsyncIterator[Door]:
    async with _in_one_task(open_door(place)) as door:
        yield door


@asynccontextmanager
async def _in_one_task(context: Any) -> AsyncIterator[Door]:
    """The SDK's task groups must be left by the task that entered them; a fixture is set up and torn down by two."""
    opened: asyncio.Future[Door] = asyncio.get_running_loop().create_future()
    close = asyncio.Event()

    async def hold() -> None:
        async with context as door:
            opened.set_result(door)
            await close.wait()

    holder = asyncio.create_task(hold())
    holder.add_done_callback(lambda _: opened.done() or opened.cancel())
    with suppress(asyncio.CancelledError):
        await opened
    if holder.done():
        await holder
    yield opened.result()
    close.set()
    await holder
