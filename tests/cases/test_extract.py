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


@proves("B068")
@pytest.mark.parametrize("blank", ["", "\n", " \t ", "\u3000"])
@pytest.mark.parametrize("infer", [True, False])
async def test_blank_content_is_refused(doors: Doors, blank: str, infer: bool) -> None:
    body = {"messages": blank, "user_id": "u", "infer": infer}
    assert (await doors.rest.ask("POST", "/memories/add", body)).status_code == 400
    assert "messages" in await doors.refused_tool("memory_add", **body)
    assert await doors.listed() == []


@proves("B069")
async def test_a_message_without_content_does_not_lose_the_one_beside_it(doors: Doors) -> None:
    silent = {"role": "assistant", "tool_calls": []}
    spoken = {"role": "user", "content": "我搬到杭州了"}
    body = {"messages": [silent, spoken], "user_id": "u"}
    answer = await doors.rest.ask("POST", "/memories/add", body)
    if answer.status_code == 400:
        assert "messages" in answer.text
        return
    await doors.rest.work()
    assert any("杭州" in row["memory"] for row in await doors.listed())


@proves("B071")
@pytest.mark.parametrize("said", ["I like strawberry.", "我喜欢草莓。", "Strawberries, always."])
async def test_what_was_said_is_a_memory_or_the_event_says_why_not(doors: Doors, said: str) -> None:
    event = await doors.add(said)
    assert event["status"] == "SUCCEEDED"
    assert event["results"] or all(row["reason"] for row in event["decisions"])
    assert event["decisions"]


@proves("B078")
async def test_who_the_user_is_stays_tied_to_the_user(doors: Doors) -> None:
    await doors.add("My name is Wang Muchen, my son is Wang Mingze")
    texts = [row["memory"] for row in await doors.listed()]
    [own] = [text for text in texts if "Wang Muchen" in text]
    assert "user" in own.casefold()
    assert "Mingze" not in own or "son" in own
    assert any("Wang Muchen" in text for text in await doors.found("我叫什么"))


@proves("B083")
@pytest.mark.parametrize(
    "said", ["凭证为sk_test_4eC39HqLyjWDarjtT1zdp7dc，请记住", "My key is sk_test_4eC39HqLyjWDarjtT1zdp7dc"]
)
async def test_a_secret_is_in_no_memory(doors: Doors, said: str) -> None:
    await doors.add(said)
    assert not any("4eC39HqLyjWDarjtT1zdp7dc" in row["memory"] for row in await doors.listed())
