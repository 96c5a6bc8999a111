"""What is found of what held once and holds no more: by default, at a time, and by a question about the past?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.core.memories import ADMIN, add, found, listed, scope
from yiku.adapters.clocks import ManualClock
from yiku.core.memory.delete import delete_memories
from yiku.core.memory.past import asks_about_the_past
from yiku.core.memory.read import get_memory, list_memories
from yiku.core.memory.records import memory_of, memory_record
from yiku.core.memory.search import search_memories
from yiku.model.memories import DecisionKind, DeleteMemories, ListMemories, Memory, SearchMemories
from yiku.model.records import Changes
from yiku.ports import Ports


def on(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


async def texts_as_of(ports: Ports, moment: datetime) -> tuple[set[str], set[str]]:
    """Those of a list and those of a search."""
    page = await list_memories(ports, ADMIN, ListMemories(scope=scope(), as_of=moment))
    hits = await search_memories(ports, ADMIN, SearchMemories(scope=scope(), text="住在哪里", as_of=moment, top_k=50))
    return {memory.text for memory in page.memories}, {hit.memory.text for hit in hits.hits}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
async def test_what_held_then_is_found_as_of_then(ports: Ports, order: Sequence[int]) -> None:
    told = [("我住在上海", on(2023)), ("我住在北京", on(2024)), ("我又搬回上海了，现在住在上海", on(2025))]
    for place in order:
        text, anchor = told[place]
        await add(ports, text, anchor=anchor)
    [present] = await listed(ports)
    assert "北京" not in present.text
    assert present.valid_from == on(2025)
    assert await found(ports, "住在哪里") == [present.text]
    for year, city in ((2023, "上海"), (2024, "北京"), (2025, "上海")):
        by_list, by_search = await texts_as_of(ports, on(year, 6))
        assert by_list == by_search
        assert [city in text for text in by_list] == [True], year
    assert await texts_as_of(ports, on(2022)) == (set(), set())


async def test_a_question_about_the_past_lets_past_values_in(ports: Ports, clock: ManualClock) -> None:
    await add(ports, "I live in Berlin")
    clock.advance(3600)
    await add(ports, "I live in Munich")
    assert len(await found(ports, "where does the user live")) == 1
    assert len(await found(ports, "where did the user live before")) == 2


async def test_a_decision_names_what_it_replaced_and_both_memories_name_each_other(ports: Ports) -> None:
    [old] = (await add(ports, "I live in Berlin")).memory_ids
    event = await add(ports, "I live in Munich")
    [decision] = event.decisions
    assert (decision.kind, decision.old_id) == (DecisionKind.SUPERSEDE, old)
    assert decision.old_text is not None and "Berlin" in decision.old_text
    [new] = event.memory_ids
    past, present = await get_memory(ports, ADMIN, old), await get_memory(ports, ADMIN, new)
    assert (past.superseded_by, present.supersedes) == (new, (old,))
    assert past.valid_until == present.valid_from


async def test_a_deletion_by_filter_takes_the_past_along(ports: Ports) -> None:
    await add(ports, "I live in Berlin")
    await add(ports, "I live in Munich")
    assert await delete_memories(ports, ADMIN, DeleteMemories(scope=scope()), dry_run=False) == 2


async def test_what_is_known_of_a_memory_comes_back_from_the_store(ports: Ports) -> None:
    [memory_id] = (await add(ports, "我去年搬到了上海，住在上海", anchor=on(2024, 5, 3))).memory_ids
    memory = await get_memory(ports, ADMIN, memory_id)
    again = memory_of(memory_record(memory, None), scope().partition)
    assert (again.kind, again.slot, again.when, again.valid_from) == (
        memory.kind, memory.slot, memory.when, memory.valid_from
    )  # fmt: skip


async def test_a_memory_of_an_earlier_version_holds_always(ports: Ports) -> None:
    old = Memory(
        id="m-1",
        scope=scope(),
        text="likes tea",
        created=on(2020),
        updated=on(2020),
        agent_ids=(None,),
        run_ids=(None,),
    )
    record = memory_record(old, None)
    fields = {name: value for name, value in record.fields.items() if name != "valid_from"}
    body = {name: value for name, value in record.body.items() if name not in ("kind", "slot", "when")}
    changed: dict[str, Any] = {"fields": fields, "body": body}
    await ports.storage.commit(Changes(partition=scope().partition, puts=(replace(record, **changed),)))
    by_list, _ = await texts_as_of(ports, on(2019))
    assert by_list == {"likes tea"}
    assert [memory.text for memory in await listed(ports)] == ["likes tea"]


@pytest.mark.parametrize(
    "question",
    [
        "他以前住在哪里？", "我曾经用过什么编辑器", "搬家之前我住哪", "我的旧地址", "前任老板是谁", "去年我在哪家公司",
        "Where did I use to live?", "Where did she live before she moved?", "my former employer", "my old job",
        "What did I do last year?", "what was my address in 2019", "three years ago", "yesterday's plan",
    ],
)  # fmt: skip
def test_these_ask_about_the_past(question: str) -> None:
    assert asks_about_the_past(question)


@pytest.mark.parametrize(
    "question",
    [
        "我住在哪里？", "我喜欢喝什么", "推荐一家餐厅", "他过去了吗", "我的工作是什么", "What do I drink?",
        "What did she say about coffee", "Where do I live?", "my employer", "the bold colour", "forecast for today",
    ],
)  # fmt: skip
def test_these_do_not(question: str) -> None:
    assert not asks_about_the_past(question)
