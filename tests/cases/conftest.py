"""Both doors to one store, on each engine in turn: a fault must be absent by whichever one comes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.core.memories import ADMIN
from tests.wire.opensearch_rest.conftest import Door as RestDoor
from tests.wire.opensearch_rest.conftest import open_door
from yiku.wire.mcp_server import Caller, call_tool
from yiku.wire.opensearch_mcp.toolbox import TOOLBOX


class Doors:
    """The REST door, and the tools of the MCP door over the same store."""

    def __init__(self, rest: RestDoor) -> None:
        self.rest = rest
        self.ports = rest.ports

    async def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        result = await call_tool(self.ports, TOOLBOX, Caller(ADMIN, "req-1"), name, arguments)
        assert result["isError"] is False, result
        content: dict[str, Any] = result["structuredContent"]
        return content

    async def refused_tool(self, name: str, /, **arguments: Any) -> str:
        """What a refused call says."""
        result = await call_tool(self.ports, TOOLBOX, Caller(ADMIN, "req-1"), name, arguments)
        assert result["isError"] is True, result
        text: str = result["content"][0]["text"]
        return text

    async def add(self, messages: Any, user_id: str = "u", **more: Any) -> dict[str, Any]:
        """The finished event."""
        accepted = await self.rest.call("POST", "/memories/add", {"messages": messages, "user_id": user_id, **more})
        await self.rest.work()
        return await self.rest.call("GET", f"/events/{accepted['event_id']}")

    async def listed(self, user_id: str = "u", **conditions: Any) -> list[dict[str, Any]]:
        """By both doors, which must agree."""
        body = {"filters": {"AND": [{"user_id": user_id, **conditions}]}}
        rows: list[dict[str, Any]] = (await self.rest.call("POST", "/memories/list", body))["results"]
        tools = await self.tool("memory_get_all", filters={"user_id": user_id, **conditions})
        assert [row["id"] for row in rows] == [row["id"] for row in tools["results"]]
        return rows

    async def found(self, query: str, user_id: str = "u", /, **more: Any) -> list[str]:
        """The texts that a search finds by both doors, which must agree. `conditions` join the filter."""
        conditions = more.pop("conditions", {})
        body = {"query": query, "filters": {"AND": [{"user_id": user_id, **conditions}]}, **more}
        rows = (await self.rest.call("POST", "/memories/search", body))["results"]
        tools = (await self.tool("memory_search", **body))["results"]
        assert [row["id"] for row in rows] == [row["id"] for row in tools]
        return [row["memory"] for row in rows]


@pytest.fixture
async def doors(place: str) -> AsyncIterator[Doors]:
    async with open_door(place) as rest:
        yield Doors(rest)
