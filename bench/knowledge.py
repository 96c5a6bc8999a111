"""How well are passages of documents found? Through the verbs, one passage of a set a document.

    python -m bench.knowledge [--share A …] [SET …]

Beside the product's own ranking stand words alone and vectors alone, from the same store. hit@k says whether a right
document is among the first k, nDCG@10 how far up. The first run embeds every passage and takes long; later ones read
the vectors from `.cache/`. Files are read in by a parser of plain text: that of the product starts a process for each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.embeddings import KeptEmbeddings
from bench.machine import machine
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import LocalEmbedder, ParticularQuestions
from yiku.adapters.fetching import GuardedFetcher
from yiku.adapters.objects import ObjectsInStore
from yiku.adapters.patterns import Re2Patterns
from yiku.adapters.sql.child_process import ChildSql
from yiku.adapters.sqlite import open_sqlite
from yiku.backends import OPERATOR
from yiku.core.knowledge.bases import NewBase, create_base
from yiku.core.knowledge.search import search_documents
from yiku.core.knowledge.upload import UploadDocument, accept
from yiku.core.work import OF_DOCUMENTS, OF_VECTORS, run_jobs
from yiku.model.limits import Limits
from yiku.model.parsed import ParsedDocument
from yiku.model.passages import Fusion, PassageOrder
from yiku.model.scopes import base_partition
from yiku.ports import DocumentPorts, Ports

FOLDER = Path(__file__).parents[2] / "shared" / "data" / "knowledge"
SETS = ("xquad_zh", "xquad_en", "xquad_zh2en", "xquad_mixed", "dureader_demo")
DEPTH = 10


@dataclass(frozen=True, slots=True)
class KnowledgeSet:
    """`right` are the ids of the documents that answer a question, by its id."""

    passages: Mapping[str, tuple[str, str]]
    questions: Mapping[str, str]
    right: Mapping[str, frozenset[str]]


class PlainText:
    """A parser of what is text already."""

    async def parse(self, content: bytes, *, name: str) -> ParsedDocument:
        return ParsedDocument(format="text", text=content.decode())

    async def close(self) -> None:
        """Nothing is open."""


def read_set(name: str) -> KnowledgeSet:
    return _mixed() if name == "xquad_mixed" else _read(name)


def _mixed() -> KnowledgeSet:
    """Every other passage in Chinese, the others in English, and half of the questions in each language."""
    chinese, english = _read("xquad_zh"), _read("xquad_en")
    passages = {key: (chinese if place % 2 else english).passages[key] for place, key in enumerate(chinese.passages)}
    questions = {
        key: (chinese if place // 2 % 2 else english).questions[key] for place, key in enumerate(chinese.questions)
    }
    return KnowledgeSet(passages, questions, chinese.right)


def _read(name: str) -> KnowledgeSet:
    right: dict[str, set[str]] = {}
    for line in (FOLDER / name / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        question, passage, grade = line.split("\t")
        if int(grade) > 0:
            right.setdefault(question, set()).add(passage)
    passages = {row["id"]: (row["title"], row["text"]) for row in _rows(FOLDER / name / "corpus.jsonl")}
    questions = {row["id"]: row["text"] for row in _rows(FOLDER / name / "queries.jsonl") if row["id"] in right}
    return KnowledgeSet(passages, questions, {question: frozenset(found) for question, found in right.items()})


async def load(ports: Ports, name: str, passages: Mapping[str, tuple[str, str]]) -> None:
    await create_base(ports, OPERATOR, NewBase(id=name, name=name))
    partition = base_partition(OPERATOR.workspace, name)
    for passage_id, (title, text) in passages.items():
        content = text.encode() or title.encode()
        await accept(ports, partition, UploadDocument(content=content, id=passage_id, title=title or None, name="-"))
        while jobs := await ports.storage.claim((*OF_DOCUMENTS, *OF_VECTORS), lease_s=600, limit=1):
            await run_jobs(ports, jobs)


async def measure(ports: Ports, name: str, orders: Mapping[str, PassageOrder]) -> None:
    known = read_set(name)
    await load(ports, name, known.passages)
    print(f"\n{name}: {len(known.passages)} documents, {len(known.questions)} questions")
    print(f"  {'':12} {'hit@1':>7} {'hit@10':>7} {'nDCG@10':>8}")
    for way, order in orders.items():
        rankings = []
        for text in known.questions.values():
            found = await search_documents(ports, OPERATOR, name, text, top_k=DEPTH, order=order)
            rankings.append([hit.document.id for hit in found.found])
        right = [known.right[question] for question in known.questions]
        numbers = (_hits(rankings, right, 1), _hits(rankings, right, DEPTH), _ndcg(rankings, right))
        print(f"  {way:12} {numbers[0]:7.1f} {numbers[1]:7.1f} {numbers[2]:8.3f}", flush=True)


def _hits(rankings: Sequence[Sequence[str]], right: Sequence[frozenset[str]], depth: int) -> float:
    hits = sum(bool(wanted.intersection(found[:depth])) for found, wanted in zip(rankings, right, strict=True))
    return 100 * hits / len(rankings)


def _ndcg(rankings: Sequence[Sequence[str]], right: Sequence[frozenset[str]]) -> float:
    total = 0.0
    for found, wanted in zip(rankings, right, strict=True):
        gained = sum(1 / math.log2(place + 2) for place, document in enumerate(found[:DEPTH]) if document in wanted)
        total += gained / sum(1 / math.log2(place + 2) for place in range(min(len(wanted), DEPTH)))
    return total / len(rankings)


def _rows(file: Path) -> list[dict[str, str]]:
    # Not splitlines(): some texts hold U+2028, which is no end of a line in JSON.
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


@asynccontextmanager
async def open_knowledge() -> AsyncIterator[Ports]:
    """An empty store with the bundled model behind it."""
    clock, limits = SystemClock(), Limits(embed_deadline_s=3_000.0)
    embedder = KeptEmbeddings(LocalEmbedder(text_characters=8_000, passages_deadline_s=limits.embed_deadline_s))
    with tempfile.TemporaryDirectory() as folder:
        storage = await open_sqlite(Path(folder), clock=clock, limits=limits)
        documents = DocumentPorts(
            parser=PlainText(),
            fetcher=GuardedFetcher(),
            objects=ObjectsInStore(storage, clock),
            patterns=Re2Patterns(),
            questions=ParticularQuestions(embedder),
            sql=ChildSql(),
        )
        yield Ports(storage=storage, embedder=embedder, clock=clock, limits=limits, documents=documents)
        await storage.close()
    await embedder.close()


async def run(sets: Sequence[str], shares: Sequence[float]) -> None:
    orders = {"yiku": PassageOrder()}
    orders |= {f"words {share:g}": PassageOrder(word_share=share) for share in shares}
    orders |= {"words": PassageOrder(Fusion.WORDS), "vectors": PassageOrder(Fusion.VECTORS)}
    orders["ranks"] = PassageOrder(Fusion.RANKS)
    async with open_knowledge() as ports:
        for name in sets:
            await measure(ports, name, orders)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("sets", nargs="*", metavar="SET", default=SETS)
    arguments.add_argument("--share", type=float, nargs="*", default=[], help="other parts for words to decide")
    given = arguments.parse_args()
    if not FOLDER.is_dir():
        raise SystemExit(f"The sets are not here: {FOLDER.name} of the shared material is not beside the checkout")
    print(machine())
    asyncio.run(run(given.sets, given.share))


if __name__ == "__main__":
    main()
