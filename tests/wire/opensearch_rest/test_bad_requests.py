"""Requests that reach no operation: each is answered in the seed's five keys, and changes nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message

from tests.wire.doors import everything_stored
from yiku.model.limits import Limits

from .conftest import V3, V4, Door, open_door, refusal
from .requirements import proves

ADD = f"{V4}/memories/add"


def add(messages: str) -> bytes:
    """An add with these bytes in the place of its messages."""
    return f'{{"messages": {messages}, "user_id": "u"}}'.encode()


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


MALFORMED: dict[bytes, str] = {
    b"": "line 1",
    b"{": "line 1",
    b"hello": "line 1",
    b"{} trailing": "Extra data",
    "{}".encode("utf-16"): "UTF-8",
    add('"a\nb"'): "control character",
    add('"caf"').replace(b"caf", b"caf\xe9"): "UTF-8",
    add(r'"a\ud800b"'): "surrogate",
    add(nested(64)): "64 levels",
    nested(100_000).encode(): "64 levels",
    add("NaN"): "NaN",
    add("-Infinity"): "-Infinity",
    add("9" * 5_000): "too many digits",
    b"[]": "must be a JSON object",
    b"null": "must be a JSON object",
    b'"text"': "must be a JSON object",
    b"[" + add('"a"') + b"]": "must be a JSON object",
}


@proves("bad:json", "error:shape", "error:status")
@pytest.mark.parametrize("path", ["/memories/add", "/memories/search", "/memories/list", "/memories/delete"])
async def test_malformed_bodies_are_400_and_change_nothing(door: Door, path: str) -> None:
    before = await everything_stored(door.ports)
    for body, words in MALFORMED.items():
        message = refusal(await door.send("POST", V4 + path, body), 400, "InvalidParameter")
        assert words in message, (body[:80], message)
    assert await everything_stored(door.ports) == before


@proves("bad:path", "service-id", "base:v3")
@pytest.mark.parametrize(
    "path",
    [
        "/v4/openapi/",
        "/v4/openapi/workspaces/default/memory/agentic-memory",
        f"{V4}/memories",
        f"{V4}/memories/",
        f"{V4}/memories/a/b/c",
        f"{V4}//memories/add",
        f"{V4}/memories/m-1%0A/x",
        f"{V4}/memories/%FF",
        f"{V4}/skills/s-1",
        f"{V3}/memories/m-1",
        "/v4/openapi/workspaces/default/memory/other-service/memories/m-1",
        "/v3/openapi/workspaces/default/memory/AGENTIC-MEMORY/health",
    ],
)
async def test_unknown_paths_below_the_bases_are_404(door: Door, path: str) -> None:
    refusal(await door.send("GET", path), 404, "NotFound")


@proves("bad:method")
@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", f"{V4}/memories/add", "POST"),
        ("DELETE", f"{V4}/memories/search", "POST"),
        ("POST", f"{V4}/memories/m-1", "GET, PUT, DELETE"),
        ("PATCH", f"{V4}/events/me-1", "GET"),
        ("HEAD", f"{V3}/health", "GET"),
        ("OPTIONS", f"{V4}/memories/add", "POST"),
        ("POST", "/v4/openapi.json", "GET, HEAD"),
    ],
)
async def test_another_method_is_405_and_says_what_is_allowed(door: Door, method: str, path: str, allowed: str) -> None:
    response = await door.send(method, path)
    assert (response.status_code, response.headers["allow"]) == (405, allowed)
    if method != "HEAD":
        refusal(response, 405, "MethodNotAllowed")


@proves("bad:key")
@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Token ", "Bearer wrong", "Basic dTpw", "yk_abc"])
async def test_without_a_good_key_nothing_of_the_request_is_judged(door: Door, authorization: str | None) -> None:
    response = await door.send("POST", ADD, b"[", authorization=authorization, content_type="text/plain")
    assert "key" in refusal(response, 401, "Unauthenticated")
    assert response.headers["www-authenticate"] == 'Bearer realm="yiku"'
    elsewhere = V4.replace("default", "elsewhere")
    refusal(await door.send("POST", f"{elsewhere}/memories/add", authorization=authorization), 401, "Unauthenticated")


@proves("bad:key-in-url")
async def test_a_key_in_the_url_is_refused_even_beside_a_good_header(door: Door) -> None:
    for name in ("api_key", "access_token", "Token", "x-api-key", "auth"):
        response = await door.send("POST", f"{ADD}?{name}={door.key}", add('"a"'))
        assert "never in the URL" in refusal(response, 400, "InvalidParameter")


@proves("bad:host")
async def test_a_foreign_host_or_origin_is_refused_before_the_body_is_looked_at(door: Door) -> None:
    for host in ("evil.example", "localhost.evil.example", ""):
        refusal(await door.send("POST", ADD, b"not JSON", host=host), 421, "HostNotAllowed")
    for origin in ("https://evil.example", "null"):
        refusal(await door.send("POST", ADD, b"not JSON", origin=origin), 403, "OriginNotAllowed")
    assert (await door.send("POST", ADD, add('"a"'), host="memory.example")).status_code == 200


@proves("bad:content-type")
@pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded"])
async def test_a_body_that_does_not_say_it_is_json_is_415(door: Door, content_type: str | None) -> None:
    before = await everything_stored(door.ports)
    refusal(await door.send("POST", ADD, add('"a"'), content_type=content_type), 415, "UnsupportedMediaType")
    assert await everything_stored(door.ports) == before
    assert (await door.send("POST", ADD, add('"a"'), content_type="Application/JSON; charset=UTF-8")).status_code == 200


@proves("bad:body-size")
async def test_a_body_over_the_limit_is_413_and_one_at_the_limit_is_read(tmp_path: Path) -> None:
    body = add('"a"')
    async with open_door(tmp_path, limits=Limits(body_bytes=len(body))) as door:
        assert (await door.send("POST", ADD, body)).status_code == 200
        assert str(len(body)) in refusal(await door.send("POST", ADD, body + b" "), 413, "PayloadTooLarge")


@proves("bad:body-time")
async def test_a_body_that_does_not_end_is_408(tmp_path: Path) -> None:
    async def beginning() -> AsyncIterator[bytes]:
        yield b'{"messages":'
        await asyncio.Event().wait()

    async with open_door(tmp_path, limits=Limits(body_deadline_s=0.05)) as door:
        headers = {"authorization": f"Bearer {door.key}", "content-type": "application/json"}
        response = await door.client.post(ADD, content=beginning(), headers=headers)
        refusal(response, 408, "RequestTimeout")


@proves("bad:half")
async def test_a_request_that_stops_half_way_is_not_answered_and_changes_nothing(door: Door) -> None:
    arriving: list[Message] = [
        {"type": "http.request", "body": add('"a"')[:-1], "more_body": True},
        {"type": "http.disconnect"},
    ]
    answered: list[Any] = []

    async def receive() -> Message:
        return arriving.pop(0)

    async def send(message: Message) -> None:
        answered.append(message)

    headers = {"host": "localhost", "authorization": f"Bearer {door.key}", "content-type": "application/json"}
    scope = {
        "type": "http", "method": "POST", "path": ADD, "raw_path": ADD.encode(), "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    before = await everything_stored(door.ports)
    await door.app(scope, receive, send)
    assert answered == []
    assert await everything_stored(door.ports) == before


@proves("openapi:served")
async def test_the_document_is_served_without_a_key(door: Door) -> None:
    response = await door.send("GET", "/v4/openapi.json", authorization=None)
    assert response.status_code == 200
    assert json.loads(response.content)["openapi"].startswith("3.1")
