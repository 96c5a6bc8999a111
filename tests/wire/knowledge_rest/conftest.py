"""Knowledge REST over each engine in turn, in process, with documents behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from tests.documents import ingest_all
from tests.wire.doors import ports_at
from yiku.core.access import KeyRing, create_admin_key
from yiku.core.keys import create_key
from yiku.core.knowledge.search_published import SearchPublished, search_published
from yiku.model.keys import NewKey
from yiku.model.principal import Permission, Principal
from yiku.ports import Ports
from yiku.wire.knowledge_rest import PATH, KnowledgeRest

URL = "http://localhost"
ADMIN = Principal(key_id="k", workspace="default", permissions=frozenset({"admin"}))


class Door:
    """What an author of knowledge talks to."""

    def __init__(self, ports: Ports, client: httpx.AsyncClient, key: str) -> None:
        self.ports = ports
        self.client = client
        self.key = key

    async def ask(self, method: str, path: str, *, key: str | None = None, **given: Any) -> httpx.Response:
        """A request with an admin key unless another is given."""
        headers = {"Authorization": f"Bearer {key or self.key}"} | given.pop("headers", {})
        return await self.client.request(method, PATH + path, headers=headers, **given)

    async def done(self, method: str, path: str, **given: Any) -> Any:
        """The body of a request that succeeds."""
        response = await self.ask(method, path, **given)
        assert response.status_code in (200, 201), response.text
        return response.json()

    async def base(self, base_id: str = "kb") -> str:
        """The path of a new base."""
        await self.done("POST", "/bases", json={"name": base_id, "id": base_id})
        return f"/bases/{base_id}"

    async def item(self, base: str, content: str, title: str = "Runbook") -> str:
        """The path of a new item whose text was read in."""
        made = await self.done("POST", f"{base}/items", json={"title": title, "content": content})
        await ingest_all(self.ports)
        return f"{base}/items/{made['id']}"

    async def published(self, item: str, revision_id: str | None = None) -> Any:
        """The item, once what was asked for is published."""
        await self.done("POST", f"{item}/publish", json={"revision_id": revision_id})
        await ingest_all(self.ports)
        return await self.done("GET", item)

    async def finds(self, text: str) -> list[str]:
        """The titles of what agents find."""
        found = await search_published(self.ports, ADMIN, SearchPublished(text=text, limit=10))
        return [hit.revision.title for hit in found.hits]

    async def new_key(self, *permissions: Permission, workspace: str = "default") -> str:
        made = await create_key(
            self.ports, ADMIN, NewKey(name="bot", permissions=frozenset(permissions), workspace=workspace)
        )
        return made.secret


def failure(response: httpx.Response) -> Mapping[str, Any]:
    """The body of an error, which has this door's shape."""
    body: dict[str, Any] = response.json()
    assert body.keys() - {"field"} == {"code", "message", "request_id"}
    assert body["request_id"] == response.headers["x-request-id"]
    return body


@pytest.fixture
async def door(place: str) -> AsyncIterator[Door]:
    async with ports_at(place) as ports:
        app = Starlette(routes=KnowledgeRest(ports, KeyRing(ports)).routes)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL) as client:
            yield Door(ports, client, await create_admin_key(ports))
