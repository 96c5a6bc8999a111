"""A door over each real engine in turn, in process, with documents behind it.

The SDK's task groups must be left by the task that entered them, so each test opens its own door.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
from starlette.applications import Starlette

from tests.wire.doors import ports_at
from yiku.core.access import KeyRing, create_admin_key
from yiku.model.limits import Limits
from yiku.model.principal import Principal
from yiku.ports import Embedder, Ports
from yiku.wire.knowledge_mcp import PATH, KnowledgeMcp

URL = "http://localhost"


class Door:
    """One running door and a client of it."""

    def __init__(self, ports: Ports, app: Starlette, client: httpx.AsyncClient, key: str) -> None:
        self.ports = ports
        self.app = app
        self.client = client
        self.key = key

    async def post(self, body: bytes | str, *, path: str = PATH, **headers: str | None) -> httpx.Response:
        """A request with the usual headers; a keyword changes one, None leaves it out."""
        sent: dict[str, str | None] = {
            "authorization": f"Bearer {self.key}",
            "content-type": "application/json",
            "accept": "application/json",
        }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        given = {name: value for name, value in sent.items() if value is not None}
        return await self.client.post(path, content=body, headers=given)

    async def rpc(self, method: str, params: Any = None, *, path: str = PATH, **headers: str | None) -> httpx.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method} | ({} if params is None else {"params": params})
        return await self.post(json.dumps(message), path=path, **headers)

    async def result(self, **arguments: Any) -> dict[str, Any]:
        """The result of a call, whatever it is."""
        response = await self.rpc("tools/call", {"name": "search_knowledge", "arguments": arguments})
        assert response.status_code == 200, response.text
        result: dict[str, Any] = response.json()["result"]
        return result

    async def call(self, **arguments: Any) -> dict[str, Any]:
        """What stands in the text of a call that succeeds."""
        result = await self.result(**arguments)
        assert result["isError"] is False, result
        text: dict[str, Any] = json.loads(result["content"][0]["text"])
        return text

    async def refused(self, **arguments: Any) -> dict[str, Any]:
        """The envelope of a call that fails."""
        result = await self.result(**arguments)
        assert result.keys() == {"content", "isError"}, result
        assert result["isError"] is True
        envelope: dict[str, Any] = json.loads(result["content"][0]["text"])
        return envelope


@asynccontextmanager
async def open_door(
    place: str,
    *,
    limits: Limits | None = None,
    anonymous: Principal | None = None,
    embedder: Embedder | None = None,
    listed: bool = True,
    with_documents: bool = True,
) -> AsyncIterator[Door]:
    async with ports_at(place, limits=limits, embedder=embedder) as opened:
        ports = opened if with_documents else replace(opened, documents=None)
        mcp = KnowledgeMcp(ports, KeyRing(ports), anonymous=anonymous, listed=listed)
        app = Starlette(routes=mcp.routes)
        app.router.redirect_slashes = False
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL)
        async with mcp.running(), client:
            yield Door(ports, app, client, await create_admin_key(ports))
