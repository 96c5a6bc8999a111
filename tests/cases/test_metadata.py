"""Is the caller's metadata kept as it was given, and never more than metadata?"""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Doors
from .ledger import proves


@proves("B016")
async def test_an_update_of_the_text_leaves_the_metadata_and_keys_are_merged(doors: Doors) -> None:
    given = {"source": "chat", "priority": 3}
    [memory_id] = (await doors.add("I like tea", metadata=given))["results"]
    await doors.rest.call("PUT", f"/memories/{memory_id}", {"text": "Likes coffee"})
    await doors.tool("memory_update", memory_id=memory_id, text="Likes cocoa")
    assert (await doors.rest.call("GET", f"/memories/{memory_id}"))["metadata"] == given
    await doors.rest.call("PUT", f"/memories/{memory_id}", {"metadata": {"priority": 1}})
    assert (await doors.tool("memory_get", memory_id=memory_id))["metadata"] == given | {"priority": 1}


@proves("B018")
@pytest.mark.parametrize("key", ["user_id", "agent_id", "run_id"])
async def test_metadata_cannot_name_the_owner(doors: Doors, key: str) -> None:
    body = {"messages": "I like tea", "user_id": "u", "metadata": {key: "other"}}
    assert (await doors.rest.ask("POST", "/memories/add", body)).status_code == 400
    assert f"metadata.{key}" in await doors.refused_tool("memory_add", **body)
    assert await doors.listed("other") == []


@proves("B019")
async def test_a_memory_has_both_times_from_the_start(doors: Doors) -> None:
    for infer in (True, False):
        [memory_id] = (await doors.add("I like tea", infer=infer))["results"]
        memory = await doors.rest.call("GET", f"/memories/{memory_id}")
        assert memory["updated_at"] == memory["created_at"]


@proves("B021")
@pytest.mark.parametrize("value", [None, [None], {"deep": None}, [], {}])
async def test_a_null_in_metadata_breaks_nothing_later(doors: Doors, value: Any) -> None:
    await doors.add("I like tea", metadata={"ocr": value})
    assert len(await doors.found("tea")) == 1
    assert (await doors.listed())[0]["metadata"] == {"ocr": value}


@proves("B023")
async def test_values_stay_as_they_are_when_facts_are_merged(doors: Doors) -> None:
    for category in ("bugfix", "Bug Fix"):
        await doors.add("I like tea", metadata={"category": category})
    await doors.add("I live in Berlin", metadata={"category": "place"})
    await doors.add("I currently live in Berlin", metadata={"category": "Place!"})
    for category in ("bugfix", "Bug Fix", "place", "Place!"):
        assert len(await doors.listed(category=category)) == 1, category
    assert {row["metadata"]["category"] for row in await doors.listed()} == {"bugfix", "place"}


@proves("B024")
async def test_a_timestamp_is_returned_wherever_a_memory_is_shown(doors: Doors) -> None:
    stamp = {"timestamp": "2023-05-24T08:00:00+08:00"}
    [memory_id] = (await doors.add("I like tea", metadata=stamp))["results"]
    body = {"query": "tea", "filters": {"AND": [{"user_id": "u"}]}}
    shown = [
        await doors.rest.call("GET", f"/memories/{memory_id}"),
        *(await doors.rest.call("POST", "/memories/search", body))["results"],
        *await doors.listed(),
    ]
    assert [row["metadata"] for row in shown] == [stamp] * 3
