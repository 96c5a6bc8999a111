"""The official client, as people use it: over HTTP in both eras, and over stdio with a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from yiku.wire.opensearch_mcp.routes import PATH
from yiku.wire.opensearch_mcp.tools import TOOLS

from .conftest import URL, Door
from .requirements import proves
from .test_stdio import INITIALIZE, line

ERAS: dict[str, str] = {"legacy": "2025-11-25", "auto": "2026-07-28"}


def over_http(door: Door) -> Any:
    """The client's own transport, with the door behind it in process."""
    client = httpx2.AsyncClient(
        transport=httpx2.ASGITransport(door.app), headers={"authorization": f"Bearer {door.key}"}
    )
    return streamable_http_client(f"{URL}{PATH}", http_client=client)


@proves("handshake-era", "stateless-era")
@pytest.mark.parametrize("mode", ERAS)
async def test_the_official_client_remembers_finds_and_forgets(door: Door, mode: Literal["legacy", "auto"]) -> None:
    async with Client(over_http(door), mode=mode) as client:
        assert client.protocol_version == ERAS[mode]
        tools = (await client.list_tools()).tools
        assert len(tools) == len(TOOLS)
        event = await client.call_tool("memory_add", {"messages": "我喜欢喝咖啡", "user_id": "u"})
        assert event.structured_content["status"] == "PENDING"
        await door.work()
        status = await client.call_tool("memory_event_status_get", {"event_id": event.structured_content["event_id"]})
        [memory_id] = status.structured_content["memory_ids"]
        # The client checks every structured result against the tool's output schema.
        filters = {"AND": [{"user_id": "u"}]}
        found = await client.call_tool("memory_search", {"query": "咖啡", "filters": filters})
        assert found.structured_content["results"][0]["id"] == memory_id
        assert (await client.call_tool("memory_get", {"memory_id": memory_id})).is_error is False
        listed = await client.call_tool("memory_get_all", {"filters": {"user_id": "u"}})
        assert listed.structured_content["count"] == 1
        await client.call_tool("memory_update", {"memory_id": memory_id, "text": "用户偏好拿铁咖啡"})
        await client.call_tool("memory_delete", {"memory_id": memory_id})
        gone = await client.call_tool("memory_get", {"memory_id": memory_id})
        assert (gone.is_error, gone.structured_content) == (True, None)


@proves("handshake-era", "stateless-era")
@pytest.mark.parametrize("mode", ERAS)
async def test_the_official_client_may_ask_for_progress(door: Door, mode: Literal["legacy", "auto"]) -> None:
    async def ignore(progress: float, total: float | None, message: str | None) -> None:
        return

    async with Client(over_http(door), mode=mode) as client:
        result = await client.call_tool("memory_get_all", {"filters": {"user_id": "u"}}, progress_callback=ignore)
        assert result.structured_content == {"count": 0, "results": []}


@proves("stdio", "stdio:clean")
@pytest.mark.parametrize("mode", ERAS)
async def test_the_official_client_starts_yiku_as_a_process(tmp_path: Path, mode: Literal["legacy", "auto"]) -> None:
    async with Client(_yiku_mcp(tmp_path), mode=mode) as client:
        assert client.protocol_version == ERAS[mode]
        assert len((await client.list_tools()).tools) == len(TOOLS)
        event = await client.call_tool("memory_add", {"messages": "我喜欢喝咖啡", "user_id": "u"})
        assert event.structured_content["status"] == "PENDING"


@proves("stdio:clean", "stdio:utf8")
def test_a_process_answers_what_it_read_under_any_locale_and_prints_nothing_else(tmp_path: Path) -> None:
    command = _yiku_mcp(tmp_path)
    said = b"{broken\n" + line(INITIALIZE)
    environment = {**os.environ, **(command.env or {}), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    process = subprocess.run(
        [command.command, *command.args], input=said, capture_output=True, env=environment, timeout=60, check=True
    )
    broken, greeting = process.stdout.decode("utf-8").splitlines()
    assert '"code":-32700' in broken
    assert "忆库" in greeting


def _yiku_mcp(folder: Path) -> StdioServerParameters:
    environment = {"YIKU_DATA_DIR": str(folder), "YIKU_EMBEDDER": "hashed"}
    return StdioServerParameters(command=sys.executable, args=["-m", "yiku", "mcp"], env=environment)
