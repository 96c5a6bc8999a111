"""Requests of the many clients there are, all of them fine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from yiku.model.principal import Principal
from yiku.wire.opensearch_mcp.routes import PATH
from yiku.wire.opensearch_mcp.tools import TOOLS

from .conftest import Door, open_door
from .requirements import proves

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LIST = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'


def event_data(text: str) -> dict[str, object]:
    """The one message of an event stream."""
    [line] = [line for line in text.splitlines() if line.startswith("data: {")]
    message: dict[str, object] = json.loads(line.removeprefix("data: "))
    return message


@proves("any-accept")
@pytest.mark.parametrize(
    "accept", [None, "*/*", "application/json", "application/json, text/event-stream", "text/html"]
)
@pytest.mark.parametrize("method", ["tools/list", "ping"])
async def test_clients_that_take_json_get_json(door: Door, accept: str | None, method: str) -> None:
    response = await door.rpc(method, accept=accept)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json()["id"] == 1


@proves("any-accept")
@pytest.mark.parametrize("method", ["tools/list", "ping"])
async def test_clients_that_take_only_events_get_events(door: Door, method: str) -> None:
    response = await door.rpc(method, accept="text/event-stream")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/event-stream")
    assert event_data(response.text)["id"] == 1


@proves("progress-stream")
async def test_a_client_that_wants_progress_and_takes_events_gets_events(door: Door) -> None:
    params = {"name": "memory_get_all", "arguments": {"filters": {"user_id": "u"}}, "_meta": {"progressToken": 1}}
    streamed = await door.rpc("tools/call", params, accept="application/json, text/event-stream")
    assert streamed.headers["content-type"].startswith("text/event-stream")
    plain = await door.rpc("tools/call", params)
    assert event_data(streamed.text) == plain.json()


@proves("notification-202")
@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "notifications/never/heard"]
)
@pytest.mark.parametrize("version", [None, "2025-11-25", "2026-07-28"])
async def test_a_notification_is_202_without_a_body(door: Door, method: str, version: str | None) -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": {"requestId": 1}})
    response = await door.post(body, mcp_protocol_version=version)
    assert (response.status_code, response.content) == (202, b"")


@proves("response-202")
async def test_a_response_to_nothing_we_asked_is_accepted(door: Door) -> None:
    response = await door.post('{"jsonrpc": "2.0", "id": 1, "result": {}}')
    assert response.status_code == 202


@proves("trailing-slash")
async def test_the_path_with_a_trailing_slash_answers_itself(door: Door) -> None:
    response = await door.post(LIST, path=f"{PATH}/")
    assert response.status_code == 200
    assert len(response.json()["result"]["tools"]) == len(TOOLS)


@proves("bom")
async def test_a_byte_order_mark_is_ignored(door: Door) -> None:
    assert (await door.post(b"\xef\xbb\xbf" + LIST)).status_code == 200
    ping = b'\xef\xbb\xbf{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    assert (await door.post(ping)).json() == {"jsonrpc": "2.0", "id": 1, "result": {}}


@proves("ping")
@pytest.mark.parametrize("version", [None, *HANDSHAKE_VERSIONS])
async def test_a_ping_is_answered_with_nothing(door: Door, version: str | None) -> None:
    pong = await door.rpc("ping", id="p", mcp_protocol_version=version)
    assert (pong.status_code, pong.json()) == (200, {"jsonrpc": "2.0", "id": "p", "result": {}})


@proves("versions", "no-handshake")
@pytest.mark.parametrize(
    ("asked", "agreed"),
    [
        *((version, version) for version in HANDSHAKE_VERSIONS),
        ("1999-01-01", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ],
)
async def test_initialize_agrees_to_a_version_and_keeps_no_session(door: Door, asked: str, agreed: str) -> None:
    hello = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    response = await door.rpc("initialize", hello)
    assert response.status_code == 200
    assert "mcp-session-id" not in response.headers
    assert response.json()["result"]["protocolVersion"] == agreed
    listed = await door.rpc("tools/list", mcp_protocol_version=agreed)
    assert len(listed.json()["result"]["tools"]) == len(TOOLS)


@proves("header-blanks")
async def test_blanks_around_header_values_do_not_matter(door: Door) -> None:
    params = {
        "name": "memory_get_all",
        "arguments": {"filters": {"user_id": "u"}},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }
    headers = {"mcp_protocol_version": "2026-07-28 ", "mcp_method": " tools/call", "mcp_name": "memory_get_all  "}
    response = await door.rpc("tools/call", params, **headers)
    assert response.status_code == 200, response.text
    assert response.json()["result"]["structuredContent"] == {"count": 0, "results": []}


@proves("listing-cacheable")
async def test_the_newest_protocol_says_how_long_the_list_may_be_kept(door: Door) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    response = await door.rpc("tools/list", {"_meta": meta}, mcp_protocol_version="2026-07-28", mcp_method="tools/list")
    result = response.json()["result"]
    assert (result["ttlMs"], result["cacheScope"]) == (300_000, "public")


@proves("request-id")
async def test_a_sane_request_id_comes_back_and_others_are_replaced(door: Door) -> None:
    kept = await door.post(LIST, x_request_id="abc-1.2_3")
    assert kept.headers["x-request-id"] == "abc-1.2_3"
    for odd in (None, "", "a b", "x" * 65, '"><script>'):
        made = await door.post(LIST, x_request_id=odd)
        assert made.headers["x-request-id"].startswith("req-")


@proves("request-id")
async def test_the_sdks_answers_have_a_request_id_too(door: Door) -> None:
    assert (await door.rpc("ping", x_request_id="mine")).headers["x-request-id"] == "mine"


@proves("anonymous")
async def test_with_keys_turned_off_none_is_needed(tmp_path: Path) -> None:
    somebody = Principal(key_id="anonymous", workspace="default", permissions=frozenset({"admin"}))
    async with open_door(tmp_path, anonymous=somebody) as door:
        for authorization in (None, "Bearer wrong"):
            assert (await door.rpc("tools/list", authorization=authorization)).status_code == 200
