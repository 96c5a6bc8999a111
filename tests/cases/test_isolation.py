"""Does every way to read see its own user, run and filter only, whatever these are called?"""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Doors
from .ledger import proves


@proves("B036")
async def test_every_way_to_read_is_bound_to_the_user(doors: Doors) -> None:
    [memory_id] = (await doors.add("我的密码提示是蓝色", "u1"))["results"]
    await doors.add("我喜欢蓝色", "u2")
    assert await doors.found("蓝色 密码提示", "u2") == [row["memory"] for row in await doors.listed("u2")]
    assert len(await doors.listed("u2")) == 1
    nested = {"AND": [{"user_id": "u2"}, {"OR": [{"user_id": "u1"}, {"source": "x"}]}]}
    refused = await doors.rest.ask("POST", "/memories/search", {"query": "蓝色", "filters": nested})
    assert refused.status_code == 400
    assert "user_id" in await doors.refused_tool("memory_search", query="蓝色", filters=nested)
    assert memory_id in [row["id"] for row in await doors.listed("u1")]


@proves("B038")
async def test_a_rare_match_is_found_among_many_that_the_filter_drops(doors: Doors) -> None:
    tea = [{"role": "user", "content": f"I like green tea number {number}"} for number in range(200)]
    await doors.add(tea, metadata={"cat": "a"})
    await doors.add("I have a dentist's appointment on Monday", metadata={"cat": "b"})
    assert len(await doors.found("green tea", conditions={"cat": "b"})) == 1


@proves("B039", "B041")
@pytest.mark.parametrize("odd", [{"agent_id": ""}, {"agent_id": " "}, {"run_id": 7}, {"user_id": 123}, {"user_id": ""}])
async def test_an_id_that_is_none_is_refused_the_same_way_everywhere(doors: Doors, odd: dict[str, Any]) -> None:
    add = {"messages": "I like tea", "user_id": "u", **odd}
    search = {"query": "tea", "filters": {"AND": [{"user_id": "u", **odd}]}}
    for path, body in (("add", add), ("search", search), ("list", {"filters": search["filters"]})):
        assert (await doors.rest.ask("POST", f"/memories/{path}", body)).status_code == 400, path
    [name] = odd
    for tool, arguments in (("memory_add", add), ("memory_search", search)):
        assert name in await doors.refused_tool(tool, **arguments)


@proves("B043")
@pytest.mark.parametrize("odd", ["main", "user-1", "_", "or", "a b", "用户#1", 'a"b', "a/b", "%", "NOT (x)", "*a"])
async def test_ids_of_any_letters_and_signs_work(doors: Doors, odd: str) -> None:
    await doors.add("I like tea", odd, run_id=odd)
    await doors.add("I like tea", "somebody else")
    assert len(await doors.found("tea", odd)) == 1
    assert len(await doors.found("tea", odd, conditions={"run_id": odd})) == 1


@proves("B044")
async def test_a_limit_to_runs_holds_for_words_and_vectors_and_an_empty_one_finds_nothing(doors: Doors) -> None:
    await doors.add("I like green tea", run_id="r1")
    await doors.add("I drink black tea each morning", run_id="r2")
    for query in ("tea", "what does the user drink", "green"):
        [only] = await doors.found(query, conditions={"run_id": "r2"})
        assert "black" in only
        for nothing in ([], {"in": []}):
            assert await doors.found(query, conditions={"run_id": nothing}) == []
    assert await doors.listed(run_id=[]) == []
