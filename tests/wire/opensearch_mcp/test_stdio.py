"""The tools over a pair of pipes."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from yiku.model.principal import Principal
from yiku.wire.opensearch_mcp.stdio import serve_pipes

from .conftest import Door
from .requirements import proves
from .test_bad_requests import CASES

SOMEBODY = Principal(key_id="stdio", workspace="default", permissions=frozenset({"admin"}))
INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def line(message: object) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def call(id: int | str, tool: str, **arguments: Any) -> bytes:
    return line({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})


async def converse(door: Door, said: bytes) -> list[dict[str, Any]]:
    """All answers to what a client said before it closed its end."""
    source, to_server = os.pipe()
    from_server, target = os.pipe()
    serving = asyncio.create_task(serve_pipes(door.ports, SOMEBODY, source, target))
    speaking = asyncio.create_task(asyncio.to_thread(_say, to_server, said))
    listening = asyncio.create_task(asyncio.to_thread(_hear, from_server))
    await serving
    os.close(target)
    await speaking
    heard = await listening
    os.close(source)
    return [json.loads(answer) for answer in heard.decode("utf-8").splitlines()]


def _say(pipe: int, said: bytes) -> None:
    with os.fdopen(pipe, "wb") as stream:
        stream.write(said)


def _hear(pipe: int) -> bytes:
    with os.fdopen(pipe, "rb") as stream:
        return stream.read()


@proves("stdio", "stdio:ends", "stdio:utf8")
async def test_everything_that_was_said_is_answered_before_the_conversation_ends(door: Door) -> None:
    opening = line(INITIALIZE) + line(INITIALIZED)
    adds = b"".join(call(n, "memory_add", messages=f"我喜欢第{n}种茶", user_id="u", infer=False) for n in range(1, 21))
    answers = await converse(door, opening + adds)
    assert sorted(answer["id"] for answer in answers) == list(range(21))
    assert all(answer["result"]["structuredContent"]["status"] == "PENDING" for answer in answers if answer["id"])
    await door.work()
    [_, listed] = await converse(door, opening + call(1, "memory_get_all", filters={"user_id": "u"}))
    assert listed["result"]["structuredContent"]["count"] == 20
    assert "我喜欢第7种茶" in listed["result"]["content"][0]["text"]


@proves("stdio:broken")
async def test_every_broken_message_is_answered_and_the_next_one_served(door: Door) -> None:
    one_line = [bad for cases in CASES.values() for bad in cases if bad.body and b"\n" not in bad.body]
    broken = b"".join(bad.body + b"\n" for bad in one_line)
    last = call("last", "memory_get_all", filters={"user_id": "u"})
    answers = await converse(door, line(INITIALIZE) + line(INITIALIZED) + broken + last)
    errors = [answer for answer in answers if "error" in answer]
    assert [(error["id"], error["error"]["code"]) for error in errors] == [(bad.id, bad.code) for bad in one_line]
    [served] = [answer for answer in answers if answer["id"] == "last"]
    assert served["result"]["structuredContent"]["count"] == 0


@proves("stdio:broken")
async def test_a_line_over_the_limit_is_answered_and_the_next_one_served(door: Door) -> None:
    long = b" " * 10 + b"x" * (door.ports.limits.body_bytes + 1) + b"\n"
    answers = await converse(door, long + line(INITIALIZE))
    assert [answer["id"] for answer in answers] == [None, 0]
    assert "larger than" in answers[0]["error"]["message"]


async def test_blank_lines_windows_ends_and_a_missing_last_newline_are_fine(door: Door) -> None:
    said = (
        b"\r\n\n"
        + line(INITIALIZE).replace(b"\n", b"\r\n")
        + b"  \n"
        + line({"jsonrpc": "2.0", "id": 1, "method": "ping"})[:-1]
    )
    assert sorted(answer["id"] for answer in await converse(door, said)) == [0, 1]


async def test_a_cancelled_request_does_not_hold_up_the_end(door: Door) -> None:
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    said = line(INITIALIZE) + line(INITIALIZED) + call(1, "memory_get_all", filters={"user_id": "u"}) + line(cancel)
    assert {answer["id"] for answer in await converse(door, said)} <= {0, 1}


async def test_the_newest_protocol_is_served_over_stdio_too(door: Door) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "memory_get_all", "arguments": {"filters": {"user_id": "u"}}, "_meta": meta}
    [answer] = await converse(door, line({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
    assert answer["result"]["structuredContent"] == {"count": 0, "results": []}


async def test_a_client_that_hangs_up_ends_the_conversation(door: Door) -> None:
    source, to_server = os.pipe()
    from_server, target = os.pipe()
    os.close(from_server)
    os.write(to_server, line(INITIALIZE))
    await serve_pipes(door.ports, SOMEBODY, source, target)
    for pipe in (to_server, source, target):
        os.close(pipe)
