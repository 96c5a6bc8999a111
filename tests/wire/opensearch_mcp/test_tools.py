"""What the tools do with arguments that fit, and how their results look. Searches and events: their own files."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from yiku.core.memory.records import MEMORY, memory_of
from yiku.model.limits import Limits
from yiku.model.scopes import user_partition
from yiku.wire.opensearch_mcp.tools import TOOLS

from .conftest import Door, open_door
from .requirements import proves


async def texts(door: Door, **filters: Any) -> list[str]:
    """The memories that an exact filter finds, oldest first."""
    page = await door.call("memory_get_all", filters={"user_id": "u", **filters})
    return [row["memory"] for row in reversed(page["results"])]


async def found(door: Door, *conditions: dict[str, Any], **more: Any) -> list[str]:
    arguments = {"query": "tea", "filters": {"AND": [{"user_id": "u"}, *conditions]}, **more}
    return sorted(row["memory"] for row in (await door.call("memory_search", **arguments))["results"])


@proves("add:messages-string", "add:infer-false")
async def test_one_text_kept_as_it_is_becomes_one_memory(door: Door) -> None:
    text = "Tea: Assam.\nCoffee: 美式 ☕"
    [memory_id] = await door.remember(text, infer=False)
    assert (await door.call("memory_get", memory_id=memory_id))["memory"] == text


@proves("add:messages-json-text")
async def test_a_text_that_looks_like_json_is_a_text(door: Door) -> None:
    text = '[{"role": "user", "content": "I like tea"}]'
    await door.remember(text, infer=False)
    assert await texts(door) == [text]


@proves("add:messages-object")
async def test_one_message_needs_no_role(door: Door) -> None:
    await door.remember({"content": "I like tea"}, infer=False)
    await door.remember({"role": "assistant", "content": "Noted: tea"}, infer=False)
    assert await texts(door) == ["I like tea", "Noted: tea"]


@proves("add:messages-array")
async def test_a_dialogue_keeps_its_speakers(door: Door) -> None:
    dialogue = [{"role": "user", "content": "I like tea", "name": "Ann"}, {"role": "assistant", "content": "So do I"}]
    await door.remember(dialogue, infer=False)
    assert await texts(door) == ["Ann: I like tea\nassistant: So do I"]


@proves("add:parts")
async def test_the_text_parts_of_a_message_are_read_and_the_others_passed_over(door: Door) -> None:
    parts = [
        {"type": "text", "text": "I like tea"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "input_text", "text": "and scones"},
    ]
    picture = {"role": "user", "content": parts[1:2]}
    await door.remember([picture, {"role": "user", "content": parts}], infer=False)
    assert await texts(door) == ["I like tea\nand scones"]


@proves("add:name")
async def test_a_name_says_who_spoke_and_is_found(door: Door) -> None:
    [named] = await door.remember({"role": "user", "name": "Caroline", "content": "Darjeeling forever"}, infer=False)
    await door.remember({"role": "user", "content": "Darjeeling is fine"}, infer=False)
    assert (await door.call("memory_get", memory_id=named))["memory"] == "Darjeeling forever"
    about_her = {"query": "Caroline", "filters": {"AND": [{"user_id": "u"}]}, "threshold": 0.5}
    assert [row["id"] for row in (await door.call("memory_search", **about_her))["results"]] == [named]


@proves("add:tool-turns")
async def test_turns_that_only_call_a_tool_and_foreign_keys_are_passed_over(door: Door) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "brew", "arguments": "{}"}}
    await door.remember(
        [
            {"role": "user", "content": "I like tea", "id": "x", "timestamp": 17, "annotations": []},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "assistant", "content": "", "tool_calls": [call], "refusal": None},
            {"role": "assistant", "function_call": {"name": "brew", "arguments": "{}"}},
            {"role": "tool", "content": "brewed", "tool_call_id": "c1"},
        ],
        infer=False,
    )
    assert await texts(door) == ["user: I like tea\ntool: brewed"]


@proves("add:tool-turns")
async def test_a_turn_without_content_that_calls_no_tool_after_all_is_passed_over(door: Door) -> None:
    turns = [{"role": "assistant", "tool_calls": []}, {"role": "user", "content": "我搬到杭州了"}]
    await door.remember(turns, infer=False)
    assert await texts(door) == ["我搬到杭州了"]


@proves("add:dimensions", "list:filters", "search:filters", "default-is-none")
async def test_agents_and_runs_narrow_lists_and_searches(door: Door) -> None:
    await door.remember("green tea", agent_id="a", run_id="r", infer=False)
    await door.remember("black tea", agent_id="a", infer=False)
    await door.remember("white tea", agent_id="__default__", run_id=None, infer=False)
    assert await texts(door) == ["green tea", "black tea", "white tea"]
    assert await texts(door, agent_id="a") == ["green tea", "black tea"]
    assert await texts(door, agent_id="a", run_id="r") == ["green tea"]
    assert await texts(door, agent_id="__default__") == ["white tea"]
    assert await texts(door, run_id=None) == ["black tea", "white tea"]
    assert await found(door, {"agent_id": "a"}) == ["black tea", "green tea"]
    assert await found(door, {"agent_id": "a"}, {"run_id": "r"}) == ["green tea"]
    assert await found(door, {"agent_id": "a", "run_id": "__default__"}) == ["black tea"]
    assert await found(door, {"agent_id": "b"}) == []


@proves("add:metadata", "list:filters", "search:filters")
async def test_metadata_comes_back_as_given_and_can_be_asked_for_exactly(door: Door) -> None:
    metadata = {"source": "chat", "stars": 5, "tags": ["hot", "leaf"], "cup": {"size": 2}, "iced": False, "note": None}
    [green] = await door.remember("green tea", metadata=metadata, infer=False)
    await door.remember("black tea", metadata={"source": "mail", "stars": "5"}, infer=False)
    assert (await door.call("memory_get", memory_id=green))["metadata"] == metadata
    for condition in (
        {"source": "chat"},
        {"stars": 5},
        {"tags": "leaf"},
        {"tags": ["hot", "leaf"]},
        {"cup": {"size": 2}},
    ):
        assert await texts(door, **condition) == ["green tea"], condition
        assert await found(door, condition) == ["green tea"], condition
    assert await texts(door, iced=False, note=None) == ["green tea"]
    assert await texts(door, stars="5") == ["black tea"]
    assert await texts(door, source="CHAT") == []


@proves("add:timestamp")
@pytest.mark.parametrize("timestamp", ["2026-06-02T08:39:21Z", "2026-06-02T16:39:21+08:00", "2026-06-02 08:39:21"])
async def test_the_timestamp_comes_back_as_given_and_is_stored_as_a_time(door: Door, timestamp: str) -> None:
    [memory_id] = await door.remember("I leave tomorrow", metadata={"timestamp": timestamp}, infer=False)
    search = {"query": "leave", "filters": {"AND": [{"user_id": "u"}]}}
    for shown in (
        await door.call("memory_get", memory_id=memory_id),
        (await door.call("memory_get_all", filters={"user_id": "u"}))["results"][0],
        (await door.call("memory_search", **search))["results"][0],
    ):
        assert (shown["metadata"], shown["memory"]) == ({"timestamp": timestamp}, "I leave tomorrow")
    [stored] = await door.ports.storage.get(user_partition("default", "u"), MEMORY, [memory_id])
    assert memory_of(stored, user_partition("default", "u")).anchor == datetime(2026, 6, 2, 8, 39, 21, tzinfo=UTC)


@proves("times")
async def test_times_are_utc_with_microseconds_on_every_tool(door: Door) -> None:
    [memory_id] = await door.remember("green tea", infer=False)
    shown = [
        await door.call("memory_get", memory_id=memory_id),
        (await door.call("memory_get_all", filters={"user_id": "u"}))["results"][0],
        (await door.call("memory_search", query="tea", filters={"AND": [{"user_id": "u"}]}))["results"][0],
        await door.call("memory_update", memory_id=memory_id, text="black tea"),
    ]
    times = [value for result in shown for key, value in result.items() if key in ("created_at", "updated_at")]
    assert len(times) == 7
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", time) for time in times)


@proves("list:result", "list:paging")
async def test_a_list_counts_all_and_shows_a_page(door: Door) -> None:
    for number in range(5):
        await door.remember(f"tea number {number}", infer=False)
    first = await door.call("memory_get_all", filters={"user_id": "u"}, page_size=2)
    second = await door.call("memory_get_all", filters={"user_id": "u"}, page=2, page_size=2)
    last = await door.call("memory_get_all", filters={"user_id": "u"}, page=3, page_size=2)
    beyond = await door.call("memory_get_all", filters={"user_id": "u"}, page=4, page_size=2)
    pages = [[row["memory"][-1] for row in page["results"]] for page in (first, second, last, beyond)]
    assert pages == [["4", "3"], ["2", "1"], ["0"], []]
    assert [page["count"] for page in (first, second, last, beyond)] == [5] * 4


@proves("list:order")
async def test_a_list_shows_the_newest_memory_first_whatever_was_changed_since(door: Door) -> None:
    first, *_ = [(await door.remember(text, infer=False))[0] for text in ("tea, tea, tea", "coffee", "tea")]
    await door.call("memory_update", memory_id=first, text="tea, tea, tea, tea")
    listed = await door.call("memory_get_all", filters={"user_id": "u"})
    assert [row["memory"] for row in listed["results"]] == ["tea", "coffee", "tea, tea, tea, tea"]
    assert "newest first" in TOOLS["memory_get_all"].description


@proves("list:window")
async def test_the_last_page_of_the_window_is_cut_at_its_end(tmp_path: Path) -> None:
    async with open_door(tmp_path, limits=Limits(page_window=3)) as door:
        for number in range(5):
            await door.remember(f"tea number {number}", infer=False)
        page = await door.call("memory_get_all", filters={"user_id": "u"}, page=2, page_size=2)
        assert (page["count"], len(page["results"])) == (5, 1)


@proves("null-is-absent")
async def test_an_explicit_null_is_the_same_as_leaving_it_out(door: Door) -> None:
    await door.remember("green tea", agent_id=None, run_id=None, metadata=None, infer=None)
    search = {"query": "tea", "filters": {"AND": [{"user_id": "u"}]}}
    with_nulls = await door.call("memory_search", **search, top_k=None, threshold=None, rerank=None)
    assert with_nulls == await door.call("memory_search", **search)
    assert (await door.call("memory_get_all", filters={"user_id": "u"}, page=None, page_size=None))["count"] == 1


@proves("json-text-objects")
async def test_filters_and_metadata_may_come_as_json_text(door: Door) -> None:
    await door.remember("green tea", metadata='{"source": "chat"}', infer=False)
    found_rows = await door.call(
        "memory_search", query="tea", filters='{"AND": [{"user_id": "u"}, {"source": "chat"}]}'
    )
    assert found_rows["total"] == 1
    assert (await door.call("memory_get_all", filters='{"user_id": "u"}'))["count"] == 1


@proves("bad:surrogate")
async def test_a_proper_surrogate_pair_is_one_character(door: Door) -> None:
    [memory_id] = await door.remember("tea \U0001f375", infer=False)
    response = await door.post(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_update","arguments":'
        f'{{"memory_id":"{memory_id}","text":"\\ud83c\\udf75"}}}}}}'
    )
    assert response.json()["result"]["structuredContent"]["memory"] == "\U0001f375"


@proves("update:result", "delete:result", "delete:gone", "bad:ids")
async def test_an_updated_memory_keeps_its_id_and_a_deleted_one_is_gone(door: Door) -> None:
    [memory_id] = await door.remember("green tea", metadata={"source": "chat"}, infer=False)
    before = await door.call("memory_get", memory_id=memory_id)
    await door.call("memory_update", memory_id=memory_id, text="black coffee")
    assert await found(door, query="coffee", threshold=0.5) == ["black coffee"]
    after = await door.call("memory_get", memory_id=memory_id)
    assert after == before | {"memory": "black coffee", "updated_at": after["updated_at"]}
    await door.call("memory_delete", memory_id=memory_id)
    assert await texts(door) == await found(door) == []
    assert (await door.result("memory_get", {"memory_id": memory_id}))["isError"] is True
    assert (await door.result("memory_delete", {"memory_id": memory_id}))["isError"] is True
