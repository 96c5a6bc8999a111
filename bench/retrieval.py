"""How well is the labelled evidence found? Through the verbs, `infer=false`, one record one memory; with `--sessions`
whole sessions as dialogues, `infer=true`, each memory standing for the records that it rests on.

    python -m bench.retrieval [--quick] [--sessions] [--engine sqlite|postgres] [--database-url URL] [SET …]

Speaker, time, order and run are passed as the API has them. Beside the product's own ranking stand words alone and
vectors alone, from the same store. R@k is the share of a question's evidence among the first k, hit@k whether there is
any. The first run embeds every record and takes long; later ones read the vectors from `.cache/`.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.datasets import Item, Question, available
from bench.embeddings import KeptEmbeddings
from bench.engines import add_engine_options, chosen_place
from bench.loading import add_set_options, chosen, load, load_sessions, scope_of
from bench.machine import machine
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import LocalEmbedder
from yiku.backends import OPERATOR
from yiku.core.memory.records import MEMORY
from yiku.core.memory.search import search_memories
from yiku.model.limits import Limits
from yiku.model.memories import SearchMemories
from yiku.model.records import CandidateQuery
from yiku.model.tokens import query_terms
from yiku.ports import Ports

DEPTHS = (5, 10, 20)
WAYS = ("yiku", "words", "vectors")

Ranking = Sequence[frozenset[str]]
"""For each memory that was found, the ids of the records it stands for."""


async def measure(ports: Ports, name: str, *, quick: bool, sessions: bool) -> None:
    items, asked = chosen(name, quick)
    named = await (load_sessions if sessions else load_records)(ports, name, items)
    results: dict[str, dict[str, list[Ranking]]] = {way: defaultdict(list) for way in WAYS}
    wanted: dict[str, list[frozenset[str]]] = defaultdict(list)
    for question in asked:
        for kind in (question.kind, "all"):
            wanted[kind].append(question.evidence)
        for way in WAYS:
            found = [named[memory_id] for memory_id in await _ask(ports, way, name, question)]
            for kind in (question.kind, "all"):
                results[way][kind].append(found)
    _print(name, len(items), results, wanted)


async def load_records(ports: Ports, name: str, items: Sequence[Item]) -> dict[str, frozenset[str]]:
    return {memory_id: frozenset([item_id]) for memory_id, item_id in (await load(ports, name, items)).items()}


async def _ask(ports: Ports, way: str, name: str, question: Question) -> list[str]:
    scope = scope_of(name, question.user)
    if way == "yiku":
        query = SearchMemories(scope=scope, text=question.text, top_k=max(DEPTHS))
        return [hit.memory.id for hit in (await search_memories(ports, OPERATOR, query)).hits]
    query = CandidateQuery(partitions=(scope.partition,), kind=MEMORY, limit=max(DEPTHS))
    if way == "words":
        query = replace(query, terms=query_terms(question.text, limit=ports.limits.query_terms))
    else:
        query = replace(query, embedding=await ports.embedder.embed_query(question.text))
    found = await ports.storage.candidates(query, lambda measured: _alone(measured.words, measured.cosines, way))
    return [chosen.record.id for chosen in found]


@dataclass(frozen=True)
class _Place:
    hit: int


def _alone(words: NDArray[np.float64], cosines: NDArray[np.float64], way: str) -> list[_Place]:
    """By one arm, each record by itself."""
    measured = words if way == "words" else np.nan_to_num(cosines)
    return [_Place(hit) for hit in np.argsort(-measured, kind="stable")[: max(DEPTHS)].tolist()]


def recall(found: Ranking, wanted: frozenset[str], depth: int) -> float:
    return len(wanted.intersection(frozenset().union(*found[:depth]))) / len(wanted)


def hit(found: Ranking, wanted: frozenset[str], depth: int) -> float:
    return float(not wanted.isdisjoint(frozenset().union(*found[:depth])))


def _print(
    name: str, records: int, results: dict[str, dict[str, list[Ranking]]], wanted: dict[str, list[frozenset[str]]]
) -> None:
    columns: list[tuple[str, Callable[[Ranking, frozenset[str], int], float], int]] = [
        *((f"R@{depth}", recall, depth) for depth in DEPTHS),
        *((f"hit@{depth}", hit, depth) for depth in DEPTHS[:2]),
    ]
    print(f"\n{name}: {records} records, {len(wanted['all'])} questions")
    print(f"{'kind':24} {'n':>5} {'way':8} " + " ".join(f"{title:>7}" for title, _, _ in columns))
    for kind in ("all", *sorted(wanted.keys() - {"all"})):
        for way in WAYS if kind == "all" else WAYS[:1]:
            pairs = list(zip(results[way][kind], wanted[kind], strict=True))
            cells = (sum(measure(f, w, depth) for f, w in pairs) / len(pairs) for _, measure, depth in columns)
            print(f"{kind:24} {len(pairs):5} {way:8} " + " ".join(f"{100 * cell:7.1f}" for cell in cells), flush=True)


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_set_options(arguments)
    arguments.add_argument("--sessions", action="store_true", help="whole sessions, extracted by the rules")
    add_engine_options(arguments)
    options = arguments.parse_args()
    if not available():
        print("The retrieval sets (../shared/data/memory) are not on this machine: nothing to measure.")
        return
    print(machine())
    clock, limits = SystemClock(), Limits()
    embedder = KeptEmbeddings(LocalEmbedder(text_characters=8_000))
    with chosen_place(options.engine, options.database_url) as place:
        storage = await place.open(clock, limits)
        ports = Ports(storage=storage, embedder=embedder, clock=clock, limits=limits)
        for name in options.sets:
            await measure(ports, name, quick=options.quick, sessions=options.sessions)
        await storage.close()
    await embedder.close()


if __name__ == "__main__":
    asyncio.run(main())
