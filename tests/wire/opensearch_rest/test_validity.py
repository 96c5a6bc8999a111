"""What do the calls show of a value that changed over time, and how is it asked for?"""

from __future__ import annotations

from typing import Any

from .conftest import Door
from .requirements import proves

FILTERS = {"AND": [{"user_id": "u"}]}


async def moved(door: Door) -> tuple[str, str]:
    """The ids of the memories of the old home and of the new one."""
    [old] = await door.remember("I live in Berlin", run_id="r1", metadata={"timestamp": "2023-05-01"})
    [new] = await door.remember("I live in Munich", run_id="r2", metadata={"timestamp": "2024-05-01"})
    return old, new


@proves("search:as-of")
async def test_searches_and_lists_are_narrowed_to_a_time_and_to_other_runs(door: Door) -> None:
    old, new = await moved(door)

    async def ids(path: str, **more: Any) -> list[str]:
        answer = await door.call("POST", path, {"filters": FILTERS, **more})
        return [row["id"] for row in answer["results"]]

    where = "where does the user live"
    assert await ids("/memories/list") == await ids("/memories/search", query=where) == [new]
    then = "2023-12-31T00:00:00Z"
    assert await ids("/memories/list", as_of=then) == await ids("/memories/search", query=where, as_of=then) == [old]
    assert await ids("/memories/search", query=where, exclude_run_id="r2") == []
    assert await ids("/memories/search", query=where, exclude_run_id="r1") == [new]


@proves("result:validity", "history")
async def test_the_history_of_a_memory_shows_the_other_values_of_its_slot(door: Door) -> None:
    old, new = await moved(door)
    for memory_id in (old, new):
        history = await door.call("GET", f"/memories/{memory_id}/history")
        assert [row["id"] for row in history["values"]] == [old, new]
        past, present = history["values"]
        assert (past["valid_until"], past["superseded_by"]) == (present["valid_from"], new)
        assert [len(row["evidence"]) for row in history["values"]] == [1, 1]


@proves("search:explain")
async def test_an_explained_search_shows_what_each_place_was_made_of(door: Door) -> None:
    await moved(door)
    asked = {"filters": FILTERS, "query": "where does the user live"}
    [plain] = (await door.call("POST", "/memories/search", asked))["results"]
    [explained] = (await door.call("POST", "/memories/search", {**asked, "explain": True}))["results"]
    assert "explain" not in plain
    assert set(explained["explain"]) == {"words", "words_around", "vector", "vector_around", "whom", "then", "answer"}
