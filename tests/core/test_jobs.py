"""What does the admin see of background work, and what does trying again do?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.memories import ADMIN, add, digest_all, listed, said, scope
from yiku.adapters.clocks import ManualClock
from yiku.core.audit import list_audit
from yiku.core.jobs import JobState, list_jobs, retry_job
from yiku.core.memory.add import add_memories
from yiku.core.memory.digest import fail
from yiku.core.memory.events import event_status
from yiku.core.memory.records import MESSAGE
from yiku.model.errors import Conflict, NotFound
from yiku.model.jobs import JobFailure
from yiku.model.memories import AddMemories, Event, EventState
from yiku.model.records import Changes, Ref
from yiku.ports import Ports


async def waiting_add(ports: Ports, user_id: str = "u1") -> Event:
    return await add_memories(ports, ADMIN, AddMemories(scope=scope(user_id), messages=said("我喜欢喝咖啡")))


async def test_jobs_are_listed_with_what_holds_them_up(ports: Ports, clock: ManualClock) -> None:
    held_up, running, waiting = [await waiting_add(ports, user) for user in ("u1", "u2", "u3")]
    [job] = await ports.storage.claim(["digest"], lease_s=60, limit=1)
    await ports.storage.release([job], delay_s=100, error="The model is away")
    await ports.storage.claim(["digest"], lease_s=60, limit=1)
    clock.advance(10)
    jobs = await list_jobs(ports, ADMIN, after=0, limit=10)
    assert [(job.id, job.user_id, job.state, job.attempts, job.error, job.age_s) for job in jobs] == [
        (held_up.id, "u1", JobState.BACK_OFF, 1, "The model is away", 10.0),
        (running.id, "u2", JobState.RUNNING, 1, None, 10.0),
        (waiting.id, "u3", JobState.WAITING, 0, None, 10.0),
    ]
    assert await list_jobs(ports, ADMIN, after=jobs[0].number, limit=1) == jobs[1:2]


async def test_trying_again_ends_a_back_off(ports: Ports) -> None:
    event = await waiting_add(ports)
    [job] = await ports.storage.claim(["digest"], lease_s=60, limit=1)
    await ports.storage.release([job], delay_s=100, error="The model is away")
    assert await digest_all(ports) == 0
    await retry_job(ports, ADMIN, event.id)
    assert await digest_all(ports) == 1
    assert (await event_status(ports, ADMIN, event.id)).state is EventState.SUCCEEDED


async def test_an_add_that_failed_is_digested_anew(ports: Ports) -> None:
    event = await waiting_add(ports)
    [job] = await ports.storage.claim(["digest"], lease_s=60, limit=1)
    await fail(ports, job, JobFailure("InternalError", "It broke"))
    await retry_job(ports, ADMIN, event.id)
    pending = await event_status(ports, ADMIN, event.id)
    assert (pending.state, pending.failure) == (EventState.PENDING, None)
    await digest_all(ports)
    assert (await event_status(ports, ADMIN, event.id)).state is EventState.SUCCEEDED
    assert len(await listed(ports)) == 1


async def test_what_runs_has_succeeded_or_never_was_is_not_tried_again(ports: Ports) -> None:
    done = await add(ports, "I like tea")
    running = await waiting_add(ports)
    await ports.storage.claim(["digest"], lease_s=60, limit=1)
    for event in (done, running):
        with pytest.raises(Conflict):
            await retry_job(ports, ADMIN, event.id)
    with pytest.raises(NotFound):
        await retry_job(ports, ADMIN, "me-none")
    with pytest.raises(NotFound):
        await retry_job(ports, replace(ADMIN, workspace="elsewhere"), done.id)
    entries = (await list_audit(ports, ADMIN, before=None, limit=9)).entries
    assert {(entry.action, entry.outcome) for entry in entries} == {
        ("job.retry", "failed: Conflict"),
        ("job.retry", "failed: NotFound"),
    }


async def test_an_add_whose_messages_are_gone_says_so_when_it_is_tried_again(ports: Ports) -> None:
    event = await waiting_add(ports)
    [job] = await ports.storage.claim(["digest"], lease_s=60, limit=1)
    await fail(ports, job, JobFailure("InternalError", "It broke"))
    refs = tuple(Ref(MESSAGE, message_id) for message_id in event.message_ids)
    await ports.storage.commit(Changes(partition=scope().partition, deletes=refs))
    with pytest.raises(Conflict, match="no longer kept"):
        await retry_job(ports, ADMIN, event.id)
    assert (await event_status(ports, ADMIN, event.id)).state is EventState.FAILED
