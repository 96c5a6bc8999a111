"""The worker: claims jobs, runs them, and decides what a failure means."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import structlog

from yiku.core.knowledge.indexing import VECTORS, make_vectors
from yiku.core.knowledge.ingest import fail_ingest, ingest
from yiku.core.knowledge.sweep import SWEEP, fail_sweep, sweep
from yiku.core.knowledge.upload import INGEST
from yiku.core.memory.add import DIGEST
from yiku.core.memory.digest import digest, fail
from yiku.core.retention import forget_when_due
from yiku.model.errors import Conflict, LeaseLost, StorageUnavailable, Unavailable, YikuError
from yiku.model.jobs import Job, JobFailure, backoff_s
from yiku.model.retention import FOR_EVER, Retention
from yiku.ports import Ports

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Handler:
    """What is done for jobs of one kind, how one ends that cannot be done, and what people call it."""

    run: Callable[[Ports, Sequence[Job]], Awaitable[None]]
    fail: Callable[[Ports, Job, JobFailure], Awaitable[None]]
    what: str


HANDLERS: Mapping[str, Handler] = {
    DIGEST: Handler(digest, fail, "add"),
    INGEST: Handler(ingest, fail_ingest, "document"),
    SWEEP: Handler(sweep, fail_sweep, "document"),
    VECTORS: Handler(make_vectors, fail_ingest, "document"),
}
OF_MEMORY, OF_DOCUMENTS, OF_VECTORS = (DIGEST,), (INGEST, SWEEP), (VECTORS,)
"""Worked on apart: no book, however thick, holds up what somebody said, nor that the next file is read and found by its
words."""
DOCUMENTS_AT_ONCE = 2
"""While one is parsed in another process, the words of another are stored."""

LANES_AT_ONCE = 2
"""While one lane waits for the embedder, another can read and commit; more would only compete for the same cores."""
LANES_WITH_LLM = 8
"""Most of a lane's time is spent waiting for a language model: one that hangs must not hold up everybody."""
PAUSE_AFTER_FAULT_S = 1.0
IDLE_POLL_S = 0.5
"""How soon a worker sees jobs of other processes, back-offs that end, and the wish to stop."""
RETENTION_POLL_S = 600.0
"""How soon a worker takes the turn to forget from one that has stopped."""


async def run_worker(ports: Ports, stop: asyncio.Event, retention: Retention = FOR_EVER) -> None:
    """Work until `stop` is set; then finish what is under way. What is too old is forgotten beside the jobs."""
    async with asyncio.TaskGroup() as group:
        for _ in range(LANES_AT_ONCE if ports.llm is None else LANES_WITH_LLM):
            group.create_task(_repeat(lambda: _next_jobs(ports, OF_MEMORY, ports.limits.jobs_per_batch), stop))
        if ports.documents is not None:
            for _ in range(DOCUMENTS_AT_ONCE):
                group.create_task(_repeat(lambda: _next_jobs(ports, OF_DOCUMENTS, 1), stop))
            group.create_task(_repeat(lambda: _next_jobs(ports, OF_VECTORS, 1), stop))
        if not retention.is_for_ever:
            group.create_task(_repeat(lambda: _next_turn(ports, retention, stop), stop))


async def _repeat(work: Callable[[], Awaitable[None]], stop: asyncio.Event) -> None:
    while not stop.is_set():
        try:
            await work()
        except StorageUnavailable as error:
            log.warning("storage_unavailable", reason=error.message)
            await asyncio.sleep(error.retry_after_s)
        except Exception:
            # A worker that ends would leave every later add pending without a word. Leases see to what was under way.
            log.exception("worker_failed")
            await asyncio.sleep(PAUSE_AFTER_FAULT_S)


async def _next_jobs(ports: Ports, kinds: Sequence[str], at_once: int) -> None:
    jobs = await ports.storage.claim(kinds, lease_s=ports.limits.job_lease_s, limit=at_once)
    if jobs:
        await run_jobs(ports, jobs)
    else:
        await ports.storage.wait_for_jobs(timeout_s=IDLE_POLL_S)


async def _next_turn(ports: Ports, retention: Retention, stop: asyncio.Event) -> None:
    await forget_when_due(ports, retention, stop)
    with suppress(TimeoutError):
        async with asyncio.timeout(RETENTION_POLL_S):
            await stop.wait()


async def run_jobs(ports: Ports, jobs: Sequence[Job]) -> None:
    """Run the claimed jobs of one lane together; if that fails for a reason of their own, one by one."""
    lost, alive = _partition_lost(ports, jobs)
    for job in lost:
        what = HANDLERS[job.kind].what
        message = f"The server stopped each time it worked on this {what}: give it in smaller parts"
        await _end(ports, job, "WorkerDied", message)
    if not alive:
        return
    error = await _attempt(ports, alive)
    if error is None:
        return
    if len(alive) == 1 or isinstance(error, Unavailable):
        await _after_failure(ports, alive, error)
        return
    for job in alive:
        error = await _attempt(ports, [job])
        if error is not None:
            await _after_failure(ports, [job], error)


def _partition_lost(ports: Ports, jobs: Sequence[Job]) -> tuple[list[Job], list[Job]]:
    """Jobs that were claimed again and again without ever reporting an error took their worker down each time."""
    lost = [job for job in jobs if job.attempts > ports.limits.job_attempts and job.last_error is None]
    return lost, [job for job in jobs if job not in lost]


async def _attempt(ports: Ports, jobs: Sequence[Job]) -> Exception | None:
    """Run jobs under their leases. The error to judge, or None when they are done or no longer ours."""
    try:
        async with _kept_leased(ports, jobs):
            await HANDLERS[jobs[0].kind].run(ports, jobs)
    except asyncio.CancelledError:
        # A graceful stop that could not wait: the next start need not wait for the leases to run out.
        await ports.storage.release(jobs, delay_s=0, error=None, count_attempt=False)
        raise
    except LeaseLost:
        log.info("lease_lost", jobs=[job.id for job in jobs])
    except StorageUnavailable:
        raise  # Nothing can be written down about these jobs now; their leases run out and they are claimed again.
    except Exception as error:  # The job loop may catch everything (style §6): whoever called judges the error.
        return error
    return None


@asynccontextmanager
async def _kept_leased(ports: Ports, jobs: Sequence[Job]) -> AsyncIterator[None]:
    """Renew the leases while the body runs: a model call may outlast one."""

    async def renew() -> None:
        held = list(jobs)
        while held:
            await asyncio.sleep(ports.limits.job_lease_s / 3)
            held = await _renewed(ports, held)

    renewal = asyncio.ensure_future(renew())
    try:
        yield
    finally:
        renewal.cancel()
        with suppress(asyncio.CancelledError, YikuError):
            await renewal


async def _renewed(ports: Ports, jobs: Sequence[Job]) -> list[Job]:
    """Those that are still ours. A digest of many adds commits several times, and finishes some jobs before others."""
    try:
        await ports.storage.renew(jobs, lease_s=ports.limits.job_lease_s)
        return list(jobs)
    except LeaseLost:
        if len(jobs) == 1:
            return []
        return [job for one in jobs for job in await _renewed(ports, [one])]


async def _after_failure(ports: Ports, jobs: Sequence[Job], error: Exception) -> None:
    """What is down comes back: try for ever, ever more slowly. What is wrong stays wrong: a few tries, then FAILED."""
    passing = isinstance(error, Unavailable)
    if isinstance(error, Conflict):
        # Somebody else was faster, which is no fault of ours; the job is tried again on what is there now.
        log.info("job_met_another", jobs=[job.id for job in jobs])
    elif not passing:
        log.error("job_failed", jobs=[job.id for job in jobs], exc_info=error)
    for job in jobs:
        if passing or job.attempts < ports.limits.job_attempts:
            await ports.storage.release([job], delay_s=backoff_s(job.attempts), error=_described(error, job))
        else:
            code = error.code if isinstance(error, YikuError) else "InternalError"
            await _end(ports, job, code, _described(error, job))


async def _end(ports: Ports, job: Job, code: str, message: str) -> None:
    with suppress(LeaseLost):
        await HANDLERS[job.kind].fail(ports, job, JobFailure(code, message))


def _described(error: Exception, job: Job) -> str:
    """What may be shown of an error: our own words, never a foreign exception's."""
    if isinstance(error, YikuError):
        return error.message
    return f"The server could not finish this {HANDLERS[job.kind].what}; its log says why"
