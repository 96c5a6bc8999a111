"""The admin door beside a door of agents, over each engine in turn, in process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from tests.documents import open_documents
from tests.engines import open_place
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.core.access import KeyRing, create_admin_key
from yiku.core.rates import Rates
from yiku.model.limits import Limits
from yiku.ports import Ports
from yiku.wire.admin import PATH, Admin
from yiku.wire.opensearch_rest import OpenSearchRest

URL = "http://localhost"
MEMORIES = "/v4/openapi/workspaces/{workspace}/memory/agentic-memory/memories"


class Doors:
    """What an admin and an agent talk to. The clock stands still until it is told to move."""

    def __init__(self, ports: Ports, clock: ManualClock, keys: KeyRing, client: httpx.AsyncClient, key: str) -> None:
        self.ports = ports
        self.clock = clock
        self.keys = keys
        self.client = client
        self.key = key

    async def ask(self, method: str, path: str, *, key: str | None = None, **given: Any) -> httpx.Response:
        """A request to the admin door, as the first admin unless another key is given."""
        headers = {"Authorization": f"Bearer {key or self.key}"} | given.pop("headers", {})
        return await self.client.request(method, PATH + path, headers=headers, **given)

    async def done(self, method: str, path: str, **given: Any) -> Any:
        """The body of a request that succeeds."""
        response = await self.ask(method, path, **given)
        assert response.status_code in (200, 201), response.text
        return response.json()

    async def agent(self, key: str, *, workspace: str = "default", user_id: str = "u1") -> httpx.Response:
        """What an agent with this key is told when it asks for a user's memories."""
        return await self.client.post(
            MEMORIES.format(workspace=workspace) + "/search",
            json={"query": "tea", "filters": {"AND": [{"user_id": user_id}]}},
            headers={"Authorization": f"Bearer {key}"},
        )

    async def remember(self, user_id: str) -> None:
        """Something of this user, put in by an admin key."""
        response = await self.client.post(
            MEMORIES.format(workspace="default") + "/add",
            json={"messages": "I like tea", "user_id": user_id},
            headers={"Authorization": f"Bearer {self.key}"},
        )
        assert response.status_code == 200


def failure(response: httpx.Response) -> Mapping[str, Any]:
    """The body of an error, which has this door's shape."""
    body: dict[str, Any] = response.json()
    assert body.keys() - {"field"} == {"code", "message", "request_id"}
    assert body["request_id"] == response.headers["x-request-id"]
    return body


@pytest.fixture
async def doors(place: str) -> AsyncIterator[Doors]:
    """Without documents: that part of the server is turned off."""
    async with _open(place, with_documents=False) as doors:
        yield doors


@pytest.fixture
async def library(place: str) -> AsyncIterator[Doors]:
    """With documents, and small limits."""
    async with _open(place, with_documents=True) as doors:
        yield doors


@asynccontextmanager
async def _open(place: str, *, with_documents: bool) -> AsyncIterator[Doors]:
    clock, limits = ManualClock(), Limits(document_bytes=1024 * 1024)
    storage, embedder = await open_place(place, clock=clock, limits=limits), HashedEmbedder()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(storage.close)
        documents = None
        if with_documents:
            documents = await stack.enter_async_context(open_documents(storage, clock, embedder))
        ports = Ports(storage=storage, embedder=embedder, clock=clock, limits=limits, documents=documents)
        keys = KeyRing(ports, rates=Rates(per_key=1_000, per_user=5))
        admin = Admin(ports, keys, settings=[{"name": "port", "value": 8787, "source": "default"}])
        app = Starlette(routes=[*admin.routes, *OpenSearchRest(ports, keys).routes])
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL)
        await stack.enter_async_context(client)
        yield Doors(ports, clock, keys, client, await create_admin_key(ports))
