"""Store the nodes of a revision, first with their words and then with their vectors, and make it the current one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from yiku.core.knowledge.nodes import LeafText, nodes_of
from yiku.core.knowledge.records import DOCUMENT, REVISION, document_record, node_record, revision_record
from yiku.core.knowledge.sweep import sweep_job
from yiku.core.knowledge.texts import whole_text
from yiku.core.knowledge.upload import find_document, find_revision
from yiku.core.knowledge.veil import changed, read_veil
from yiku.core.memory.digest import embedded
from yiku.model.errors import Conflict, LeaseLost
from yiku.model.jobs import Job, NewJob
from yiku.model.knowledge import Document, DocumentState, Node, Outline, Revision
from yiku.model.records import Changes, Embedding, Expectation, Record, Ref
from yiku.model.scopes import Partition
from yiku.ports import Ports

VECTORS = "vectors"
"""The kind of job that makes the vectors of some nodes of a revision, and leaves the rest to the next one."""
NODES_PER_COMMIT = 32
"""With their vectors; one call of the embedder."""
NODES_PER_JOB = 128
"""Some twenty seconds of the bundled model; then it is the turn of other documents."""
JOBS_PER_REVISION = 16
"""At most about so many: each reads the text and cuts it anew, and a thick book must not be read a hundred times."""
NODES_OF_WORDS_PER_COMMIT = 128
PROGRESS_READ, PROGRESS_DONE = 30, 100
StoredNode = tuple[Node, LeafText | None]
"""A section has no text of its own."""
TRIES_AFTER_CONFLICT = 20
"""The veil of a base changes with every document that is replaced, so a busy import meets itself here."""


async def index_revision(ports: Ports, job: Job, document: Document, revision: Revision) -> None:
    """Begin to make this revision the current one of its document, and finish the job with that.

    The first revision of a long document is found by its words from now on, before its vectors are made; a short one is
    complete at once. A later one is not seen at all until it is complete, and then replaces the one before at once.
    """
    nodes, next_job = await _nodes(ports, job.partition, revision), vectors_job(ports, job)
    is_first = document.current in (None, revision.id)
    if is_first and len(nodes) <= NODES_PER_COMMIT:
        # A short document does not wait behind long ones, and needs no words of its own first.
        revision, _ = await _store_vectors(ports, job.partition, nodes, revision)
        return await _complete(ports, job, revision)
    if not is_first:
        return await _hide(ports, job, revision, next_job)
    if not revision.nodes_indexed:
        await _store_words(ports, job.partition, nodes, revision)
    await _show_first(ports, job, document, revision, next_job)
    return None


async def make_vectors(ports: Ports, jobs: Sequence[Job]) -> None:
    """Some more vectors of a revision; with the last ones it is complete and becomes the current one."""
    for job in jobs:
        document = await find_document(ports, job.partition, job.payload["document"])
        revision = await find_revision(ports, job.partition, job.payload["revision"])
        if revision is None or document is None:
            # Deleted; the job that sweeps after that waits in this lane.
            await ports.storage.commit(Changes(partition=job.partition, finishes=(job,)))
        elif revision.id not in (document.latest, document.current) and "wanted" not in job.payload:
            # A later upload passed by while this one was in back-off.
            sweep = sweep_job(ports, job.partition, document.id, [revision.id], whole=False)
            await ports.storage.commit(Changes(partition=job.partition, finishes=(job,), enqueues=(sweep,)))
        else:
            await _more_vectors(ports, job, revision)


async def _more_vectors(ports: Ports, job: Job, revision: Revision) -> None:
    nodes = await _nodes(ports, job.partition, revision)
    revision, is_there = await _store_vectors(ports, job.partition, nodes, revision)
    if is_there and revision.nodes_indexed < len(nodes):
        next_job = vectors_job(ports, job)
        await ports.storage.commit(Changes(partition=job.partition, finishes=(job,), enqueues=(next_job,)))
    else:
        await _complete(ports, job, revision)


def vectors_job(ports: Ports, job: Job) -> NewJob:
    """The next step for the document that a job is about."""
    return NewJob(id=ports.clock.new_id("vectors-"), kind=VECTORS, lane=job.lane, payload=job.payload)


async def _nodes(ports: Ports, partition: Partition, revision: Revision) -> list[StoredNode]:
    """In the order of the text; the same every time, so that another worker can go on in the middle."""
    text = await whole_text(ports, partition, revision, characters_max=revision.characters)
    outline = Outline(revision.title, revision.headings, revision.page_lines, revision.lines_are_rows)
    tree = await asyncio.to_thread(nodes_of, revision.document_id, outline, text)
    leaves = {leaf.node.id: leaf for leaf in tree.leaves}
    return [(node, leaves.get(node.id)) for node in tree.nodes]


async def _store_words(ports: Ports, partition: Partition, nodes: Sequence[StoredNode], revision: Revision) -> None:
    for start in range(0, len(nodes), NODES_OF_WORDS_PER_COMMIT):
        together = nodes[start : start + NODES_OF_WORDS_PER_COMMIT]
        records = await asyncio.to_thread(_records, together, revision, {})
        await ports.storage.commit(Changes(partition=partition, expects=(still(revision),), puts=tuple(records)))


async def _store_vectors(
    ports: Ports, partition: Partition, nodes: Sequence[StoredNode], revision: Revision
) -> tuple[Revision, bool]:
    """As many nodes as one job does, from where the one before stopped. False when the document is gone."""
    begin = revision.nodes_indexed
    share = max(NODES_PER_JOB, len(nodes) // JOBS_PER_REVISION)
    for start in range(begin, min(begin + share, len(nodes)), NODES_PER_COMMIT):
        together = nodes[start : start + NODES_PER_COMMIT]
        leaves = [leaf for _, leaf in together if leaf is not None]
        vectors = await embedded(ports, [leaf.index_text for leaf in leaves])
        embeddings = {leaf.node.id: vector for leaf, vector in zip(leaves, vectors, strict=True)}
        records = await asyncio.to_thread(_records, together, revision, embeddings)
        further = replace(revision, nodes_indexed=start + len(together))
        await ports.storage.commit(
            Changes(partition=partition, expects=(still(revision),), puts=(*records, revision_record(further)))
        )
        revision = replace(further, version=revision.version + 1)
        # With the last ones it is complete, which is told with that.
        is_last = revision.nodes_indexed == len(nodes)
        if not is_last and not await _tell_progress(ports, partition, revision, len(nodes)):
            return revision, False
    return revision, True


def still(revision: Revision) -> Expectation:
    """Nothing is stored for a revision that is gone, with its base too, or that another worker goes on with."""
    return Expectation(Ref(REVISION, revision.id), revision.version)


def _records(nodes: Sequence[StoredNode], revision: Revision, embeddings: Mapping[str, Embedding]) -> list[Record]:
    return [node_record(node, revision, leaf, embeddings.get(node.id)) for node, leaf in nodes]


async def _show_first(ports: Ports, job: Job, document: Document, revision: Revision, next_job: NewJob) -> None:
    shown = replace(document, current=revision.id, updated=ports.clock.now())
    await ports.storage.commit(
        Changes(
            partition=job.partition,
            expects=(Expectation(Ref(DOCUMENT, document.id), document.version),),
            puts=(document_record(shown),),
            enqueues=(next_job,),
            finishes=(job,),
        )
    )


async def _hide(ports: Ports, job: Job, revision: Revision, next_job: NewJob) -> None:
    """Draw the veil over a revision before its first node is stored."""

    async def changes() -> Changes:
        veil = changed(ports, await read_veil(ports, job.partition), hide=[revision.id])
        return Changes(
            partition=job.partition, expects=veil.expects, puts=veil.puts, enqueues=(next_job,), finishes=(job,)
        )

    await _committed(ports, changes)


async def _committed(ports: Ports, changes: Callable[[], Awaitable[Changes]]) -> None:
    """Commit what `changes` makes of the present state, made anew when somebody else was faster."""
    for _ in range(TRIES_AFTER_CONFLICT):
        try:
            return await ports.storage.commit(await changes())
        except LeaseLost:
            raise
        except Conflict:
            continue
    raise Conflict("This document, or its base, kept changing while it was being read in")


async def _tell_progress(ports: Ports, partition: Partition, revision: Revision, nodes: int) -> bool:
    """How far it is, unless somebody changes the document right now: the next batch will tell. False when there is no
    document any more."""
    document = await find_document(ports, partition, revision.document_id)
    if document is None or document.latest != revision.id:
        return document is not None
    progress = PROGRESS_READ + (PROGRESS_DONE - 1 - PROGRESS_READ) * revision.nodes_indexed // max(nodes, 1)
    told = replace(document, progress=progress)
    expects = (Expectation(Ref(DOCUMENT, document.id), document.version),)
    try:
        await ports.storage.commit(Changes(partition=partition, expects=expects, puts=(document_record(told),)))
    except Conflict:
        return True
    return True


async def _complete(ports: Ports, job: Job, revision: Revision) -> None:
    """One commit: the revision is current, the one before lies under the veil, the job is done."""
    await _committed(ports, lambda: _completion(ports, job, revision))


async def _completion(ports: Ports, job: Job, revision: Revision) -> Changes:
    partition = job.partition
    document = await find_document(ports, partition, revision.document_id)
    if document is None:
        # Deleted meanwhile; the job that sweeps after that waits in this lane.
        return Changes(partition=partition, finishes=(job,))
    before = document.current if document.current != revision.id else None
    veil = changed(ports, await read_veil(ports, partition), show=[revision.id], hide=[before] if before else [])
    # Whether it is archived is said by whoever archives and publishes; one of them may have done so meanwhile.
    done = replace(document, current=revision.id, updated=ports.clock.now())
    if document.latest == revision.id or "wanted" in job.payload:
        done = replace(done, state=DocumentState.SUCCESS, progress=PROGRESS_DONE, failure=None)
    return Changes(
        partition=partition,
        expects=(Expectation(Ref(DOCUMENT, document.id), document.version), still(revision), *veil.expects),
        puts=(document_record(done), revision_record(replace(revision, was_published=True)), *veil.puts),
        enqueues=(sweep_job(ports, partition, document.id, [before], whole=False),) if before else (),
        finishes=(job,),
    )
