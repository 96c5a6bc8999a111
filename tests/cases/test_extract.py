"""Does what becomes a memory say what was said, by whom it was said, and nothing else?"""

from __future__ import annotations

import pytest

from .conftest import Doors
from .ledger import proves


@proves("B079")
@pytest.mark.parametrize(
    ("false", "denial", "word"),
    [
        ("我去年在火星旅馆住过三个月", "那不是我", "火星"),
        ("I once lived on a boat in Oslo", "That was not me.", "Oslo"),
    ],
)
async def test_what_is_taken_back_is_not_current_any_more(doors: Doors, false: str, denial: str, word: str) -> None:
    await doors.add("I like tea")
    [memory_id] = (await doors.add(false))["results"]
    taken = await doors.add(denial)
    [row] = taken["decisions"]
    assert (row["decision"], row["old_memory_id"], taken["results"]) == ("SUPERSEDE", memory_id, [])
    assert not any(word in row["memory"] for row in await doors.listed())
    assert not any(word in text for text in await doors.found(word))
    assert len(await doors.listed()) == 1
    twice = await doors.add(denial)
    assert {row["decision"] for row in twice["decisions"]} <= {"ADD", "NOOP"}
    await doors.rest.call("POST", "/memories/delete", {"filters": {"AND": [{"user_id": "u"}]}})
    await doors.add("I like tea")
    again = await doors.add(denial)
    assert [row["old_memory"] for row in again["decisions"]] == ["The user likes tea"]
    assert await doors.listed() == []
