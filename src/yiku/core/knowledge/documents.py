"""The documents of a base: listed, looked at, deleted."""

from __future__ import annotations

from dataclasses import dataclass

from yiku.core.audit import audited
from yiku.core.knowledge.bases import require_base
from yiku.core.knowledge.records import DOCUMENT, DOCUMENT_FIELD, REVISION, document_of
from yiku.core.knowledge.sweep import sweep_job
from yiku.core.knowledge.texts import whole_text
from yiku.core.knowledge.upload import find_document, find_revision
from yiku.core.knowledge.veil import changed, read_veil
from yiku.model.conditions import Eq
from yiku.model.errors import Conflict, NotFound
from yiku.model.knowledge import Document, Revision
from yiku.model.principal import Principal
from yiku.model.records import Changes, Expectation, PageQuery, Ref
from yiku.model.scopes import Partition, base_partition
from yiku.ports import Ports

TRIES_AFTER_CONFLICT = 20
CONTENT_CHARACTERS_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """`count` is how many documents there are in all."""

    count: int
    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class WholeDocument:
    """A document and the text that counts, which is that of its current revision.

    `revision` is None, and `content` empty, while there is none: before a text was read, of drafts, and of what was
    archived. `is_cut` says that there is more text.
    """

    document: Document
    revision: Revision | None
    content: str
    is_cut: bool = False


async def list_documents(
    ports: Ports, principal: Principal, base_id: str, *, page: int = 1, page_size: int = 10
) -> DocumentPage:
    """Newest first, those that could not be read too."""
    principal.require("knowledge:read")
    await require_base(ports, principal, base_id)
    partition = base_partition(principal.workspace, base_id)
    query = PageQuery(partitions=(partition,), kind=DOCUMENT, offset=(page - 1) * page_size, limit=page_size)
    found = await ports.storage.page(query)
    return DocumentPage(found.count, tuple(document_of(record, partition) for record in found.records))


async def get_document(ports: Ports, principal: Principal, base_id: str, document_id: str) -> WholeDocument:
    """The document with its text."""
    principal.require("knowledge:read")
    partition, document = await require_document(ports, principal, base_id, document_id)
    revision = await find_revision(ports, partition, document.current) if document.current else None
    if revision is None or not revision.has_text or document.is_archived:
        return WholeDocument(document, None, "")
    content = await whole_text(ports, partition, revision, characters_max=CONTENT_CHARACTERS_MAX)
    return WholeDocument(document, revision, content, revision.characters > len(content))


async def delete_document(ports: Ports, principal: Principal, base_id: str, document_id: str) -> None:
    """Nobody finds or reads it from now on; what belongs to it is taken away in the background."""
    principal.require("knowledge:write")
    partition, _ = await require_document(ports, principal, base_id, document_id)
    async with audited(ports, principal, "document.delete", workspace=principal.workspace, subject=document_id):
        for _ in range(TRIES_AFTER_CONFLICT):
            try:
                return await _delete_once(ports, partition, document_id)
            except Conflict:
                continue  # It is being read in, or another document is being replaced: look again.
    raise Conflict("The document kept changing while it was being deleted: try again")


async def require_document(
    ports: Ports, principal: Principal, base_id: str, document_id: str
) -> tuple[Partition, Document]:
    """Where it is, and the document as it is now. `NotFound` when there is none, or no such base."""
    await require_base(ports, principal, base_id)
    partition = base_partition(principal.workspace, base_id)
    document = await find_document(ports, partition, document_id)
    if document is None:
        raise missing_document(document_id)
    return partition, document


def missing_document(document_id: str) -> NotFound:
    return NotFound(
        f"There is no document {document_id[:64]!r} in this knowledge base: list or search for it", field="doc_id"
    )


async def _delete_once(ports: Ports, partition: Partition, document_id: str) -> None:
    document = await find_document(ports, partition, document_id)
    if document is None:
        return
    query = PageQuery(
        partitions=(partition,),
        kind=REVISION,
        where=Eq(DOCUMENT_FIELD, document_id),
        limit=ports.limits.page_window,
    )
    revisions = [record.id for record in (await ports.storage.page(query)).records]
    veil = changed(ports, await read_veil(ports, partition), hide=revisions)
    await ports.storage.commit(
        Changes(
            partition=partition,
            expects=(Expectation(Ref(DOCUMENT, document.id), document.version), *veil.expects),
            deletes=(Ref(DOCUMENT, document.id),),
            puts=veil.puts,
            enqueues=(sweep_job(ports, partition, document.id, revisions, whole=True),),
        )
    )
