"""Requests that never reach a tool: each is answered in JSON-RPC's own shape, and changes nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.wire.doors import everything_stored
from yiku.model.limits import Limits
from yiku.wire.opensearch_mcp.routes import PATH

from .conftest import Door, open_door
from .requirements import proves

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, SERVER_ERROR = -32700, -32600, -32601, -32602, -32000


@dataclass(frozen=True)
class Bad:
    """A body, the error code and id of the answer, and words of its message."""

    body: bytes
    code: int
    words: str
    id: int | str | None = None


def add(messages: str, *, id: str = "1") -> bytes:
    """An add of ours with these bytes in the place of its messages."""
    arguments = f'{{"messages": {messages}, "user_id": "u"}}'
    params = f'{{"name": "memory_add", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": {id}, "method": "tools/call", "params": {params}}}'.encode()


def envelope(**members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call"} | members).encode()


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


CASES: dict[str, list[Bad]] = {
    "bad:json": [
        Bad(b"", PARSE_ERROR, "line 1"),
        Bad(b"{", PARSE_ERROR, "line 1"),
        Bad(b"hello", PARSE_ERROR, "line 1"),
        Bad(b'{"jsonrpc": "2.0"} trailing', PARSE_ERROR, "Extra data"),
        Bad("{}".encode("utf-16"), PARSE_ERROR, "UTF-8"),
        Bad(add('"a\nb"'), PARSE_ERROR, "control character"),
    ],
    "bad:utf8": [Bad(add('"caf"').replace(b"caf", b"caf\xe9"), PARSE_ERROR, "UTF-8")],
    "bad:surrogate": [
        Bad(add(r'"a\ud800b"'), PARSE_ERROR, "surrogate"),
        Bad(add(r'"a\udc00"'), PARSE_ERROR, "surrogate"),
        Bad(add('"a"').replace(b'"a"', b'"\xed\xa0\x80"'), PARSE_ERROR, "UTF-8"),
    ],
    "bad:depth": [
        Bad(add(nested(62)), PARSE_ERROR, "64 levels"),
        Bad(add(nested(5_000)), PARSE_ERROR, "64 levels"),
        Bad(nested(500_000).encode(), PARSE_ERROR, "64 levels"),
        Bad(b'{"a":' * 70 + b"1" + b"}" * 70, PARSE_ERROR, "64 levels"),
    ],
    "bad:nan": [
        Bad(add("NaN"), PARSE_ERROR, "NaN"),
        Bad(add("[Infinity]"), PARSE_ERROR, "Infinity"),
        Bad(add("-Infinity"), PARSE_ERROR, "-Infinity"),
    ],
    "bad:huge-integer": [Bad(add("9" * 5_000), PARSE_ERROR, "too many digits")],
    "bad:batch": [
        Bad(b"[" + add('"a"') + b"]", INVALID_REQUEST, "one JSON-RPC message at a time"),
        Bad(b"[]", INVALID_REQUEST, "one JSON-RPC message at a time"),
    ],
    "bad:id": [
        Bad(add('"a"', id="null"), INVALID_REQUEST, "'id'"),
        Bad(add('"a"', id="1.5"), INVALID_REQUEST, "'id'"),
        Bad(add('"a"', id="1.0"), INVALID_REQUEST, "'id'"),
        Bad(add('"a"', id="true"), INVALID_REQUEST, "'id'"),
        Bad(add('"a"', id="{}"), INVALID_REQUEST, "'id'"),
        Bad(add('"a"', id="[1]"), INVALID_REQUEST, "'id'"),
        Bad(add('"a"', id="9" * 40), INVALID_REQUEST, "64 bits"),
        Bad(add('"a"').replace(b'"id": 1, ', b""), INVALID_REQUEST, "needs an 'id'"),
    ],
    "bad:envelope": [
        Bad(b"7", INVALID_REQUEST, "must be an object"),
        Bad(b"null", INVALID_REQUEST, "must be an object"),
        Bad(b'"tools/list"', INVALID_REQUEST, "must be an object"),
        Bad(b"{}", INVALID_REQUEST, "'jsonrpc'"),
        Bad(envelope(jsonrpc="1.0", id=7), INVALID_REQUEST, "'jsonrpc'", id=7),
        Bad(envelope(jsonrpc=2.0, id="x"), INVALID_REQUEST, "'jsonrpc'", id="x"),
        Bad(b'{"jsonrpc": "2.0", "id": 7}', INVALID_REQUEST, "'method'", id=7),
        Bad(envelope(method=5, id=7), INVALID_REQUEST, "'method'", id=7),
        Bad(envelope(method="", id=7), INVALID_REQUEST, "'method'", id=7),
    ],
    "bad:params": [
        Bad(envelope(params=[], id=7), INVALID_PARAMS, "'params' must be an object", id=7),
        Bad(envelope(params="a", id=7), INVALID_PARAMS, "'params' must be an object", id=7),
        Bad(envelope(id=7), INVALID_PARAMS, "'params.name'", id=7),
        Bad(envelope(params={"name": 1}, id=7), INVALID_PARAMS, "'params.name'", id=7),
        Bad(
            envelope(params={"name": "memory_add", "arguments": []}, id="x"),
            INVALID_PARAMS,
            "'params.arguments'",
            id="x",
        ),
        Bad(
            envelope(params={"name": "memory_add", "arguments": "{}"}, id=7), INVALID_PARAMS, "'params.arguments'", id=7
        ),
    ],
}


@proves(*CASES)
@pytest.mark.parametrize("requirement", CASES)
@pytest.mark.parametrize("version", [None, "2025-06-18", "2026-07-28"])
async def test_broken_messages_are_answered_in_every_era_and_change_nothing(
    door: Door, requirement: str, version: str | None
) -> None:
    before = await everything_stored(door.ports)
    for bad in CASES[requirement]:
        response = await door.post(bad.body, mcp_protocol_version=version)
        assert response.status_code == 400, bad
        assert response.headers["content-type"] == "application/json"
        answer = response.json()
        assert list(answer) == ["jsonrpc", "id", "error"], bad
        assert (answer["id"], answer["error"]["code"]) == (bad.id, bad.code), (bad, answer)
        assert bad.words in answer["error"]["message"], (bad, answer)
    assert await everything_stored(door.ports) == before


def refusal(response: object, status: int, code: str) -> str:
    """The message of a refusal, after checking its shape."""
    assert response.status_code == status, response.text  # type: ignore[attr-defined]
    answer = response.json()  # type: ignore[attr-defined]
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", None)
    assert answer["error"]["data"] == {"code": code, "request_id": response.headers["x-request-id"]}  # type: ignore[attr-defined]
    message: str = answer["error"]["message"]
    return message


@proves("bad:body-time")
async def test_a_body_that_does_not_end_is_408(tmp_path: Path) -> None:
    async def beginning() -> AsyncIterator[bytes]:
        yield b'{"jsonrpc":'
        await asyncio.Event().wait()

    async with open_door(tmp_path, limits=Limits(body_deadline_s=0.05)) as door:
        headers = {"authorization": f"Bearer {door.key}", "content-type": "application/json"}
        response = await door.client.post(PATH, content=beginning(), headers=headers)
        refusal(response, 408, "RequestTimeout")


@proves("bad:body-size")
async def test_a_body_over_the_limit_is_413_and_one_at_the_limit_is_read(tmp_path: Path) -> None:
    body = add('"a"')
    async with open_door(tmp_path, limits=Limits(body_bytes=len(body))) as door:
        assert (await door.post(body)).status_code == 200
        before = await everything_stored(door.ports)
        message = refusal(await door.post(body + b" "), 413, "PayloadTooLarge")
        assert str(len(body)) in message
        assert await everything_stored(door.ports) == before


@proves("bad:body-size")
async def test_a_body_that_hides_its_length_is_cut_off_at_the_limit(tmp_path: Path) -> None:
    async with open_door(tmp_path, limits=Limits(body_bytes=1_000)) as door:
        sent = 0

        async def endless() -> object:
            nonlocal sent
            while True:
                sent += 100
                yield b" " * 100

        headers = {"authorization": f"Bearer {door.key}", "content-type": "application/json"}
        response = await door.client.post(PATH, content=endless(), headers=headers)  # type: ignore[arg-type]
        refusal(response, 413, "PayloadTooLarge")
        assert sent < 2_000


@proves("bad:content-type")
@pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
async def test_another_content_type_is_415(door: Door, content_type: str | None) -> None:
    before = await everything_stored(door.ports)
    refusal(await door.post(add('"a"'), content_type=content_type), 415, "UnsupportedMediaType")
    assert await everything_stored(door.ports) == before


@proves("bad:content-type")
async def test_a_charset_beside_the_content_type_is_fine(door: Door) -> None:
    assert (await door.post(add('"a"'), content_type="Application/JSON; charset=UTF-8")).status_code == 200


@proves("bad:method")
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD", "PATCH"])
async def test_anything_but_post_is_405_and_says_what_is_allowed(door: Door, method: str) -> None:
    headers = {"accept": "text/event-stream", "authorization": f"Bearer {door.key}"}
    response = await door.client.request(method, PATH, headers=headers)
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


@proves("bad:host")
@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "evil.example:80", "", "[::1", "memory.example.evil"]
)
async def test_a_foreign_host_is_refused_before_the_body_is_looked_at(door: Door, host: str) -> None:
    refusal(await door.post(b"not even JSON", host=host), 421, "HostNotAllowed")


@proves("bad:host")
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example", "file://", ""])
async def test_a_foreign_origin_is_refused_before_the_body_is_looked_at(door: Door, origin: str) -> None:
    refusal(await door.post(b"not even JSON", origin=origin), 403, "OriginNotAllowed")


@proves("bad:host")
@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000", "memory.example", "MEMORY.example:443"]
)
async def test_loopback_and_listed_hosts_and_their_pages_are_served(door: Door, host: str) -> None:
    response = await door.post(add('"a"'), host=host, origin=f"http://{host}")
    assert response.status_code == 200


@proves("bad:key")
@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Bearer  ", "Bearer wrong", "Basic dTpw", "yk_abc"])
async def test_without_a_good_key_the_answer_is_401_with_a_challenge(door: Door, authorization: str | None) -> None:
    before = await everything_stored(door.ports)
    response = await door.post(add('"a"'), authorization=authorization)
    assert "key" in refusal(response, 401, "Unauthenticated")
    assert response.headers["www-authenticate"] == 'Bearer realm="yiku"'
    assert await everything_stored(door.ports) == before


@proves("bad:key")
async def test_without_a_key_nothing_of_the_request_is_judged(door: Door) -> None:
    refusal(await door.post(b"[", authorization=None, content_type="text/plain"), 401, "Unauthenticated")


@proves("bad:key-in-url")
async def test_a_key_in_the_url_is_refused_even_beside_a_good_header(door: Door) -> None:
    for name in ("api_key", "access_token", "Token"):
        response = await door.post(add('"a"'), path=f"{PATH}?{name}={door.key}")
        assert "never in the URL" in refusal(response, 400, "InvalidParameter")


@proves("bearer-case")
async def test_the_scheme_may_be_written_in_any_case(door: Door) -> None:
    for scheme in ("bearer", "BEARER", "Bearer "):
        assert (await door.rpc("tools/list", authorization=f"{scheme} {door.key}")).status_code == 200


@proves("unknown-method")
async def test_an_unknown_method_is_32601(door: Door) -> None:
    response = await door.rpc("tools/erase", id="x")
    assert (response.json()["id"], response.json()["error"]["code"]) == ("x", METHOD_NOT_FOUND)


@proves("unknown-tool")
async def test_an_unknown_tool_is_32602_and_names_those_there_are(door: Door) -> None:
    response = await door.rpc("tools/call", {"name": "memory_erase", "arguments": {}}, id=7)
    error = response.json()["error"]
    assert (response.json()["id"], error["code"]) == (7, INVALID_PARAMS)
    assert "memory_erase" in error["message"]
    assert "memory_delete" in error["message"]


@proves("unknown-path")
@pytest.mark.parametrize("path", ["/", f"{PATH}/more", "/.well-known/oauth-protected-resource", "/.well-known/x/y"])
async def test_unknown_paths_are_404_in_json(door: Door, path: str) -> None:
    response = await door.client.get(path)
    assert response.status_code == 404
    assert response.json()["code"] == "NotFound"
    assert response.json()["request_id"] == response.headers["x-request-id"]
