"""Which conditions may a filter hold, and what does each find?"""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Door
from .requirements import proves

TOLD: dict[str, dict[str, Any]] = {
    "one": {"stars": 1, "source": "chat", "tags": ["red", "blue"], "urgent": True},
    "two": {"stars": 2, "source": "mail", "tags": ["blue"], "urgent": "True"},
    "three": {"stars": 3.5, "source": "50%_chat"},
    "four": {"stars": "3"},
}


async def listed(door: Door, **conditions: Any) -> set[str]:
    """By a list and by a search: both must agree."""
    page = await door.call("memory_get_all", filters={"user_id": "u", **conditions})
    found = await door.call("memory_search", query="note", filters={"AND": [{"user_id": "u"}, conditions]}, top_k=100)
    texts = {row["memory"].removeprefix("note ") for row in page["results"]}
    assert texts == {row["memory"].removeprefix("note ") for row in found["results"]}
    return texts


@pytest.fixture
async def told(door: Door) -> Door:
    for number, (name, metadata) in enumerate(TOLD.items()):
        await door.remember(f"note {name}", metadata=metadata, infer=False, run_id=f"r{number}")
    return door


@proves("filters:operators")
async def test_operators_compare_values_of_one_type(told: Door) -> None:
    for conditions, expected in (
        ({"stars": {"gte": 2}}, {"two", "three"}),
        ({"stars": {"gt": 1, "lt": 3}}, {"two"}),
        ({"stars": {"lte": 2}}, {"one", "two"}),
        ({"stars": {"gte": "3"}}, {"four"}),
        ({"stars": {"eq": 2}}, {"two"}),
        ({"stars": {"ne": 2}}, {"one", "three", "four"}),
        ({"stars": {"in": [1, 3.5]}}, {"one", "three"}),
        ({"stars": {"in": []}}, set()),
        ({"source": {"contains": "chat"}}, {"one", "three"}),
        ({"source": {"contains": "%_"}}, {"three"}),
        ({"tags": {"contains": "red"}}, {"one"}),
        ({"tags": {"in": [["blue"], "red"]}}, {"one", "two"}),
        ({"urgent": True}, {"one"}),
        ({"run_id": {"in": ["r1", "r2"]}}, {"two", "three"}),
        ({"run_id": ["r1", "r2"]}, {"two", "three"}),
        ({"run_id": {"in": []}}, set()),
        ({"run_id": []}, set()),
        ({"run_id": {"ne": "r0"}}, {"two", "three", "four"}),
        ({"run_id": {"contains": "3"}}, {"four"}),
    ):
        assert await listed(told, **conditions) == expected, conditions


@proves("filters:operators")
async def test_several_operators_on_one_key_all_hold(told: Door) -> None:
    apart = {"AND": [{"user_id": "u"}, {"stars": {"gte": 2}}, {"stars": {"lte": 3}}]}
    found = await told.call("memory_search", query="note", filters=apart)
    assert [row["memory"] for row in found["results"]] == ["note two"]
    assert await listed(told, stars={"gte": 2, "lte": 3}) == {"two"}


@proves("filters:connectives")
async def test_conditions_are_joined_by_or_not_and_and(told: Door) -> None:
    for conditions, expected in (
        ({"OR": [{"stars": 1}, {"source": "mail"}]}, {"one", "two"}),
        ({"NOT": {"stars": {"gte": 2}}}, {"one", "four"}),
        ({"NOT": [{"stars": 1}, {"stars": 2}]}, {"three", "four"}),
        ({"OR": [{"AND": [{"stars": 1}, {"source": "mail"}]}, {"stars": 2, "source": "mail"}]}, {"two"}),
        ({"OR": [{"NOT": {"tags": "blue"}}, {"stars": 1}], "run_id": {"ne": "r3"}}, {"one", "three"}),
    ):
        assert await listed(told, **conditions) == expected, conditions


@proves("search:exclude-run")
async def test_a_search_may_leave_out_the_run_that_asks(told: Door) -> None:
    filters = {"AND": [{"user_id": "u"}]}
    found = await told.call("memory_search", query="note", filters=filters, exclude_run_id="r0")
    assert {row["memory"] for row in found["results"]} == {"note two", "note three", "note four"}
