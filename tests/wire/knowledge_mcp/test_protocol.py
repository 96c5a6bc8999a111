"""How the door is spoken to: with curl, with the official client in both eras, and with what must be refused."""

from __future__ import annotations

import json
from typing import Any, Literal

import httpx2
import jsonschema  # type: ignore[import-untyped]
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.documents import new_base, upload
from yiku.core.knowledge.addressed import READ_CHARACTERS_MAX
from yiku.wire.knowledge_mcp import PATH
from yiku.wire.knowledge_mcp.tools import LISTED

from .conftest import URL, Door, open_door
from .requirements import proves

CALL = {"name": "search_knowledge", "arguments": {"query": "coffee"}}
ERAS: dict[str, str] = {"legacy": "2025-11-25", "auto": "2026-07-28"}


def over_http(door: Door) -> Any:
    """The client's own transport, with the door behind it in process."""
    client = httpx2.AsyncClient(
        transport=httpx2.ASGITransport(door.app), headers={"authorization": f"Bearer {door.key}"}
    )
    return streamable_http_client(f"{URL}{PATH}", http_client=client)


@proves("versions", "one-tool", "string-tool")
@pytest.mark.parametrize("mode", ERAS)
async def test_the_official_client_searches_and_reads(place: str, mode: Literal["legacy", "auto"]) -> None:
    async with open_door(place) as door:
        await new_base(door.ports)
        await upload(door.ports, "咖啡机在三楼。The coffee machine is on the third floor.")
        async with Client(over_http(door), mode=mode) as client:
            assert client.protocol_version == ERAS[mode]
            assert [tool.name for tool in (await client.list_tools()).tools] == ["search_knowledge"]
            # The client checks every structured result against the tool's output schema.
            found = await client.call_tool("search_knowledge", {"query": "咖啡机在哪里"})
            assert found.structured_content == {"result": found.content[0].text}
            [row] = json.loads(found.structured_content["result"])["results"]
            read = await client.call_tool("search_knowledge", {"knowledge_item_id": row["knowledge_item_id"]})
            assert "third floor" in json.loads(read.structured_content["result"])["content"]
            missing = await client.call_tool("search_knowledge", {"knowledge_item_id": "none"})
            assert (missing.is_error, missing.structured_content) == (True, None)


@proves("endpoint", "stateless")
async def test_a_lone_call_is_enough_with_and_without_a_slash(place: str) -> None:
    async with open_door(place) as door:
        for path in (PATH, f"{PATH}/"):
            response = await door.rpc("tools/call", CALL, path=path)
            assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
            assert response.json()["result"]["isError"] is False


@proves("accept")
@pytest.mark.parametrize(
    "accept", [None, "*/*", "application/json", "text/event-stream", "application/json, text/event-stream"]
)
async def test_whatever_a_client_accepts_the_answer_is_the_same(place: str, accept: str | None) -> None:
    async with open_door(place) as door:
        response = await door.rpc("tools/call", CALL, accept=accept)
        assert response.status_code == 200
        events = [line[6:] for line in response.text.splitlines() if line.startswith("data: {")]
        answer = json.loads(events[0]) if accept == "text/event-stream" else response.json()
        assert json.loads(answer["result"]["structuredContent"]["result"]) == {
            "type": "knowledge_search",
            "results": [],
        }


@proves("versions")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_initialize_agrees_to_what_clients_ask_for(place: str, version: str) -> None:
    async with open_door(place) as door:
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
        result = (await door.rpc("initialize", params)).json()["result"]
        assert result["protocolVersion"] == version
        assert "search_knowledge" in result["instructions"]


@proves("notification-202")
async def test_a_notification_has_no_answer(place: str) -> None:
    async with open_door(place) as door:
        response = await door.post('{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        assert (response.status_code, response.content) == (202, b"")


@proves("post-only")
async def test_other_methods_are_refused(place: str) -> None:
    async with open_door(place) as door:
        for method in ("GET", "DELETE", "PUT"):
            response = await door.client.request(method, PATH, headers={"Accept": "text/event-stream"})
            assert (response.status_code, response.headers["allow"]) == (405, "POST")


@proves("auth")
async def test_a_missing_or_unknown_key_is_401_with_a_challenge(place: str) -> None:
    async with open_door(place) as door:
        for key in (None, "Bearer nobody-knows-this-key"):
            response = await door.rpc("tools/list", authorization=key)
            assert (response.status_code, response.json()["error"]["data"]["code"]) == (401, "Unauthenticated")
            assert response.headers["www-authenticate"].startswith("Bearer")


@proves("one-tool")
async def test_there_is_no_other_tool(place: str) -> None:
    async with open_door(place) as door:
        response = await door.rpc("tools/call", {"name": "memory_search", "arguments": {}})
        assert response.json()["error"]["code"] == -32602
        assert "search_knowledge" in response.json()["error"]["message"]


@proves("hidden")
async def test_a_hidden_tool_is_not_listed_and_can_be_called(place: str) -> None:
    async with open_door(place, listed=False) as door:
        assert (await door.rpc("tools/list")).json()["result"]["tools"] == []
        assert (await door.call(query="coffee"))["results"] == []
        async with Client(over_http(door), mode="auto") as client:
            assert (await client.list_tools()).tools == []
            assert (await client.call_tool("search_knowledge", {"query": "coffee"})).is_error is False


@proves("arguments")
def test_the_schema_says_the_defaults_and_bounds_of_the_table() -> None:
    arguments = LISTED["inputSchema"]["properties"]
    assert {name: argument["default"] for name, argument in arguments.items()} == {
        "query": "",
        "knowledge_base_id": "",
        "knowledge_item_id": "",
        "knowledge_revision_id": "",
        "offset": 0,
        "limit_chars": 4_000,
        "max_results": 10,
        "mode": "hybrid",
        "alpha": 0.5,
    }
    bounds = {name: (arguments[name]["minimum"], arguments[name]["maximum"]) for name in ("limit_chars", "max_results")}
    assert bounds == {"limit_chars": (1, READ_CHARACTERS_MAX), "max_results": (1, 50)}
    assert READ_CHARACTERS_MAX == 10_000
    assert all(argument["description"] for argument in arguments.values())
    assert LISTED["inputSchema"]["additionalProperties"] is False
    assert "required" not in LISTED["inputSchema"]


@proves("string-tool", "read-only")
def test_the_listing_is_valid_and_says_that_nothing_is_changed() -> None:
    for schema in (LISTED["inputSchema"], LISTED["outputSchema"]):
        jsonschema.Draft202012Validator.check_schema(schema)
    assert LISTED["outputSchema"]["properties"].keys() == {"result"}
    assert LISTED["outputSchema"]["required"] == ["result"]
    assert LISTED["annotations"]["readOnlyHint"] is True
