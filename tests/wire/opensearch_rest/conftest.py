"""A REST door over each real engine in turn, in process: what nearly every test here talks to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from tests.core.memories import digest_all
from tests.wire.doors import ports_at
from yiku.core.access import KeyRing, create_admin_key
from yiku.model.limits import Limits
from yiku.model.principal import Principal
from yiku.ports import Clock, Embedder, Ports
from yiku.wire.opensearch_rest import OpenSearchRest

URL = "http://localhost"
V4 = "/v4/openapi/workspaces/default/memory/agentic-memory"
V3 = "/v3/openapi/workspaces/default/memory/agentic-memory"
FIVE_KEYS = ["request_id", "latency", "code", "http_code", "message"]


class Door:
    """One running door and a client of it."""

    def __init__(self, ports: Ports, app: Starlette, client: httpx.AsyncClient, key: str) -> None:
        self.ports = ports
        self.app = app
        self.client = client
        self.key = key

    async def send(
        self, method: str, path: str, body: bytes | str | None = None, **headers: str | None
    ) -> httpx.Response:
        """A request with the documented headers; a keyword changes one, None leaves it out."""
        sent: dict[str, str | None] = {"authorization": f"Bearer {self.key}"}
        if body is not None:
            sent["content-type"] = "application/json"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        given = {name: value for name, value in sent.items() if value is not None}
        return await self.client.request(method, path, content=body, headers=given)

    async def ask(self, method: str, path: str, body: Any = None, **headers: str | None) -> httpx.Response:
        """The same with a JSON body, below the V4 base."""
        content = None if body is None else httpx.Request("POST", URL, json=body).content
        return await self.send(method, V4 + path, content, **headers)

    async def call(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """The answer of a call that succeeds."""
        response = await self.ask(method, path, body)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    async def ask_v3(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """With a JSON body below the V3 base."""
        return await self.send(
            method, V3 + path, None if body is None else httpx.Request("POST", URL, json=body).content
        )

    async def result(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """What stands in the envelope of a V3 call that succeeds."""
        response = await self.ask_v3(method, path, body)
        assert response.status_code == 200, response.text
        answer = response.json()
        assert list(answer) == ["request_id", "latency", "status", "result"]
        assert (answer["status"], answer["request_id"]) == ("OK", response.headers["x-request-id"])
        result: dict[str, Any] = answer["result"]
        return result

    async def work(self) -> None:
        """Do all the background work that waits."""
        await digest_all(self.ports)

    async def remember(self, messages: Any, user_id: str = "u", **more: Any) -> list[str]:
        """Add, wait until it is digested, and return the memories' ids."""
        event = await self.call("POST", "/memories/add", {"messages": messages, "user_id": user_id, **more})
        await self.work()
        ended = await self.call("GET", f"/events/{event['event_id']}")
        assert ended["status"] == "SUCCEEDED", ended
        ids: list[str] = ended["results"]
        return ids


@asynccontextmanager
async def open_door(
    place: Path | str,
    *,
    limits: Limits | None = None,
    anonymous: Principal | None = None,
    embedder: Embedder | None = None,
    clock: Clock | None = None,
) -> AsyncIterator[Door]:
    async with AsyncExitStack() as stack:
        ports = await stack.enter_async_context(ports_at(place, limits=limits, embedder=embedder, clock=clock))
        rest = OpenSearchRest(ports, KeyRing(ports), allowed_hosts=["memory.example"], anonymous=anonymous)
        app = Starlette(routes=rest.routes)
        client = await stack.enter_async_context(httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL))
        yield Door(ports, app, client, await create_admin_key(ports))


@pytest.fixture
async def door(place: str) -> AsyncIterator[Door]:
    async with open_door(place) as door:
        yield door


def refusal(response: httpx.Response, status: int, code: str) -> str:
    """The message of an error, after checking its shape."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    error = response.json()
    assert list(error) == FIVE_KEYS
    assert (error["code"], error["http_code"], error["latency"]) == (code, status, 0)
    assert error["request_id"] == response.headers["x-request-id"]
    message: str = error["message"]
    return message
