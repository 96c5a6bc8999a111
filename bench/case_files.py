"""What becomes of every case file? Its state, headings, tables, pages and time, as a server reads it in.

    python -m bench.case_files [--no-ocr]

Through the verbs, on SQLite, each file in a process of its own, vectors by hashing (what is measured is reading). The
files are those of `shared/cases/files`; what is expected of each stands in their manifest, beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path

from bench.machine import machine
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import HashedEmbedder, ParticularQuestions
from yiku.adapters.fetching import GuardedFetcher
from yiku.adapters.objects import ObjectsInStore
from yiku.adapters.parsers.child_process import ChildParser
from yiku.adapters.patterns import Re2Patterns
from yiku.adapters.sql.child_process import ChildSql
from yiku.adapters.sqlite import open_sqlite
from yiku.backends import OPERATOR
from yiku.core.knowledge.bases import NewBase, create_base
from yiku.core.knowledge.documents import list_documents
from yiku.core.knowledge.upload import UploadDocument, find_revision, upload_document
from yiku.core.work import OF_DOCUMENTS, OF_VECTORS, run_jobs
from yiku.model.knowledge import Document
from yiku.model.limits import Limits
from yiku.model.scopes import base_partition
from yiku.ports import DocumentPorts, Ports

FILES = Path(__file__).parents[2] / "shared" / "cases" / "files"
SHOWN_DOCUMENTS = 100


async def read_in(ports: Ports, name: str) -> tuple[str, float, list[Document]]:
    """A base for each file, for an archive becomes several documents."""
    base = await create_base(ports, OPERATOR, NewBase(name=name))
    begin = time.perf_counter()
    await upload_document(ports, OPERATOR, base.id, UploadDocument(content=(FILES / name).read_bytes(), name=name))
    while jobs := await ports.storage.claim((*OF_DOCUMENTS, *OF_VECTORS), lease_s=120, limit=1):
        await run_jobs(ports, jobs)
    taken = time.perf_counter() - begin
    page = await list_documents(ports, OPERATOR, base.id, page_size=SHOWN_DOCUMENTS)
    return base.id, taken, list(reversed(page.documents))


async def show(ports: Ports, name: str, expected: str) -> None:
    base_id, taken, documents = await read_in(ports, name)
    for document in documents:
        partition = base_partition(OPERATOR.workspace, base_id)
        revision = await find_revision(ports, partition, document.current) if document.current else None
        state = f"FAIL: {document.failure.code}" if document.failure else document.state.value
        counted = (revision.headings, revision.tables, revision.page_lines) if revision else ((), (), ())
        cells = (document.source, state, *map(len, counted), f"{taken:.1f}", expected)
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


async def run(*, ocr: bool) -> None:
    manifest = json.loads((FILES / "MANIFEST.json").read_text(encoding="utf-8"))
    clock, limits, embedder = SystemClock(), Limits(), HashedEmbedder()
    with tempfile.TemporaryDirectory() as folder:
        storage = await open_sqlite(Path(folder), clock=clock, limits=limits)
        documents = DocumentPorts(
            parser=ChildParser(timeout_s=limits.parse_deadline_s, memory_bytes=limits.parse_memory_bytes, ocr=ocr),
            fetcher=GuardedFetcher(),
            objects=ObjectsInStore(storage, clock),
            patterns=Re2Patterns(),
            questions=ParticularQuestions(embedder),
            sql=ChildSql(),
        )
        ports = Ports(storage=storage, embedder=embedder, clock=clock, documents=documents, limits=limits)
        print("| file | state | headings | tables | pages | s | expected |\n|---|---|---|---|---|---|---|")
        for case in manifest:
            await show(ports, case["file"], case["expect"])
        await documents.parser.close()
        await documents.fetcher.close()
        await documents.sql.close()
        await storage.close()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--no-ocr", action="store_true", help="as a server without yiku[ocr]")
    options = arguments.parse_args()
    if not FILES.is_dir():
        raise SystemExit("The case files are read from shared/cases/files, which is not here.")
    print(machine())
    asyncio.run(run(ocr=not options.no_ocr))


if __name__ == "__main__":
    main()
