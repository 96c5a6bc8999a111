"""Take away what belongs to revisions that nobody sees any more, in small commits; they lie under the veil till then.

It waits in the lane of its document: what is being read in is never swept away at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from yiku.core.knowledge.lanes import document_lane
from yiku.core.knowledge.records import NODE, REVISION, REVISION_FIELD, TABLE, TEXT, revision_of, revision_record
from yiku.core.knowledge.veil import changed, read_veil
from yiku.model.conditions import Eq
from yiku.model.jobs import Job, JobFailure, NewJob
from yiku.model.records import Changes, PageQuery, Record, Ref
from yiku.model.scopes import Partition
from yiku.ports import Ports

SWEEP = "sweep"
DELETED_AT_ONCE = 200


def sweep_job(
    ports: Ports, partition: Partition, document_id: str, revision_ids: Sequence[str], *, whole: bool
) -> NewJob:
    """`whole` takes text, tables and the original too, as when a document was deleted; else only the nodes go."""
    return NewJob(
        id=ports.clock.new_id("sweep-"),
        kind=SWEEP,
        lane=document_lane(partition, document_id),
        payload={"revisions": list(revision_ids), "whole": whole},
    )


async def sweep(ports: Ports, jobs: Sequence[Job]) -> None:
    for job in jobs:
        revisions, whole = job.payload["revisions"], job.payload["whole"]
        for revision_id in revisions:
            for kind in (NODE, TEXT, TABLE) if whole else (NODE,):
                await _delete_all(ports, job.partition, kind, revision_id)
        if whole:
            await ports.for_documents.objects.delete(job.partition, revisions)
        veil = changed(ports, await read_veil(ports, job.partition), show=revisions)
        gone = tuple(Ref(REVISION, revision_id) for revision_id in revisions) if whole else ()
        kept = () if whole else await _without_nodes(ports, job.partition, revisions)
        await ports.storage.commit(
            Changes(
                partition=job.partition, expects=veil.expects, deletes=gone, puts=(*veil.puts, *kept), finishes=(job,)
            )
        )


async def fail_sweep(ports: Ports, job: Job, failure: JobFailure) -> None:
    """What could not be swept stays hidden; the log says why. Deleting the base takes it along."""
    await ports.storage.commit(Changes(partition=job.partition, finishes=(job,)))


async def _without_nodes(ports: Ports, partition: Partition, revision_ids: Sequence[str]) -> tuple[Record, ...]:
    """The revisions, which can be read and published again."""
    known = [revision_of(record) for record in await ports.storage.get(partition, REVISION, revision_ids)]
    return tuple(revision_record(replace(revision, nodes_indexed=0)) for revision in known)


async def _delete_all(ports: Ports, partition: Partition, kind: str, revision_id: str) -> None:
    query = PageQuery(partitions=(partition,), kind=kind, where=Eq(REVISION_FIELD, revision_id), limit=DELETED_AT_ONCE)
    while records := (await ports.storage.page(query)).records:
        await ports.storage.commit(
            Changes(partition=partition, deletes=tuple(Ref(kind, record.id) for record in records))
        )
