"""Does a filter mean exactly what it says, and is it refused where it means nothing?"""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Doors
from .ledger import proves


@proves("B046")
async def test_all_operators_on_one_key_hold_wherever_they_stand(doors: Doors) -> None:
    for rank in range(1, 5):
        await doors.add(f"I like tea number {rank}", metadata={"rank": rank})
    apart = {"filters": {"AND": [{"user_id": "u"}, {"rank": {"gte": 2}}, {"rank": {"lte": 3}}]}}
    found = await doors.rest.call("POST", "/memories/list", apart)
    assert {row["metadata"]["rank"] for row in found["results"]} == {2, 3}
    assert {row["metadata"]["rank"] for row in await doors.listed(rank={"gte": 2, "lte": 3})} == {2, 3}


@proves("B048")
async def test_values_compare_exactly(doors: Doors) -> None:
    await doors.add("I like tea", metadata={"urgent": True, "p": "50%_x"})
    for matching in ({"urgent": True}, {"p": "50%_x"}, {"p": {"contains": "%_"}}):
        assert len(await doors.listed(**matching)) == 1, matching
    others: list[dict[str, Any]] = [
        {"urgent": "true"}, {"urgent": "True"}, {"urgent": 1}, {"p": "50%"}, {"p": "50__x"}, {"p": "50%_X"},
        {"p": {"contains": "__"}}, {"p": {"in": ["50%", "%"]}},
    ]  # fmt: skip
    for other in others:
        assert await doors.listed(**other) == [], other


@proves("B049")
@pytest.mark.parametrize("key", ["a') OR 1=1 --", 'x" OR "1"="1', "$.a", "a[0]", "'; DROP TABLE record; --"])
async def test_a_key_is_only_ever_a_key(doors: Doors, key: str) -> None:
    await doors.add("I like tea")
    for value in ("x", {"gte": 1}, {"contains": "x"}, {"in": ["x"]}):
        assert await doors.listed(**{key: value}) == []
    await doors.add("I like coffee", metadata={key: "x"})
    assert len(await doors.listed(**{key: "x"})) == 1


@proves("B051")
@pytest.mark.parametrize(
    "filters",
    [
        {},
        [],
        "x",
        {"AND": []},
        {"AND": [{}]},
        {"AND": [{"source": "x"}]},
        {"AND": {"user_id": "u"}},
        {"OR": [{"a": 1}]},
    ],
)
async def test_filters_that_are_none_are_the_callers_mistake(doors: Doors, filters: Any) -> None:
    for path, more in (("search", {"query": "tea"}), ("list", {}), ("delete", {})):
        response = await doors.rest.ask("POST", f"/memories/{path}", {"filters": filters, **more})
        assert response.status_code == 400, (path, response.text)
    assert "InvalidParameter" in await doors.refused_tool("memory_search", query="tea", filters=filters)


@proves("B051")
async def test_each_doors_form_is_refused_at_the_other(doors: Doors) -> None:
    flat, wrapped = {"user_id": "u"}, {"AND": [{"user_id": "u"}]}
    assert "AND" in await doors.refused_tool("memory_search", query="tea", filters=flat)
    assert "flat" in await doors.refused_tool("memory_get_all", filters=wrapped)
