"""Questions that are asked again."""

from __future__ import annotations

import asyncio

import pytest

from yiku.adapters.embedders import CachedQueries, HashedEmbedder
from yiku.model.errors import EmbedderUnavailable
from yiku.model.records import Embedding


class CountingEmbedder(HashedEmbedder):
    """Stands for a model elsewhere: notes every question, waits while held, and fails as often as told."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.failures = failures
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def embed_query(self, text: str) -> Embedding:
        self.asked.append(text)
        await self.may_answer.wait()
        if self.failures:
            self.failures -= 1
            raise EmbedderUnavailable
        return await super().embed_query(text)


async def test_a_question_asked_again_does_not_reach_the_model() -> None:
    model = CountingEmbedder()
    cached = CachedQueries(model)
    first, second = await cached.embed_query("咖啡"), await cached.embed_query("咖啡")
    assert model.asked == ["咖啡"]
    assert first.values.tolist() == second.values.tolist()
    assert (first.model, cached.dimensions) == (cached.model, model.dimensions)


async def test_texts_that_differ_in_a_blank_are_different_questions() -> None:
    model = CountingEmbedder()
    cached = CachedQueries(model)
    await cached.embed_query("a")
    await cached.embed_query("a ")
    assert model.asked == ["a", "a "]


async def test_the_question_that_was_not_asked_for_longest_is_forgotten() -> None:
    model = CountingEmbedder()
    cached = CachedQueries(model, size=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        await cached.embed_query(text)
    assert model.asked == ["a", "b", "c", "b"]


async def test_a_failure_is_not_remembered() -> None:
    cached = CachedQueries(CountingEmbedder(failures=1))
    with pytest.raises(EmbedderUnavailable):
        await cached.embed_query("咖啡")
    assert (await cached.embed_query("咖啡")).model == cached.model


async def test_the_same_question_at_the_same_moment_gets_the_same_answer() -> None:
    model = CountingEmbedder()
    model.may_answer.clear()
    cached = CachedQueries(model, size=1)
    async with asyncio.TaskGroup() as group:
        calls = [group.create_task(cached.embed_query("咖啡")) for _ in range(2)]
        calls.append(group.create_task(cached.embed_query("茶")))
        await asyncio.sleep(0)
        model.may_answer.set()
    first, second, other = (call.result().values.tolist() for call in calls)
    assert first == second != other
    assert model.asked.count("咖啡") <= 2


async def test_nobody_can_change_a_vector_that_others_get_too() -> None:
    cached = CachedQueries(HashedEmbedder())
    with pytest.raises(ValueError, match="read-only"):
        (await cached.embed_query("咖啡")).values[0] = 9


async def test_passages_go_through_and_closing_closes_the_model() -> None:
    model = HashedEmbedder()
    cached = CachedQueries(model)
    assert len(await cached.embed_passages(["a", "b"])) == 2
    await cached.embed_query("a")
    await cached.close()
    with pytest.raises(EmbedderUnavailable):
        await cached.embed_query("a")
