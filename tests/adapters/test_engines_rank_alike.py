"""Do both engines answer a search with the same list: the same memories, order and scores?"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from bench.agreement import Scored, Verdict, verdict
from bench.texts import Texts

from tests.core.memories import ADMIN, listed, scope
from tests.engines import open_place
from tests.postgres.databases import Databases
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.core.memory.edit import delete_memory, update_memory
from yiku.core.memory.records import memory_record
from yiku.core.memory.search import search_memories
from yiku.model.conditions import EVERYTHING, Condition, Eq
from yiku.model.limits import Limits
from yiku.model.memories import ChangeMemory, Memory, SearchMemories
from yiku.model.records import Changes
from yiku.ports import Ports

RECORDS, QUESTIONS = 300, 60
REPEATED_EVERY = 10
"""Memories with equal texts have equal scores, and their ids must decide."""
DEPTHS = (10, 100)
"""The first is less than the candidates that words and vectors bring, the second asks for more."""


@pytest.fixture
async def both(tmp_path: Path, databases: Databases) -> AsyncIterator[list[Ports]]:
    """One of each engine."""
    with databases.fresh_database() as database_url:
        async with AsyncExitStack() as stack:
            opened = []
            for place in (str(tmp_path / "data"), database_url):
                clock, limits = ManualClock(), Limits()
                storage = await open_place(place, clock=clock, limits=limits)
                stack.push_async_callback(storage.close)
                opened.append(Ports(storage=storage, embedder=HashedEmbedder(), clock=clock, limits=limits))
            yield opened


async def fill(ports: Ports) -> None:
    texts, said = Texts(seed=21), list[str]()
    for number in range(RECORDS):
        said.append(said[number // 2] if number % REPEATED_EVERY == REPEATED_EVERY - 1 else texts.record())
    now, vectors = ports.clock.now(), await ports.embedder.embed_passages(said)
    records = (
        memory_record(
            Memory(id=f"m-{n}", scope=scope(), text=text, created=now, updated=now, metadata={"third": n % 3}), vector
        )
        for n, (text, vector) in enumerate(zip(said, vectors, strict=True))
    )
    await ports.storage.commit(Changes(partition=scope().partition, puts=tuple(records)))


async def answers(ports: Ports, *, where: Condition = EVERYTHING, count: int = QUESTIONS) -> list[Scored]:
    texts, lists = Texts(seed=22), list[Scored]()
    for number in range(count):
        query = SearchMemories(scope=scope(), text=texts.question(), where=where, top_k=DEPTHS[number % len(DEPTHS)])
        found = await search_memories(ports, ADMIN, query)
        lists.append([(hit.memory.id, hit.score) for hit in found.hits])
    return lists


def verdicts(one: Sequence[Scored], other: Sequence[Scored]) -> set[Verdict]:
    return {verdict(*pair) for pair in zip(one, other, strict=True)}


async def test_the_same_memories_come_in_the_same_order_with_and_without_a_filter(both: list[Ports]) -> None:
    for ports in both:
        await fill(ports)
    for where in (EVERYTHING, Eq("metadata.third", 1)):
        sqlite, postgres = [await answers(ports, where=where) for ports in both]
        assert {len(found) for found in sqlite} == set(DEPTHS)
        assert verdicts(sqlite, postgres) == {Verdict.IDENTICAL}


async def test_memories_that_were_changed_and_deleted_after_a_search_are_ranked_alike(both: list[Ports]) -> None:
    for ports in both:
        await fill(ports)
        await answers(ports, count=1)
        for memory in await listed(ports):
            match memory.metadata["third"]:
                case 0:
                    await update_memory(ports, ADMIN, memory.id, ChangeMemory(text=f"{memory.text[5:]} 咖啡"))
                case 1:
                    await delete_memory(ports, ADMIN, memory.id)
    sqlite, postgres = [await answers(ports) for ports in both]
    assert verdicts(sqlite, postgres) == {Verdict.IDENTICAL}


def test_only_equal_scores_may_change_places() -> None:
    tied = [("a", 0.5), ("b", 0.5), ("c", 0.3)]
    assert verdict(tied, [("b", 0.5), ("a", 0.5), ("c", 0.3)]) is Verdict.SWAPPED
    assert verdict(tied, [("a", 0.5), ("c", 0.5), ("b", 0.3)]) is Verdict.DIFFERENT
    assert verdict(tied, [("a", 0.5), ("b", 0.5), ("d", 0.3)]) is Verdict.DIFFERENT
    assert verdict(tied, tied[:2]) is Verdict.DIFFERENT
