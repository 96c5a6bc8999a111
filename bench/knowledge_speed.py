"""How long does a search in a large base take? 100,000 Chinese passages, without the embedding.

    python -m bench.knowledge_speed [--quick] [--engine sqlite|postgres] [--database-url URL]

Passages are made up: words as frequent as in real text, and vectors in clusters, as those of real texts lie (a uniform
cloud would be too easy for an approximate index and too kind to an exact one). Beside the time stands the recall of the
vectors against an exact scan of float32. `--quick` takes 20,000.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.engines import add_engine_options, chosen_place
from bench.machine import machine
from bench.texts import Texts
from bench.timing import in_turns
from yiku.adapters.clocks import SystemClock
from yiku.backends import OPERATOR
from yiku.core.knowledge.nodes import LeafText
from yiku.core.knowledge.passages import PassageQuery, find_passages
from yiku.core.knowledge.records import document_record, node_record
from yiku.model.knowledge import Document, DocumentState, Node, NodeKind, Revision, Span
from yiku.model.limits import Limits
from yiku.model.passages import Fusion, PassageOrder
from yiku.model.records import Changes, Embedding
from yiku.model.scopes import base_partition
from yiku.ports import DocumentPorts, Ports

PASSAGES, QUICK = 100_000, 20_000
PASSAGES_PER_DOCUMENT = 1_000
DIMENSIONS, CLUSTERS = 384, 400
QUESTIONS = 200
TOP = 10
BUDGET_MS = 40
CACHE_BYTES = 2 * 1024**3
"""Room for the index of the base."""
MODEL = "synthetic/384"
BASE = base_partition(OPERATOR.workspace, "large")


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    vector: NDArray[np.float32]


class GivenVectors:
    """Questions whose vectors were made before."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self._vectors = {one.text: one.vector for one in asked}

    async def embed_question(self, text: str) -> Embedding:
        return Embedding(MODEL, self._vectors[text])


def clustered(count: int, chance: np.random.Generator) -> NDArray[np.float32]:
    """Unit vectors around centres that share a direction, as those of one model do: cosines from 0.7 to 0.95."""
    shared = chance.standard_normal(DIMENSIONS)
    centres = 1.6 * shared / np.linalg.norm(shared) + 0.04 * chance.standard_normal((CLUSTERS, DIMENSIONS))
    vectors = centres[chance.integers(CLUSTERS, size=count)] + 0.02 * chance.standard_normal((count, DIMENSIONS))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


async def fill(ports: Ports, vectors: NDArray[np.float32], texts: Texts) -> list[float]:
    """Store the passages as documents of a thousand each. How long each commit took, in milliseconds."""
    taken = []
    for first in range(0, len(vectors), PASSAGES_PER_DOCUMENT):
        document_id = f"doc-{first // PASSAGES_PER_DOCUMENT:04}"
        now = ports.clock.now()
        revision = Revision(
            id=f"rev-{document_id}", document_id=document_id, title=document_id, format="text", created=now
        )
        document = Document(
            id=document_id,
            base_id="large",
            title=document_id,
            source="",
            created=now,
            updated=now,
            state=DocumentState.SUCCESS,
            latest=revision.id,
            current=revision.id,
        )
        await ports.storage.commit(Changes(partition=BASE, puts=(document_record(document),)))
        end = min(first + PASSAGES_PER_DOCUMENT, len(vectors))
        for start in range(first, end, 32):
            numbers = range(start, min(start + 32, end))
            puts = tuple(
                node_record(leaf.node, revision, leaf, Embedding(MODEL, vectors[number]))
                for number in numbers
                for leaf in [_leaf(document_id, number, texts)]
            )
            begin = time.perf_counter()
            await ports.storage.commit(Changes(partition=BASE, puts=puts))
            taken.append((time.perf_counter() - begin) * 1000)
    return taken


def _leaf(document_id: str, number: int, texts: Texts) -> LeafText:
    content = texts.passage()
    span = Span(start_line=1, end_line=1, char_start=0, char_end=len(content))
    node = Node(
        id=f"node-{number}",
        document_id=document_id,
        kind=NodeKind.LEAF,
        title="",
        path=(),
        level=0,
        parent_id=None,
        ordinal=number,
        span=span,
    )
    return LeafText(node, content, content)


async def measure(ports: Ports, asked: Sequence[Asked]) -> None:
    both = PassageQuery(text="", partitions=(BASE,), wanted=TOP)
    ways = {
        "words and vectors": both,
        "words alone": replace(both, order=PassageOrder(Fusion.WORDS)),
        "vectors alone": replace(both, order=PassageOrder(Fusion.VECTORS)),
        "within two documents": replace(both, document_ids=("doc-0003", "doc-0011")),
    }
    begin = time.perf_counter()
    await find_passages(ports, replace(both, text=asked[0].text))
    print(f"\nfirst search (loads the index): {time.perf_counter() - begin:.1f} s")

    def call(query: PassageQuery) -> object:
        return lambda number: find_passages(ports, replace(query, text=asked[number].text))

    taken = await in_turns(len(asked), [call(query) for query in ways.values()])  # type: ignore[misc]
    print(f"{'':24} {'p50':>7} {'p95':>7} ms")
    for name, values in zip(ways, taken, strict=True):
        p50, p95 = np.percentile(values, [50, 95])
        budget = f"  (budget {BUDGET_MS})" if name == "words and vectors" else ""
        print(f"  {name:22} {p50:7.1f} {p95:7.1f}{budget}")


async def recall(ports: Ports, asked: Sequence[Asked], vectors: NDArray[np.float32]) -> float:
    """The share of the ten nearest by float32 that the engine finds among its ten."""
    found = 0
    for one in asked:
        nearest = set(np.argsort(-(vectors @ one.vector))[:TOP].tolist())
        query = PassageQuery(text=one.text, partitions=(BASE,), wanted=TOP, order=PassageOrder(Fusion.VECTORS))
        passages = await find_passages(ports, query)
        found += len(nearest & {int(passage.record.body["ordinal"]) for passage in passages.found})
    return found / (TOP * len(asked))


async def run(arguments: argparse.Namespace) -> None:
    count = QUICK if arguments.quick else PASSAGES
    texts, chance = Texts(), np.random.default_rng(11)
    everything = clustered(count + QUESTIONS, chance)
    vectors = everything[:count]
    asked = [Asked(f"{number} {texts.chinese_question()}", everything[count + number]) for number in range(QUESTIONS)]
    limits = Limits()
    with chosen_place(arguments.engine, arguments.database_url) as place:
        storage = await place.open(SystemClock(), limits, cache_bytes=CACHE_BYTES)
        documents = DocumentPorts(
            parser=None,  # type: ignore[arg-type]  # nothing is read in
            fetcher=None,  # type: ignore[arg-type]
            objects=None,  # type: ignore[arg-type]
            patterns=None,  # type: ignore[arg-type]
            questions=GivenVectors(asked),
            sql=None,  # type: ignore[arg-type]
        )
        ports = Ports(
            storage=storage,
            embedder=None,
            clock=SystemClock(),
            documents=documents,
            limits=limits,  # type: ignore[arg-type]
        )
        begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        commits = await fill(ports, vectors, texts)
        p50, p95 = np.percentile(commits, [50, 95])
        print(
            f"{count} passages stored in {time.perf_counter() - begin:.0f} s; a commit of 32: {p50:.1f} / {p95:.1f} ms"
        )
        await measure(ports, asked)
        print(f"recall of the nearest {TOP} against an exact scan: {await recall(ports, asked[:50], vectors):.4f}")
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(f"peak memory grew by {grown:.0f} MB")
        await storage.close()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true", help=f"{QUICK} passages")
    add_engine_options(arguments)
    print(machine())
    asyncio.run(run(arguments.parse_args()))


if __name__ == "__main__":
    main()
