"""The tools over a pair of pipes."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from tests.documents import BASE, new_base, upload
from yiku.adapters.embedders import HashedEmbedder
from yiku.model.limits import Limits
from yiku.model.principal import Principal
from yiku.model.records import Embedding
from yiku.ports import Ports
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
PING = {"jsonrpc": "2.0", "id": "ping", "method": "ping"}


def line(message: object) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


OPENING = line(INITIALIZE) + line(INITIALIZED)


def call(id: int | str, tool: str, **arguments: Any) -> bytes:
    return line({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})


class NeverAnswering(HashedEmbedder):
    async def embed_query(self, text: str) -> Embedding:
        await asyncio.Event().wait()
        raise AssertionError("nobody sets that event")


async def converse(ports: Ports, said: bytes) -> list[dict[str, Any]]:
    """All answers to what a client said before it closed its end."""
    source, to_server = os.pipe()
    from_server, target = os.pipe()
    serving = asyncio.create_task(serve_pipes(ports, SOMEBODY, source, target))
    speaking = asyncio.create_task(asyncio.to_thread(_say, to_server, said))
    listening = asyncio.create_task(asyncio.to_thread(_hear, from_server))
    try:
        await serving
    finally:
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
    adds = b"".join(call(n, "memory_add", messages=f"我喜欢第{n}种茶", user_id="u", infer=False) for n in range(1, 21))
    answers = await converse(door.ports, OPENING + adds)
    assert sorted(answer["id"] for answer in answers) == list(range(21))
    assert all(answer["result"]["structuredContent"]["status"] == "PENDING" for answer in answers if answer["id"])
    await door.work()
    [_, listed] = await converse(door.ports, OPENING + call(1, "memory_get_all", filters={"user_id": "u"}))
    assert listed["result"]["structuredContent"]["count"] == 20
    assert "我喜欢第7种茶" in listed["result"]["content"][0]["text"]


@proves("stdio")
async def test_documents_are_found_and_read_over_pipes_too(door: Door) -> None:
    await new_base(door.ports)
    await upload(door.ports, "# 指南\n\n配置权限需在控制台进行。\n", id="guide")
    said = (
        call(1, "kb_nodes_search", query="如何配置权限", kb_id=BASE)
        + call(2, "kb_doc_grep", kb_id=BASE, doc_id="guide", pattern="权限")
        + call(3, "kb_doc_read", kb_id=BASE, doc_id="guide", offset=0)
        + call(4, "hybrid_search", query="权限", user_id="u", kb_id=BASE)
    )
    answers = {answer["id"]: answer["result"] for answer in await converse(door.ports, OPENING + said)}
    assert answers[1]["structuredContent"]["results"][0]["doc_id"] == "guide"
    assert answers[2]["structuredContent"]["matches"][0]["line_number"] == 3
    assert (answers[3]["isError"], "offset" in answers[3]["content"][0]["text"]) == (True, True)
    assert answers[4]["structuredContent"]["kb_docs"][0]["id"] == "guide"


@proves("stdio:broken")
async def test_every_broken_message_is_answered_and_the_next_one_served(door: Door) -> None:
    one_line = [bad for cases in CASES.values() for bad in cases if bad.body and b"\n" not in bad.body]
    broken = b"".join(bad.body + b"\n" for bad in one_line)
    last = call("last", "memory_get_all", filters={"user_id": "u"})
    answers = await converse(door.ports, OPENING + broken + last)
    errors = [answer for answer in answers if "error" in answer]
    assert [(error["id"], error["error"]["code"]) for error in errors] == [(bad.id, bad.code) for bad in one_line]
    [served] = [answer for answer in answers if answer["id"] == "last"]
    assert served["result"]["structuredContent"]["count"] == 0


@proves("stdio:broken")
async def test_a_line_over_the_limit_is_answered_and_the_next_one_served(door: Door) -> None:
    long = b" " * 10 + b"x" * (door.ports.limits.body_bytes + 1) + b"\n"
    answers = await converse(door.ports, long + line(INITIALIZE))
    assert [answer["id"] for answer in answers] == [None, 0]
    assert "larger than" in answers[0]["error"]["message"]


async def test_blank_lines_windows_ends_and_a_missing_last_newline_are_fine(door: Door) -> None:
    said = (
        b"\r\n\n"
        + line(INITIALIZE).replace(b"\n", b"\r\n")
        + b"  \n"
        + line({"jsonrpc": "2.0", "id": 1, "method": "ping"})[:-1]
    )
    assert sorted(answer["id"] for answer in await converse(door.ports, said)) == [0, 1]


@proves("stdio:cancelled")
async def test_a_cancelled_request_does_not_hold_up_the_end(door: Door) -> None:
    # Without the cancellation the search would be waited for: for an hour, which the timeout turns into a failure.
    ports = replace(door.ports, embedder=NeverAnswering(), limits=Limits(shutdown_deadline_s=3600))
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}}
    search = call("slow", "memory_search", query="tea", filters={"AND": [{"user_id": "u"}]})
    async with asyncio.timeout(30):
        answers = await converse(ports, OPENING + search + line(cancel) + line(PING))
    assert [answer["id"] for answer in answers] == [0, "ping"]


@proves("stdio:ends")
async def test_what_never_ends_is_waited_for_only_so_long(door: Door) -> None:
    ports = replace(door.ports, embedder=NeverAnswering(), limits=Limits(shutdown_deadline_s=0.05))
    search = call("slow", "memory_search", query="tea", filters={"AND": [{"user_id": "u"}]})
    async with asyncio.timeout(30):
        _, unanswered = await converse(ports, OPENING + search)
    assert (unanswered["id"], "error" in unanswered) == ("slow", True)


@proves("stdio:opening")
async def test_a_call_before_initialize_is_refused_and_one_after_it_served(door: Door) -> None:
    early, late = (call(name, "memory_get_all", filters={"user_id": "u"}) for name in ("early", "late"))
    answers = {answer["id"]: answer for answer in await converse(door.ports, early + line(PING) + OPENING + late)}
    assert answers["early"]["error"]["code"] == -32602
    assert answers["ping"]["result"] == {}
    assert answers["late"]["result"]["structuredContent"]["count"] == 0


@proves("versions")
@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
async def test_a_client_of_any_handshake_version_is_agreed_with(door: Door, version: str) -> None:
    asked = INITIALIZE | {"params": INITIALIZE["params"] | {"protocolVersion": version}}
    [greeting] = await converse(door.ports, line(asked))
    assert greeting["result"]["protocolVersion"] == version


@proves("stdio:opening", "stateless-era")
async def test_the_newest_protocol_is_served_over_stdio_too(door: Door) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "memory_get_all", "arguments": {"filters": {"user_id": "u"}}, "_meta": meta}
    [answer] = await converse(door.ports, line({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
    assert answer["result"]["structuredContent"] == {"count": 0, "results": []}


async def test_a_client_that_hangs_up_ends_the_conversation(door: Door) -> None:
    source, to_server = os.pipe()
    from_server, target = os.pipe()
    os.close(from_server)
    os.write(to_server, line(INITIALIZE))
    await serve_pipes(door.ports, SOMEBODY, source, target)
    for pipe in (to_server, source, target):
        os.close(pipe)
