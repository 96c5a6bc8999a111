"""Read a revision in: its text, and with that its nodes (`indexing`); at last it is what everybody sees.

Every step can be repeated: a worker that dies leaves the job to be claimed again, and what is stored already is stored
over or gone on from. Commits are small, so that nobody's add waits behind a long book.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from yiku.core.knowledge.indexing import PROGRESS_READ, index_revision, still
from yiku.core.knowledge.records import (
    DOCUMENT,
    document_record,
    part_record,
    revision_record,
    table_record,
)
from yiku.core.knowledge.sweep import sweep_job
from yiku.core.knowledge.texts import parts_of
from yiku.core.knowledge.upload import UploadDocument, accept, find_document, find_revision, take_back
from yiku.model.errors import DocumentUnreadable, SourceUnavailable
from yiku.model.jobs import Job, JobFailure
from yiku.model.knowledge import DOCUMENT_PREFIX, Document, DocumentState, Revision
from yiku.model.parsed import Member, ParsedDocument
from yiku.model.records import Changes, Expectation, Record, Ref
from yiku.model.scopes import Partition
from yiku.ports import Ports

RECORDS_PER_COMMIT = 2
"""Parts of a text or tables, which are large, that are stored together."""
FETCH_ATTEMPTS = 3
"""Of an address that does not answer: whoever uploaded wants to know soon."""


async def ingest(ports: Ports, jobs: Sequence[Job]) -> None:
    """Read in what the jobs name, one after the other. What cannot be read ends FAIL with a reason, not in an error."""
    for job in jobs:
        try:
            await _ingest(ports, job)
        except DocumentUnreadable as error:
            await fail_ingest(ports, job, JobFailure(error.reason, error.message))
        except SourceUnavailable as error:
            if job.attempts < FETCH_ATTEMPTS:
                raise
            await fail_ingest(ports, job, JobFailure("unreachable", error.message))


async def fail_ingest(ports: Ports, job: Job, failure: JobFailure) -> None:
    """End the job, and say of the document why; what was current before stays so."""
    document = await find_document(ports, job.partition, job.payload["document"])
    changes = Changes(partition=job.partition, finishes=(job,))
    # An older revision that was to be published has set the document to PROCESSING too.
    if document is not None and (document.latest == job.payload["revision"] or "wanted" in job.payload):
        failed = replace(document, state=DocumentState.FAIL, failure=failure, updated=ports.clock.now())
        changes = replace(changes, expects=_unchanged(document), puts=(document_record(failed),))
    await ports.storage.commit(changes)


async def _ingest(ports: Ports, job: Job) -> None:
    partition = job.partition
    document = await find_document(ports, partition, job.payload["document"])
    revision = await find_revision(ports, partition, job.payload["revision"])
    if revision is None or document is None:
        # Deleted; the job that sweeps after that waits in this lane.
        return await ports.storage.commit(Changes(partition=partition, finishes=(job,)))
    if revision.id not in (document.latest, document.current) and "wanted" not in job.payload:
        # A later upload came before this one was read: nobody will ever see it.
        sweep = sweep_job(ports, partition, document.id, [revision.id], whole=True)
        return await ports.storage.commit(Changes(partition=partition, finishes=(job,), enqueues=(sweep,)))
    if not revision.has_text:
        document, revision = await _read_in(ports, job, document, revision)
    if job.payload["publishes"]:
        return await index_revision(ports, job, document, revision)
    done = replace(document, state=DocumentState.SUCCESS, progress=100, failure=None, updated=ports.clock.now())
    await ports.storage.commit(
        Changes(partition=partition, expects=_unchanged(document), puts=(document_record(done),), finishes=(job,))
    )
    return None


async def _read_in(ports: Ports, job: Job, document: Document, revision: Revision) -> tuple[Document, Revision]:
    """Parse the original, and store its text in parts; the revision says last that all of it is there."""
    content, name = await _original(ports, job.partition, revision)
    parsed = await ports.for_documents.parser.parse(content, name=name)
    # Cutting megabytes of text is work for a thread.
    parts = await asyncio.to_thread(parts_of, parsed.text)
    texts = [part_record(revision, number, part.text) for number, part in enumerate(parts)]
    tables = [table_record(revision, number, table) for number, table in enumerate(parsed.tables)]
    await _store(ports, job.partition, revision, texts + tables)
    await _unpack(ports, job.partition, document, revision, parsed.members)
    title = document.title if job.payload["titled"] else parsed.title or document.title
    read = replace(
        revision,
        title=title,
        format=parsed.format,
        lines=parsed.text.removesuffix("\n").count("\n") + 1,
        characters=len(parsed.text),
        part_lines=tuple(part.first_line for part in parts),
        part_starts=tuple(part.start for part in parts),
        headings=parsed.headings,
        lines_are_rows=parsed.lines_are_rows,
        page_lines=parsed.page_lines,
        tables=tuple(table.name for table in parsed.tables),
        notices=_notices(parsed),
        has_text=True,
    )
    changed = replace(
        document,
        title=title,
        progress=PROGRESS_READ,
        digest=document.digest or blake2b(content, digest_size=20).hexdigest(),
        updated=ports.clock.now(),
    )
    await ports.storage.commit(
        Changes(
            partition=job.partition,
            expects=(*_unchanged(document), still(revision)),
            puts=(document_record(changed), revision_record(read)),
        )
    )
    return replace(changed, version=document.version + 1), replace(read, version=revision.version + 1)


async def _original(ports: Ports, partition: Partition, revision: Revision) -> tuple[bytes, str]:
    """The bytes and the name of the file; what stands elsewhere is fetched once and then kept here."""
    objects = ports.for_documents.objects
    content = await objects.get(partition, revision.id)
    if content is not None:
        return content, revision.source
    fetched = await ports.for_documents.fetcher.fetch(revision.source)
    await objects.put(partition, revision.id, fetched.content)
    return fetched.content, fetched.name


async def _store(ports: Ports, partition: Partition, revision: Revision, records: Sequence[Record]) -> None:
    for start in range(0, len(records), RECORDS_PER_COMMIT):
        together = tuple(records[start : start + RECORDS_PER_COMMIT])
        await ports.storage.commit(Changes(partition=partition, expects=(still(revision),), puts=together))


async def _unpack(
    ports: Ports, partition: Partition, document: Document, revision: Revision, members: Sequence[Member]
) -> None:
    """Each member becomes a document, unless the base was deleted meanwhile: see `upload`."""
    accepted = [await accept(ports, partition, _member_upload(document, member)) for member in members]
    if accepted and await find_revision(ports, partition, revision.id) is None:
        await take_back(ports, partition, accepted)


def _member_upload(document: Document, member: Member) -> UploadDocument:
    """The same archive again brings new revisions of the same documents."""
    address = blake2b(f"{document.id}\0{member.name}".encode(), digest_size=16).hexdigest()
    return UploadDocument(
        content=member.content,
        name=f"{document.source}/{member.name}",
        id=f"{DOCUMENT_PREFIX}{address}",
        publishes_itself=document.publishes_itself,
    )


def _notices(parsed: ParsedDocument) -> tuple[str, ...]:
    if not parsed.read_by_ocr:
        return parsed.notices
    pages = ", ".join(map(str, parsed.read_by_ocr[:20]))
    return (*parsed.notices, f"Read from images: pages {pages}")


def _unchanged(document: Document) -> tuple[Expectation, ...]:
    return (Expectation(Ref(DOCUMENT, document.id), document.version),)
