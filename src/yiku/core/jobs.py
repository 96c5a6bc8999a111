"""Background work as the admin sees it: what waits and why, and trying again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from yiku.core.audit import audited
from yiku.core.knowledge.upload import read_again
from yiku.core.memory.add import digest_job
from yiku.core.memory.records import EVENT, MESSAGE, event_of, event_record
from yiku.model.errors import Conflict, NotFound
from yiku.model.jobs import Job
from yiku.model.knowledge import REVISION_PREFIX
from yiku.model.memories import EventState
from yiku.model.principal import Principal
from yiku.model.records import Changes, Expectation, Ref
from yiku.model.scopes import base_of, is_base, user_of
from yiku.ports import Ports


class JobState(StrEnum):
    WAITING = "WAITING"
    BACK_OFF = "BACK_OFF"
    RUNNING = "RUNNING"


@dataclass(frozen=True, kw_only=True, slots=True)
class JobSummary:
    """It belongs to a user or to a knowledge base. `due` is when the back-off ends; `number` is what the next page goes
    on from."""

    id: str
    kind: str
    workspace: str
    user_id: str | None
    base_id: str | None
    state: JobState
    attempts: int
    enqueued: datetime
    age_s: float
    due: datetime | None
    error: str | None
    number: int


async def list_jobs(ports: Ports, principal: Principal, *, after: int, limit: int) -> list[JobSummary]:
    """What waits and runs in all workspaces, oldest first."""
    principal.require("admin")
    now = ports.clock.now()
    return [_summary(job, now) for job in await ports.storage.jobs(after=after, limit=limit)]


async def retry_job(ports: Ports, principal: Principal, job_id: str) -> None:
    """Try a job in back-off at once, and an add that ended FAILED, or a revision of a document that ended FAIL, anew.

    `Conflict` when it runs or has succeeded, or its messages are gone: there is nothing to try again.
    """
    principal.require("admin")
    job = await ports.storage.job(job_id)
    workspace = job.partition.workspace if job else principal.workspace
    async with audited(ports, principal, "job.retry", workspace=workspace, subject=job_id):
        if not await ports.storage.end_back_off(job_id):
            await _again(ports, workspace, job_id)


async def _again(ports: Ports, workspace: str, event_id: str) -> None:
    if event_id.startswith(REVISION_PREFIX):
        return await read_again(ports, workspace, event_id)
    located = await ports.storage.locate(workspace, EVENT, event_id)
    if located is None:
        raise NotFound(f"There is no job and no add {event_id[:64]!r} in the workspace {workspace}", field="id")
    partition, record = located
    event = event_of(record, partition)
    if event.state is not EventState.FAILED:
        raise Conflict("Only what waits or has failed can be tried again, and this runs or has succeeded")
    if len(await ports.storage.get(partition, MESSAGE, event.message_ids)) < len(event.message_ids):
        raise Conflict("The messages of this add are no longer kept (message_days): there is nothing to try it with")
    pending = replace(event, state=EventState.PENDING, failure=None, updated=ports.clock.now())
    await ports.storage.commit(
        Changes(
            partition=partition,
            # Of two who try at once, the second must not put back what the first attempt has decided by then.
            expects=(Expectation(Ref(EVENT, event_id), event.version),),
            puts=(event_record(pending),),
            enqueues=(digest_job(pending),),
        )
    )
    return None


def _summary(job: Job, now: datetime) -> JobSummary:
    of_base = is_base(job.partition)
    in_back_off = job.due is not None and job.due > now
    state = JobState.RUNNING if job.lease else JobState.BACK_OFF if in_back_off else JobState.WAITING
    return JobSummary(
        id=job.id,
        kind=job.kind,
        workspace=job.partition.workspace,
        user_id=None if of_base else user_of(job.partition),
        base_id=base_of(job.partition) if of_base else None,
        state=state,
        attempts=job.attempts,
        enqueued=job.enqueued,
        age_s=max((now - job.enqueued).total_seconds(), 0.0),
        due=job.due if in_back_off else None,
        error=job.last_error,
        number=job.number,
    )
