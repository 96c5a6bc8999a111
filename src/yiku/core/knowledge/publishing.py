"""Items of Knowledge REST: documents that wait as drafts, their revisions, and which of them is published."""

from __future__ import annotations

from dataclasses import dataclass, replace

from yiku.core.knowledge.contents import require_current
from yiku.core.knowledge.documents import missing_document, require_document
from yiku.core.knowledge.lanes import document_lane
from yiku.core.knowledge.records import DOCUMENT, DOCUMENT_FIELD, REVISION, document_record, revision_of
from yiku.core.knowledge.upload import INGEST, find_document, find_revision
from yiku.model.conditions import Eq
from yiku.model.errors import Conflict, NotFound
from yiku.model.jobs import NewJob
from yiku.model.knowledge import Document, DocumentState, Revision
from yiku.model.principal import Principal
from yiku.model.records import Changes, Expectation, PageQuery, Ref
from yiku.model.scopes import Partition
from yiku.ports import Ports

TRIES_AFTER_CONFLICT = 20


@dataclass(frozen=True, slots=True)
class RevisionPage:
    """`count` is how many revisions there are in all."""

    count: int
    revisions: tuple[Revision, ...]


async def list_revisions(
    ports: Ports, principal: Principal, base_id: str, document_id: str, *, page: int = 1, page_size: int = 20
) -> RevisionPage:
    """Newest first."""
    principal.require("knowledge:read")
    partition, _ = await require_document(ports, principal, base_id, document_id)
    query = PageQuery(
        partitions=(partition,),
        kind=REVISION,
        where=Eq(DOCUMENT_FIELD, document_id),
        offset=(page - 1) * page_size,
        limit=page_size,
    )
    found = await ports.storage.page(query)
    return RevisionPage(found.count, tuple(revision_of(record) for record in found.records))


async def publish_document(
    ports: Ports, principal: Principal, base_id: str, document_id: str, revision_id: str | None = None
) -> Document:
    """Make a revision the current one, the latest if none is named; searches see it once its nodes are stored.

    A published one again is no error. A revision whose text is not in yet, or could not be read, is a `Conflict`.
    """
    principal.require("knowledge:write")
    partition, document = await require_document(ports, principal, base_id, document_id)
    revision = await require_revision(ports, partition, document, revision_id or document.latest)
    if not revision.has_text:
        raise Conflict("This revision has no text yet, or could not be read: look at the state of the document")
    if document.current == revision.id and not document.is_archived:
        return document
    return await _changed(
        ports, partition, document_id, is_archived=False, job=_publish_job(ports, partition, document, revision)
    )


async def archive_document(ports: Ports, principal: Principal, base_id: str, document_id: str) -> Document:
    """It is neither found nor read any more, and nothing is lost: publishing brings it back."""
    principal.require("knowledge:write")
    partition, _ = await require_document(ports, principal, base_id, document_id)
    return await _changed(ports, partition, document_id, is_archived=True)


async def require_revision(ports: Ports, partition: Partition, document: Document, revision_id: str) -> Revision:
    """The revision, or `NotFound` when this document has none with this id."""
    revision = await find_revision(ports, partition, revision_id)
    if revision is None or revision.document_id != document.id:
        raise NotFound(f"There is no revision {revision_id[:64]!r} of this document", field="revision_id")
    return revision


async def read_revision(
    ports: Ports, principal: Principal, base_id: str, document_id: str, revision_id: str | None
) -> tuple[Partition, Document, Revision]:
    """A published document, and its current revision or one that was published before; drafts are for their writers."""
    principal.require("knowledge:read")
    partition, document, current = await require_current(ports, principal, base_id, document_id)
    if revision_id is None or revision_id == current.id:
        return partition, document, current
    revision = await require_revision(ports, partition, document, revision_id)
    if not revision.was_published:
        raise NotFound(f"There is no revision {revision_id[:64]!r} of this document", field="revision_id")
    return partition, document, revision


async def _changed(
    ports: Ports, partition: Partition, document_id: str, *, is_archived: bool, job: NewJob | None = None
) -> Document:
    for _ in range(TRIES_AFTER_CONFLICT):
        known = await find_document(ports, partition, document_id)
        if known is None:
            raise missing_document(document_id)
        state = known.state if job is None else DocumentState.PROCESSING
        document = replace(known, is_archived=is_archived, state=state, updated=ports.clock.now())
        try:
            await ports.storage.commit(
                Changes(
                    partition=partition,
                    expects=(Expectation(Ref(DOCUMENT, document_id), known.version),),
                    puts=(document_record(document),),
                    enqueues=(job,) if job else (),
                )
            )
            return document
        except Conflict:
            continue
    raise Conflict("This document kept changing: try again")


def _publish_job(ports: Ports, partition: Partition, document: Document, revision: Revision) -> NewJob:
    """Reads nothing in: the text is there. `wanted` says that the revision need not be the latest."""
    return NewJob(
        id=ports.clock.new_id("publish-"),
        kind=INGEST,
        lane=document_lane(partition, document.id),
        payload={
            "document": document.id,
            "revision": revision.id,
            "titled": True,
            "publishes": True,
            "wanted": True,
        },
    )
