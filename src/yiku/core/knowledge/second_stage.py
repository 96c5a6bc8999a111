"""The second stage of a search in documents: a reranker reads the question beside each passage of the first."""

from __future__ import annotations

from dataclasses import replace

from yiku.core.knowledge.passages import Passages
from yiku.model.errors import RerankerUnavailable
from yiku.ports import Ports

POOL = 50
"""Passages that are read at least: what the first stage put too low can come up, and one call can take them."""
RERANKER_DOWN = "The reranker cannot be reached: the order is that of the first stage."


async def reranked(ports: Ports, question: str, passages: Passages) -> Passages:
    """The passages in the reranker's order; none is dropped, and the best score goes to the first place, and so on.

    Where no reranker is configured the first stage is the last.
    """
    if ports.reranker is None or not passages.found:
        return passages
    try:
        numbers = await ports.reranker.rerank(question, [passage.record.text or "" for passage in passages.found])
    except RerankerUnavailable:
        return replace(passages, notices=(*passages.notices, RERANKER_DOWN))
    order = sorted(range(len(numbers)), key=lambda place: -numbers[place])
    found = passages.found
    return replace(
        passages,
        found=tuple(
            replace(found[place], ranked=replace(found[place].ranked, score=first.ranked.score))
            for place, first in zip(order, found, strict=True)
        ),
    )
