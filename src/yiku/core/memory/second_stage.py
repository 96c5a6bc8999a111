"""The second stage of a search: a model reads the question beside each hit of the first and puts them in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from yiku.core.memory.records import index_text
from yiku.model.errors import RerankerUnavailable
from yiku.model.memories import MemoryHit
from yiku.ports import Ports

POOL = 50
"""Hits that are read at least: enough that what the first stage put too low can come up, few enough for one call."""

NO_RERANKER = "No reranker is configured: the order is that of the first stage."
RERANKER_DOWN = "The reranker cannot be reached: the order is that of the first stage."


async def reranked(ports: Ports, question: str, hits: Sequence[MemoryHit]) -> tuple[list[MemoryHit], list[str]]:
    """The hits in the reranker's order, and what there is to say about it.

    Nothing is dropped. A score keeps its meaning, so the best score goes to the first place, and so on: what the
    model's own numbers mean is its affair.
    """
    if ports.reranker is None:
        return list(hits), [NO_RERANKER]
    try:
        numbers = await ports.reranker.rerank(question, [index_text(hit.memory) for hit in hits])
    except RerankerUnavailable:
        return list(hits), [RERANKER_DOWN]
    # Equals keep the order of the first stage.
    order = sorted(range(len(hits)), key=lambda place: -numbers[place])
    return [replace(hits[place], score=first.score) for place, first in zip(order, hits, strict=True)], []
