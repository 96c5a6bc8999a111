"""The examples of the pages are run: commands against a server as a user starts it, requests against a door."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import KEY, serving
from tests.wire.opensearch_mcp.conftest import Door, open_door

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {page.stem: page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "dialects").glob("*.md"))}
DIALECTS = {name: page for name, page in PAGES.items() if '"memory_add"' in page}
"""Those that speak MCP about memories; the pages of the others have tests of their own."""
ADDRESS = "127.0.0.1:8787"
EVENT_ID = "me-06bde8b5-d123-43cf-9898-64d08fbfaafc"
MEMORY_ID = "m-8d0417d7-9368-4777-9016-b7ee6daeb70b"
"""The ids that the pages show."""


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def commands(page: str) -> list[str]:
    return [block for block in blocks(page, "sh") if "curl " in block]


def shape(value: Any) -> Any:
    """Keys and types."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else type(value)


async def answer(command: str, url: str) -> dict[str, Any]:
    """The structured result of a printed tool call."""
    result = (await printed(command, url))["result"]
    assert result["isError"] is False, result
    structured: dict[str, Any] = result["structuredContent"]
    return structured


async def printed(command: str, url: str) -> dict[str, Any]:
    """What a printed command prints, with our server and key in the place of the page's."""
    placed = command.replace(f"http://{ADDRESS}", url).replace("yk_…", KEY).replace("YOUR_KEY", KEY)
    shell = await asyncio.create_subprocess_exec(
        "bash", "-euc", placed,
        env=os.environ | {"KEY": KEY}, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, errors = await shell.communicate()
    assert shell.returncode == 0, errors
    told: dict[str, Any] = json.loads(out)
    return told


async def test_the_readmes_commands_give_the_readmes_answers(tmp_path: Path) -> None:
    add, search, search_by_rest = commands(README)
    printed_event, printed_results = [json.loads(block) for block in blocks(README, "json")[:2]]
    async with serving(tmp_path / "data", api_key=KEY) as server:
        added = await answer(add, server.url)
        assert added == printed_event | {"event_id": added["event_id"]}
        event = await server.settled(added["event_id"])
        found = await answer(search, server.url)
        assert (await printed(search_by_rest, server.url))["results"] == found["results"]
    assert {row["id"] for row in found["results"]} == set(event["memory_ids"])
    assert {row["memory"] for row in found["results"]} == {row["memory"] for row in printed_results["results"]}
    assert shape(found) == shape(printed_results)


@pytest.mark.parametrize("name", DIALECTS)
async def test_the_commands_of_a_dialects_page_work(tmp_path: Path, name: str) -> None:
    found = commands(DIALECTS[name])
    assert found
    async with serving(tmp_path / "data", api_key=KEY) as server:
        for command in found:
            assert (await answer(command, server.url))["status"] == "PENDING"


@pytest.mark.parametrize("name", DIALECTS)
async def test_every_request_on_a_dialects_page_succeeds(tmp_path: Path, name: str) -> None:
    examples = [json.loads(block) for block in blocks(DIALECTS[name], "json")]
    requests = [example for example in examples if "method" in example]
    assert requests
    async with open_door(tmp_path) as door:
        ids: dict[str, str] = {}
        for request in requests:
            result = await _answered(door, request, ids)
            assert result["isError"] is False, (request, result)
            if request["params"]["name"] == "memory_add":
                ids = await _remembered(door, result["structuredContent"]["event_id"])
            elif ids:
                found_nothing = [key for key in ("count", "total") if result["structuredContent"].get(key) == 0]
                assert not found_nothing, (request, result)


async def _answered(door: Door, request: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    body = json.dumps(request)
    for shown, ours in ids.items():
        body = body.replace(shown, ours)
    response = await door.post(body)
    assert response.status_code == 200, response.text
    result: dict[str, Any] = response.json()["result"]
    return result


async def _remembered(door: Door, event_id: str) -> dict[str, str]:
    """The ids to put in the place of those on the page."""
    await door.work()
    event = await door.call("memory_event_status_get", event_id=event_id)
    return {EVENT_ID: event_id, MEMORY_ID: event["memory_ids"][0]}
