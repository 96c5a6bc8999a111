"""What a test of documents has: everything that is behind them, for real, and short ways to say what it is about."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from yiku.adapters.embedders import ParticularQuestions
from yiku.adapters.fetching import GuardedFetcher
from yiku.adapters.objects import ObjectsInStore
from yiku.adapters.parsers.child_process import ChildParser
from yiku.adapters.patterns import Re2Patterns
from yiku.adapters.sql.child_process import ChildSql
from yiku.core.knowledge.bases import NewBase, create_base
from yiku.core.knowledge.documents import get_document
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.core.work import OF_DOCUMENTS, OF_VECTORS, run_jobs
from yiku.model.knowledge import Document
from yiku.model.principal import Principal
from yiku.ports import Clock, DocumentPorts, Embedder, Ports, Storage

ADMIN = Principal(key_id="k", workspace="default", permissions=frozenset({"admin"}))
BASE = "kb"


@asynccontextmanager
async def open_documents(storage: Storage, clock: Clock, embedder: Embedder) -> AsyncIterator[DocumentPorts]:
    """Real parsers in processes of their own, without OCR; addresses on this machine may be fetched."""
    documents = DocumentPorts(
        parser=ChildParser(ocr=False),
        fetcher=GuardedFetcher(allowed_networks=["127.0.0.0/8"]),
        objects=ObjectsInStore(storage, clock),
        patterns=Re2Patterns(),
        questions=ParticularQuestions(embedder),
        sql=ChildSql(),
    )
    try:
        yield documents
    finally:
        await documents.parser.close()
        await documents.fetcher.close()
        await documents.sql.close()


async def ingest_all(ports: Ports) -> int:
    """Run every job about documents that can run now; how many there were."""
    done = 0
    while jobs := await ports.storage.claim((*OF_DOCUMENTS, *OF_VECTORS), lease_s=60, limit=1):
        await run_jobs(ports, jobs)
        done += len(jobs)
    return done


async def new_base(ports: Ports, base_id: str = BASE, principal: Principal = ADMIN) -> str:
    return (await create_base(ports, principal, NewBase(id=base_id, name=base_id))).id


async def upload(
    ports: Ports,
    text: str | bytes,
    *,
    name: str = "notes.md",
    base_id: str = BASE,
    principal: Principal = ADMIN,
    publishes_itself: bool = True,
    id: str | None = None,
    title: str | None = None,
) -> Document:
    """Upload a file, read everything in that waits, and return the document as it is then."""
    content = text.encode() if isinstance(text, str) else text
    given = UploadDocument(content=content, name=name, id=id, title=title, publishes_itself=publishes_itself)
    document = await upload_document(ports, principal, base_id, given)
    await ingest_all(ports)
    return (await get_document(ports, principal, base_id, document.id)).document
