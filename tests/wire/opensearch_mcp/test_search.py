"""What memory_search finds, in which order, and what it says beside the results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.core.test_work import BrokenEmbedder
from yiku.adapters.embedders import HashedEmbedder
from yiku.core.memory.search import WORDS_ONLY
from yiku.core.memory.second_stage import NO_RERANKER
from yiku.model.errors import EmbedderUnavailable
from yiku.model.records import Embedding

from .conftest import Door, open_door
from .requirements import proves


class CarEmbedder(HashedEmbedder):
    """Knows two texts that mean the same."""

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        meant = [text.replace("automobile purchase", "bought a new car") for text in texts]
        return await super().embed_passages(meant)


async def search(door: Door, query: str, **more: Any) -> dict[str, Any]:
    return await door.call("memory_search", query=query, filters={"AND": [{"user_id": "u"}]}, **more)


def memories(result: dict[str, Any]) -> list[str]:
    return [row["memory"] for row in result["results"]]


@proves("search:words", "search:notices")
async def test_words_alone_find_a_memory_when_there_are_no_vectors(tmp_path: Path) -> None:
    embedder = BrokenEmbedder()
    async with open_door(tmp_path, embedder=embedder) as door:
        await door.remember("外币汇率换算脚本在docker里", infer=False)
        await door.remember("The green teapot stands on the shelf", infer=False)
        embedder.error = EmbedderUnavailable()
        for query, expected in (
            ("汇率换算", "外币汇率换算脚本在docker里"),
            ("Where are the teapots?", "The green teapot stands on the shelf"),
        ):
            answer = await search(door, query)
            assert (memories(answer), answer["notices"]) == ([expected], [WORDS_ONLY])


@proves("search:vectors")
async def test_vectors_alone_find_a_memory_that_shares_no_word_with_the_question(tmp_path: Path) -> None:
    async with open_door(tmp_path, embedder=CarEmbedder()) as door:
        for text in ("bought a new car", "drinks green tea", "went for walks"):
            await door.remember(text, infer=False)
        assert memories(await search(door, "automobile purchase", threshold=0.5)) == ["bought a new car"]
        assert memories(await search(door, "automobile purchase"))[0] == "bought a new car"


@proves("search:top-k", "search:score-decimals", "search:threshold")
async def test_a_search_returns_the_best_ten_unless_told_otherwise(door: Door) -> None:
    for number in range(12):
        await door.remember(f"tea number {number}", infer=False)
    ten = await search(door, "tea number 7")
    assert ten["total"] == len(ten["results"]) == 10
    assert ten["results"][0]["memory"] == "tea number 7"
    scores = [row["score"] for row in ten["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 and score == round(score, 4) for score in scores)
    assert (await search(door, "tea number 7", top_k=1))["total"] == 1
    assert (await search(door, "tea number 7", top_k=1000))["total"] == 12
    best = await search(door, "tea number 7", top_k=1000, threshold=scores[0] - 0.0001)
    assert 1 <= best["total"] < 12
    assert all(row["score"] >= scores[0] - 0.0001 for row in best["results"])
    assert (await search(door, "tea number 7", threshold=0))["total"] == 10


@proves("search:rerank", "search:notices")
async def test_asking_for_a_reranker_that_is_not_there_is_said(door: Door) -> None:
    await door.remember("green tea", infer=False)
    assert "notices" not in await search(door, "tea")
    assert "notices" not in await search(door, "tea", rerank=False)
    answer = await search(door, "tea", rerank=True)
    assert (memories(answer), answer["notices"]) == (["green tea"], [NO_RERANKER])


@proves("search:explain")
async def test_an_explained_search_shows_what_each_place_was_made_of(door: Door) -> None:
    for text in ("green tea", "black coffee"):
        await door.remember(text, infer=False)
    assert "explain" not in (await search(door, "green tea"))["results"][0]
    places = [row["explain"] for row in (await search(door, "green tea", explain=True))["results"]]
    assert [set(place) for place in places] == [
        {"words", "words_around", "vector", "vector_around", "whom", "then", "answer"}
    ] * len(places)
    totals = [sum(place.values()) for place in places]
    assert totals == sorted(totals, reverse=True)
    assert places[0]["words"] > 0


@proves("search:notices")
async def test_an_empty_answer_says_how_much_of_this_user_still_waits(door: Door) -> None:
    assert "notices" not in await search(door, "tea")
    await door.call("memory_add", messages="green tea", user_id="somebody else", infer=False)
    assert "notices" not in await search(door, "tea")
    for text in ("green tea", "black tea"):
        await door.call("memory_add", messages=text, user_id="u", infer=False)
    [notice] = (await search(door, "tea"))["notices"]
    assert "still being digested: 2" in notice
    await door.work()
    answer = await search(door, "tea")
    assert (answer["total"], "notices" in answer) == (2, False)
