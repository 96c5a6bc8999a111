"""`yiku mcp` as clients start it: a process of its own, spoken to by the official client."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

from tests.e2e.processes import KEY, STARTED_WITHIN_S, environment, run, serving
from tests.engines import open_place
from tests.wire.opensearch_mcp.requirements import proves
from yiku.adapters.clocks import SystemClock
from yiku.core.keys import KEY as KEY_RECORD
from yiku.model.limits import Limits
from yiku.model.principal import Permission
from yiku.model.records import Changes, Record
from yiku.model.scopes import SYSTEM_PARTITION

READER = "a-key-that-may-only-read-and-only-u1"


def yiku_mcp(folder: Path, *arguments: str, **settings: str) -> Client:
    return Client(
        StdioServerParameters(
            command=sys.executable,
            args=["-m", "yiku", "mcp", *arguments],
            env=environment(folder, **settings),
            cwd=folder.parent,
        )
    )


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured result of a call that succeeds."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error is False, result
    content: dict[str, Any] = result.structured_content
    return content


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """The code of a call that is refused."""
    result: CallToolResult = await client.call_tool(tool, arguments)
    assert result.is_error is True, result
    [content] = result.content
    assert content.type == "text"
    code: str = json.loads(content.text)["code"]
    return code


async def remember(client: Client, text: str, user_id: str) -> str:
    """The id of the memory, once the process's own worker has digested it."""
    event_id = (await call(client, "memory_add", messages=text, user_id=user_id, infer=False))["event_id"]
    async with asyncio.timeout(STARTED_WITHIN_S):
        while (event := await call(client, "memory_event_status_get", event_id=event_id))["status"] != "SUCCEEDED":
            assert event["status"] in ("PENDING", "RUNNING"), event
    [memory_id] = event["memory_ids"]
    return str(memory_id)


async def store_key(place: str, secret: str, *, user_id: str, permissions: Sequence[Permission]) -> None:
    """A key whose secret the test knows, bound to one user, with these permissions."""
    storage = await open_place(place, clock=SystemClock(), limits=Limits())
    now = SystemClock().now()
    key = Record(
        kind=KEY_RECORD,
        id="bound",
        unique_key=hashlib.sha256(secret.encode()).hexdigest(),
        created=now,
        updated=now,
        body={"workspace": "default", "permissions": list(permissions), "user_id": user_id},
    )
    await storage.commit(Changes(partition=SYSTEM_PARTITION, puts=(key,)))
    await storage.close()


@proves("stdio:user", "foreign-id", "stdio")
async def test_a_process_for_one_user_sees_and_writes_only_that_user(tmp_path: Path, store: dict[str, str]) -> None:
    folder = tmp_path / "data"
    async with yiku_mcp(folder, **store) as operator:
        theirs = await remember(operator, "我喜欢喝茶", "u2")
        async with yiku_mcp(folder, "--user", "u1", **store) as client:
            mine = await remember(client, "我喜欢喝咖啡", "u1")
            listed = await call(client, "memory_get_all", filters={"user_id": "u1"})
            assert [row["id"] for row in listed["results"]] == [mine]
            for tool, arguments in (
                ("memory_add", {"messages": "我喜欢喝咖啡", "user_id": "u2"}),
                ("memory_search", {"query": "茶", "filters": {"AND": [{"user_id": "u2"}]}}),
                ("memory_get_all", {"filters": {"user_id": "u2"}}),
            ):
                assert await refusal(client, tool, **arguments) == "PermissionDenied", tool
            for tool, more in (("memory_get", {}), ("memory_update", {"text": "我喜欢喝咖啡"}), ("memory_delete", {})):
                assert await refusal(client, tool, memory_id=theirs, **more) == "NotFound", tool
        listed = await call(operator, "memory_get_all", filters={"user_id": "u2"})
        assert [(row["id"], row["memory"]) for row in listed["results"]] == [(theirs, "我喜欢喝茶")]


@proves("stdio:key", "permission")
@pytest.mark.parametrize("way", ["option", "variable"])
async def test_a_process_with_a_key_may_do_what_the_key_may(
    tmp_path: Path, place: str, store: dict[str, str], way: str
) -> None:
    folder = tmp_path / "data"
    await store_key(place, READER, user_id="u1", permissions=["memory:read"])
    arguments, settings = (["--api-key", READER], {}) if way == "option" else ([], {"mcp_key": READER})
    async with yiku_mcp(folder, *arguments, **settings, **store) as client:
        assert (await call(client, "memory_get_all", filters={"user_id": "u1"}))["count"] == 0
        assert await refusal(client, "memory_get_all", filters={"user_id": "u2"}) == "PermissionDenied"
        assert await refusal(client, "memory_add", messages="我喜欢喝咖啡", user_id="u1") == "PermissionDenied"


@proves("stdio:key")
async def test_the_configured_key_is_a_key_of_this_process_too(tmp_path: Path, store: dict[str, str]) -> None:
    async with yiku_mcp(tmp_path / "data", "--api-key", KEY, "--user", "u1", api_key=KEY, **store) as client:
        await remember(client, "我喜欢喝咖啡", "u1")
        assert await refusal(client, "memory_get_all", filters={"user_id": "u2"}) == "PermissionDenied"


@proves("stdio:bad-key")
@pytest.mark.parametrize(
    ("arguments", "settings", "said"),
    [
        (["--api-key", "wrong"], {}, "This API key is not known here"),
        ([], {"mcp_key": "wrong"}, "This API key is not known here"),
        (["--api-key", READER, "--user", "u2"], {}, "This API key is bound to another user_id"),
        (["--user", "*"], {}, "--user must name one"),
    ],
)
async def test_a_key_or_user_that_is_not_good_ends_the_start_with_a_sentence(
    tmp_path: Path, place: str, store: dict[str, str], arguments: list[str], settings: dict[str, str], said: str
) -> None:
    folder = tmp_path / "data"
    await store_key(place, READER, user_id="u1", permissions=["memory:read"])
    code, out, err = await run(folder, "mcp", *arguments, **settings, **store)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


@proves("stdio:one-library")
async def test_what_is_added_over_stdio_is_found_over_http_and_the_other_way_round(
    tmp_path: Path, store: dict[str, str]
) -> None:
    folder = tmp_path / "data"
    async with serving(folder, api_key=KEY, **store) as server, yiku_mcp(folder, **store) as client:
        added = await call(client, "memory_add", messages="我喜欢喝咖啡", user_id="u1")
        assert (await server.settled(added["event_id"]))["status"] == "SUCCEEDED"
        search = {"query": "咖啡", "filters": {"AND": [{"user_id": "u1"}]}}
        over_http = await server.call("memory_search", search)
        assert "咖啡" in over_http["results"][0]["memory"]
        assert await call(client, "memory_search", **search) == over_http
        await server.call("memory_delete", {"memory_id": over_http["results"][0]["id"]})
        assert (await call(client, "memory_search", **search))["results"] == []
