"""How well is the labelled evidence found? Through the verbs, `infer=false`, one record one memory.

    python -m bench.retrieval [--quick] [SET …]

Speaker, time, order and run are passed as the API has them. Beside the product's own ranking stand words alone and
vectors alone, from the same store. R@k is the share of a question's evidence among the first k, hit@k whether there is
any. The first run embeds every record and takes long; later ones read the vectors from `.cache/`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bench.datasets import Item, Question, available, corpus, questions
from bench.embeddings import KeptEmbeddings
from bench.machine import machine
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import LocalEmbedder
from yiku.adapters.sqlite import open_sqlite
from yiku.core.memory.add import add_memories
from yiku.core.memory.records import MEMORY, memory_of
from yiku.core.memory.search import search_memories
from yiku.core.work import HANDLERS, run_jobs
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, SearchMemories
from yiku.model.messages import Message
from yiku.model.ranking import rank
from yiku.model.records import CandidateQuery
from yiku.model.scopes import Scope
from yiku.model.times import parse_timestamp
from yiku.model.tokens import query_terms
from yiku.ports import Ports
from yiku.server import OPERATOR

SETS = ("locomo_a", "madial_zh", "lifebench_zh_a")
QUICK_RECORDS = 600
"""How many records of a large set's smallest user are kept in a quick run, the labelled ones first."""
DEPTHS = (5, 10, 20)
WAYS = ("yiku", "words", "vectors")

Ranking = Sequence[str]


async def measure(ports: Ports, name: str, quick: bool) -> None:
    items, asked = corpus(name), questions(name)
    if quick and len(items) > 5 * QUICK_RECORDS:
        items, asked = _sample(items, asked)
    named = await _add(ports, name, items)
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


async def _add(ports: Ports, name: str, items: Iterable[Item]) -> dict[str, str]:
    """Add every item and digest it; memory id → the item's id."""
    events = {}
    for item in items:
        scope = Scope(workspace=OPERATOR.workspace, user_id=f"{name}/{item.user}", run_id=item.run)
        metadata = {"timestamp": item.time} if item.time else {}
        command = AddMemories(
            scope=scope,
            messages=(Message(role="user", content=item.text, name=item.speaker),),
            metadata={**metadata, "id": item.id},
            anchor=parse_timestamp(item.time, field="time") if item.time else None,
            infer=False,
        )
        events[(await add_memories(ports, OPERATOR, command)).id] = scope.partition
        if len(events) % 1000 == 0:
            await _digest_all(ports)
    await _digest_all(ports)
    named = {}
    for partition in set(events.values()):
        for change in await ports.storage.scan(partition, limit=10**9):
            if change.record is not None and change.record.kind == MEMORY:
                named[change.record.id] = memory_of(change.record, partition).metadata["id"]
    return named


async def _digest_all(ports: Ports) -> None:
    while jobs := await ports.storage.claim(tuple(HANDLERS), lease_s=600, limit=ports.limits.jobs_per_batch):
        await run_jobs(ports, jobs)


async def _ask(ports: Ports, way: str, name: str, question: Question) -> list[str]:
    scope = Scope(workspace=OPERATOR.workspace, user_id=f"{name}/{question.user}")
    if way == "yiku":
        query = SearchMemories(scope=scope, text=question.text, top_k=max(DEPTHS))
        return [hit.memory.id for hit in (await search_memories(ports, OPERATOR, query)).hits]
    candidates = CandidateQuery(partitions=(scope.partition,), kind=MEMORY, limit=max(DEPTHS))
    if way == "words":
        terms = query_terms(question.text, limit=ports.limits.query_terms)
        candidates = replace(candidates, terms=terms)
    else:
        candidates = replace(candidates, embedding=await ports.embedder.embed_query(question.text))
    found = await ports.storage.candidates(candidates)
    return [found.ids[place.hit] for place in rank(found, limit=max(DEPTHS))]


def _sample(items: list[Item], asked: list[Question]) -> tuple[list[Item], list[Question]]:
    """Fifty questions of the smallest user, their evidence, and other records of that user around it."""
    sizes: dict[str, int] = defaultdict(int)
    for item in items:
        sizes[item.user] += 1
    user = min(sizes, key=lambda name: sizes[name])
    chosen = random.Random(7)
    some = chosen.sample([question for question in asked if question.user == user], 50)
    labelled = frozenset().union(*(question.evidence for question in some))
    own = [item for item in items if item.user == user]
    others = [item for item in own if item.id not in labelled]
    filler = set(chosen.sample([item.id for item in others], max(0, min(len(others), QUICK_RECORDS - len(labelled)))))
    return [item for item in own if item.id in labelled or item.id in filler], some


def recall(found: Ranking, wanted: frozenset[str], depth: int) -> float:
    return len(wanted.intersection(found[:depth])) / len(wanted)


def hit(found: Ranking, wanted: frozenset[str], depth: int) -> float:
    return float(not wanted.isdisjoint(found[:depth]))


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
    arguments.add_argument("sets", nargs="*", metavar="SET", default=SETS)
    arguments.add_argument("--quick", action="store_true", help="sample the large set")
    options = arguments.parse_args()
    if not available():
        print("The retrieval sets (../shared/data/memory) are not on this machine: nothing to measure.")
        return
    print(machine())
    clock, limits = SystemClock(), Limits()
    embedder = KeptEmbeddings(LocalEmbedder(text_characters=8_000))
    with tempfile.TemporaryDirectory() as folder:
        storage = await open_sqlite(Path(folder), clock=clock, limits=limits)
        ports = Ports(storage=storage, embedder=embedder, clock=clock, limits=limits)
        for name in options.sets:
            await measure(ports, name, options.quick)
        await storage.close()
    await embedder.close()


if __name__ == "__main__":
    asyncio.run(main())
