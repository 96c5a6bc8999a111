"""Does what is said again, corrected or changed stay one memory, as it should?"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from itertools import permutations

import pytest

from tests.core.memories import ADMIN, digest_all, said, scope
from yiku.core.memory.add import add_memories
from yiku.model.memories import AddMemories

from .conftest import Doors
from .ledger import proves


def decisions(event: dict[str, list[dict[str, str]]]) -> list[tuple[str, str | None]]:
    return [(row["decision"], row.get("memory_id")) for row in event["decisions"]]


@proves("B001", "B009")
async def test_the_same_fact_again_keeps_its_memory_and_its_id(doors: Doors) -> None:
    [memory_id] = (await doors.add("我喜欢喝咖啡"))["results"]
    again = await doors.add("我喜欢喝咖啡")
    assert (again["status"], again["results"], decisions(again)) == ("SUCCEEDED", [], [("NOOP", memory_id)])
    assert [row["id"] for row in await doors.listed()] == [memory_id]


@proves("B003")
async def test_the_first_facts_of_a_fresh_user_are_new(doors: Doors) -> None:
    event = await doors.add("我叫Johnny，喜欢披萨")
    assert {kind for kind, _ in decisions(event)} == {"ADD"}
    texts = " ".join(row["memory"] for row in await doors.listed())
    assert "Johnny" in texts and "披萨" in texts


@proves("B004")
async def test_a_correction_by_hand_or_in_words_leaves_one_current_version(doors: Doors) -> None:
    [stack] = (await doors.add("技术栈: FastAPI+PostgreSQL"))["results"]
    await doors.rest.call("PUT", f"/memories/{stack}", {"text": "技术栈: FastAPI+MySQL"})
    assert [row["id"] for row in await doors.listed()] == [stack]
    assert not any("PostgreSQL" in text for text in await doors.found("技术栈"))
    await doors.add("我住在上海", "v")
    [home] = [row["id"] for row in await doors.listed("v")]
    corrected = await doors.add("我说错了，我住在杭州", "v")
    assert [row["memory_id"] for row in corrected["decisions"] if row["decision"] == "UPDATE"] == [home]
    assert ["杭州" in row["memory"] for row in await doors.listed("v") if row["id"] == home] == [True]
    assert not any("上海" in row["memory"] for row in await doors.listed("v"))
    assert not any("上海" in text for text in await doors.found("住在哪里", "v"))


@proves("B006")
async def test_fifty_parallel_adds_make_one_memory_and_one_present_value(doors: Doors) -> None:
    facts = ["Alice likes coffee"] * 50 + ["I live in Berlin", "I live in Munich"] * 25
    adds = [AddMemories(scope=scope("u"), messages=said(text)) for text in facts]
    await asyncio.gather(*(add_memories(doors.ports, ADMIN, add) for add in adds))
    await asyncio.gather(*(digest_all(doors.ports) for _ in range(4)))
    texts = [row["memory"] for row in await doors.listed()]
    assert sorted("coffee" in text for text in texts) == [False, True], texts


@proves("B008")
async def test_one_fact_is_one_memory(doors: Doors) -> None:
    await doors.add("I am allergic to peanuts.")
    assert len(await doors.listed()) == 1


@proves("B011")
async def test_recalled_memories_that_are_quoted_do_not_multiply(doors: Doors) -> None:
    chat = [
        {"role": "user", "content": "我对花生过敏"},
        {"role": "assistant", "content": "我记得你对花生过敏，也喜欢喝咖啡。"},
    ]
    await doors.add(chat)
    count = len(await doors.listed())
    for _ in range(19):
        await doors.rest.call("POST", "/memories/add", {"messages": chat, "user_id": "u"})
    await doors.rest.work()
    assert len(await doors.listed()) == count


@proves("B013")
@pytest.mark.parametrize("order", list(permutations(range(3)))[::2])
async def test_a_value_that_returns_is_current_again_and_the_one_between_is_past(
    doors: Doors, order: tuple[int, ...]
) -> None:
    told = [("我2023年住在上海", 2023), ("我2024年住在北京", 2024), ("我2025年又搬回上海，住在上海", 2025)]
    for place in order:
        text, year = told[place]
        stamp = datetime(year, 6, 1, tzinfo=UTC).isoformat()
        await doors.add(text, metadata={"timestamp": stamp})
    assert ["上海" in row["memory"] and "北京" not in row["memory"] for row in await doors.listed()] == [True]
    body = {"filters": {"AND": [{"user_id": "u"}]}, "as_of": "2024-09-01T00:00:00Z"}
    [then] = (await doors.rest.call("POST", "/memories/list", body))["results"]
    assert "北京" in then["memory"]
    assert then["valid_until"].startswith("2025")
