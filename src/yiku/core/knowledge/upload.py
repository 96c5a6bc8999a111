"""Take a document in: its bytes and a job, durable before the answer; what is in it is read later."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b

from yiku.core.knowledge.bases import missing_base, require_base
from yiku.core.knowledge.lanes import document_lane
from yiku.core.knowledge.records import (
    DOCUMENT,
    DOCUMENT_FIELD,
    REVISION,
    document_of,
    document_record,
    revision_of,
    revision_record,
)
from yiku.model.errors import Conflict, InvalidInput, NotFound, TooLarge, YikuError
from yiku.model.jobs import NewJob
from yiku.model.knowledge import (
    DOCUMENT_PREFIX,
    REVISION_PREFIX,
    Document,
    DocumentState,
    KnowledgeBase,
    Revision,
)
from yiku.model.principal import Principal
from yiku.model.records import Changes, Expectation, Ref
from yiku.model.scopes import Partition, base_of, base_partition
from yiku.model.texts import check_identifier, check_text
from yiku.ports import Ports

INGEST = "ingest"
"""The kind of job that reads a revision in. Its id is the revision's, its lane the document."""
TITLE_BYTES_MAX = 1_024
TRIES_AFTER_CONFLICT = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class UploadDocument:
    """A document to come, or a new revision of one: `id` says which, None makes a new document.

    Either `content` with the `name` of its file, or `url`. Without a `title` the document's own is taken, else the name
    of the file. With `publishes_itself` it is found as soon as it was read.
    """

    content: bytes | None = None
    url: str | None = None
    name: str = ""
    id: str | None = None
    title: str | None = None
    publishes_itself: bool = True

    def __post_init__(self) -> None:
        if (self.content is None) == (self.url is None):
            raise InvalidInput("Give either the file itself or its file_url", field="file_url")
        if self.id is not None:
            check_identifier(self.id, field="id", bytes_max=256)
        if self.title is not None:
            check_text(self.title, field="title", bytes_max=TITLE_BYTES_MAX)


async def upload_document(ports: Ports, principal: Principal, base_id: str, upload: UploadDocument) -> Document:
    """The document, PROCESSING. The same bytes under the same id again are nothing new and change nothing.

    When this returns, the bytes survive anything; a `url` is fetched in the background.
    """
    principal.require("knowledge:write")
    base = await require_base(ports, principal, base_id)
    if upload.url is not None:
        ports.for_documents.fetcher.check(upload.url)
    most = ports.limits.document_bytes
    if upload.content is not None and len(upload.content) > most:
        raise TooLarge(f"The file is {len(upload.content)} bytes; the limit is {most}", field="file")
    partition = base_partition(principal.workspace, base_id)
    document = await accept(ports, partition, upload)
    await _check_still_there(ports, principal, base, partition, document)
    return document


async def _check_still_there(
    ports: Ports, principal: Principal, base: KnowledgeBase, partition: Partition, document: Document
) -> None:
    """A base is archived before anything of it is deleted. So either it was there after our document was stored, and
    its deletion takes that along, or we see here that it is gone, and take it back ourselves: else the document would
    stand in the next base of this id."""
    try:
        if (await require_base(ports, principal, base.id)).created == base.created:
            return
        raise missing_base(base.id)
    except NotFound:
        # One that was there before us is not taken back: the base cannot have been emptied yet, or it is only archived.
        if document.created == document.updated:
            await take_back(ports, partition, [document])
        raise


async def take_back(ports: Ports, partition: Partition, documents: Sequence[Document]) -> None:
    """Undo uploads that turned out to be for nothing; their jobs find nothing to do."""
    refs = tuple(ref for document in documents for ref in (Ref(DOCUMENT, document.id), Ref(REVISION, document.latest)))
    await ports.storage.commit(Changes(partition=partition, deletes=refs))
    await ports.for_documents.objects.delete(partition, [document.latest for document in documents])


async def accept(ports: Ports, partition: Partition, upload: UploadDocument) -> Document:
    """What `upload_document` does once it is allowed."""
    document_id = upload.id or ports.clock.new_id(DOCUMENT_PREFIX)
    known = await find_document(ports, partition, document_id)
    digest = blake2b(upload.content, digest_size=20).hexdigest() if upload.content is not None else None
    if known is not None and _is_nothing_new(known, upload, digest):
        return known
    revision_id = ports.clock.new_id(REVISION_PREFIX)
    if upload.content is not None:
        await ports.for_documents.objects.put(partition, revision_id, upload.content)
    try:
        return await _enter(ports, partition, upload, document_id, revision_id, digest)
    except YikuError:
        # Nobody knows of these bytes: they would lie there for ever.
        with suppress(YikuError):
            await ports.for_documents.objects.delete(partition, [revision_id])
        raise


async def _enter(
    ports: Ports, partition: Partition, upload: UploadDocument, document_id: str, revision_id: str, digest: str | None
) -> Document:
    """The document with its new revision, whatever becomes of the one before at the same moment."""
    for _ in range(TRIES_AFTER_CONFLICT):
        known = await find_document(ports, partition, document_id)
        document, revision = _drafted(ports, partition, upload, known, document_id, revision_id, digest)
        expects = () if known is None else (Expectation(Ref(DOCUMENT, document_id), known.version),)
        try:
            await ports.storage.commit(
                Changes(
                    partition=partition,
                    expects=expects,
                    puts=(document_record(document), revision_record(revision)),
                    enqueues=(ingest_job(partition, document, titled=upload.title is not None),),
                )
            )
            return document
        except Conflict:
            continue  # It was just published, or read in further, or deleted: look again.
    raise Conflict("This document kept changing while a new revision came: try again")


async def read_again(ports: Ports, workspace: str, revision_id: str) -> None:
    """Read in anew what ended FAIL. `Conflict` when it did not, or a later revision came."""
    located = await ports.storage.locate(workspace, REVISION, revision_id)
    if located is None:
        raise NotFound(f"There is no revision {revision_id[:64]!r} in the workspace {workspace}", field="id")
    partition, record = located
    document = await find_document(ports, partition, str(record.fields[DOCUMENT_FIELD]))
    if document is None or document.latest != revision_id or document.state is not DocumentState.FAIL:
        raise Conflict("Only the latest revision of a document that ended FAIL can be tried again")
    pending = replace(document, state=DocumentState.PROCESSING, failure=None, progress=0, updated=ports.clock.now())
    await ports.storage.commit(
        Changes(
            partition=partition,
            expects=(Expectation(Ref(DOCUMENT, document.id), document.version),),
            puts=(document_record(pending),),
            enqueues=(ingest_job(partition, pending, titled=True),),
        )
    )


async def find_document(ports: Ports, partition: Partition, document_id: str) -> Document | None:
    for record in await ports.storage.get(partition, DOCUMENT, [document_id]):
        return document_of(record, partition)
    return None


async def find_revision(ports: Ports, partition: Partition, revision_id: str) -> Revision | None:
    for record in await ports.storage.get(partition, REVISION, [revision_id]):
        return revision_of(record)
    return None


def ingest_job(partition: Partition, document: Document, *, titled: bool) -> NewJob:
    """Reads the latest revision in."""
    return NewJob(
        id=document.latest,
        kind=INGEST,
        lane=document_lane(partition, document.id),
        payload={
            "document": document.id,
            "revision": document.latest,
            "titled": titled,
            "publishes": document.publishes_itself,
        },
    )


def _is_nothing_new(known: Document, upload: UploadDocument, digest: str | None) -> bool:
    same_title = upload.title is None or upload.title == known.title
    return digest is not None and digest == known.digest and known.state is not DocumentState.FAIL and same_title


def _drafted(
    ports: Ports,
    partition: Partition,
    upload: UploadDocument,
    known: Document | None,
    document_id: str,
    revision_id: str,
    digest: str | None,
) -> tuple[Document, Revision]:
    now = ports.clock.now()
    source = upload.url or upload.name
    title = upload.title or (known.title if known else name_of(source) or document_id)
    fresh = Document(
        id=document_id,
        base_id=base_of(partition),
        title=title,
        source=source,
        created=now,
        updated=now,
        state=DocumentState.PROCESSING,
        latest=revision_id,
        publishes_itself=upload.publishes_itself,
        digest=digest,
    )
    document = (
        fresh
        if known is None
        else replace(fresh, created=known.created, current=known.current, is_archived=known.is_archived)
    )
    revision = Revision(id=revision_id, document_id=document_id, title=title, format="", created=now, source=source)
    return document, revision


def name_of(source: str) -> str:
    """The name of the file, without its folders and its ending."""
    name = source.partition("?")[0].replace("\\", "/").rstrip("/").rpartition("/")[2]
    return name.rpartition(".")[0] or name
