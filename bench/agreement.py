"""Do both engines answer alike? Whole result lists of the retrieval sets, compared: ids, order, scores.

    python -m bench.agreement [--quick] [--database-url URL] [SET …]

Both stores are filled through the verbs in the same order from the same vectors, and asked every question for a hundred
memories. Memories whose scores are equal may stand in another order; nothing else may differ.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from enum import StrEnum

from bench.datasets import Question, available
from bench.embeddings import KeptEmbeddings
from bench.engines import Place, add_server_option, places, postgres_server
from bench.loading import add_set_options, chosen, load, scope_of
from bench.machine import machine
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import LocalEmbedder
from yiku.backends import OPERATOR
from yiku.core.memory.search import search_memories
from yiku.model.limits import Limits
from yiku.model.memories import SearchMemories
from yiku.ports import Embedder, Ports

TOP_K = 100
TOLERANCE = 1e-6

Scored = Sequence[tuple[str, float]]
"""Ids and scores, best first."""


class Verdict(StrEnum):
    IDENTICAL = "identical"
    SWAPPED = "ties swapped"
    DIFFERENT = "different"


def verdict(one: Scored, other: Scored) -> Verdict:
    """Whether both lists hold the same ids in the same order, but for those with equal scores."""
    if len(one) != len(other) or largest_difference(one, other) > TOLERANCE:
        return Verdict.DIFFERENT
    if [name for name, _ in one] == [name for name, _ in other]:
        return Verdict.IDENTICAL
    # Scores never increase, so an id with the same score in both can only have changed places with its equals.
    scores = dict(other)
    alike = all(name in scores and abs(score - scores[name]) <= TOLERANCE for name, score in one)
    return Verdict.SWAPPED if alike else Verdict.DIFFERENT


def largest_difference(one: Scored, other: Scored) -> float:
    """Between the scores at the same place."""
    return max((abs(a - b) for (_, a), (_, b) in zip(one, other, strict=False)), default=0.0)


async def compare(both: Sequence[Ports], name: str, quick: bool) -> bool:
    """Print how often the two stores agree on a set; whether they always did."""
    items, asked = chosen(name, quick)
    lists = []
    for ports in both:
        named = await load(ports, name, items)
        lists.append([await _ask(ports, name, question, named) for question in asked])
    pairs = list(zip(*lists, strict=True))
    found = Counter(verdict(one, other) for one, other in pairs)
    largest = max(largest_difference(one, other) for one, other in pairs)
    columns = "  ".join(f"{found[kind]:12}" for kind in Verdict)
    print(f"{name:16} {len(items):8} {len(asked):10}  {columns}  {largest:12.1e}", flush=True)
    return found[Verdict.DIFFERENT] == 0


async def _ask(ports: Ports, name: str, question: Question, named: dict[str, str]) -> Scored:
    query = SearchMemories(scope=scope_of(name, question.user), text=question.text, top_k=TOP_K)
    return [(named[hit.memory.id], hit.score) for hit in (await search_memories(ports, OPERATOR, query)).hits]


async def agree(both: Sequence[Place], embedder: Embedder, names: Sequence[str], quick: bool) -> bool:
    """Whether all sets agree."""
    limits = Limits()
    async with AsyncExitStack() as stack:
        opened = []
        for place in both:
            # Ids that ascend in the order of the adds: ties go by id, also where a list is cut.
            clock = ManualClock()
            storage = await place.open(clock, limits)
            stack.push_async_callback(storage.close)
            opened.append(Ports(storage=storage, embedder=embedder, clock=clock, limits=limits))
        return all([await compare(opened, name, quick) for name in names])


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_set_options(arguments)
    add_server_option(arguments)
    options = arguments.parse_args()
    if not available():
        print("The retrieval sets (../shared/data/memory) are not on this machine: nothing to compare.")
        return
    print(machine())
    with postgres_server(options.database_url) as server_url, places(server_url) as both:
        if len(both) < 2:
            sys.exit(1)
        columns = "  ".join(f"{kind:>12}" for kind in Verdict)
        print(f"{'set':16} {'records':>8} {'questions':>10}  {columns}  {'score off by':>12}")
        embedder = KeptEmbeddings(LocalEmbedder(text_characters=8_000))
        agreed = await agree(both, embedder, options.sets, options.quick)
        await embedder.close()
    sys.exit(not agreed)


if __name__ == "__main__":
    asyncio.run(main())
