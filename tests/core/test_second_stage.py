"""What does a reranker change about a search, and what when it is away?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.core.memories import ADMIN, add, digest_all, scope
from yiku.core.memory.search import search_memories
from yiku.core.memory.second_stage import RERANKER_DOWN
from yiku.model.errors import RerankerUnavailable
from yiku.model.memories import MemoryHits, SearchMemories
from yiku.ports import Ports

TEXTS = ["green tea", "black tea", "tea with milk", "she bought a new car"]


class Longest:
    """A reranker that likes long texts; without an answer when it is `down`."""

    model = "longest"

    def __init__(self, *, down: bool = False) -> None:
        self._down = down

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        if self._down:
            raise RerankerUnavailable("It does not answer.")
        return [float(len(text)) for text in texts]

    async def close(self) -> None:
        return


async def remembered(ports: Ports) -> None:
    for text in TEXTS:
        await add(ports, text, infer=False)
    await digest_all(ports)


async def searched(ports: Ports, **asked: object) -> MemoryHits:
    query = SearchMemories(scope=scope(), text="tea", rerank=True, **asked)  # type: ignore[arg-type]
    return await search_memories(ports, ADMIN, query)


async def test_the_order_is_the_rerankers_and_the_scores_those_of_the_places(ports: Ports) -> None:
    await remembered(ports)
    plain = await searched(ports)
    second = await searched(replace(ports, reranker=Longest()))
    assert [hit.memory.text for hit in second.hits] == sorted(TEXTS, key=lambda text: -len(text))
    assert [hit.score for hit in second.hits] == [hit.score for hit in plain.hits]
    assert second.notices == ()


async def test_what_the_first_stage_put_too_low_comes_up(ports: Ports) -> None:
    await remembered(ports)
    [best] = (await searched(replace(ports, reranker=Longest()), top_k=1)).hits
    assert best.memory.text == "she bought a new car"


async def test_a_reranker_that_is_away_leaves_the_first_order_and_is_said(ports: Ports) -> None:
    await remembered(ports)
    plain, second = await searched(ports), await searched(replace(ports, reranker=Longest(down=True)))
    assert [hit.memory.id for hit in second.hits] == [hit.memory.id for hit in plain.hits]
    assert second.notices == (RERANKER_DOWN,)
