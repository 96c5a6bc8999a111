"""How much may wait, who is told when there is work, and what becomes of it when its partition is dropped?"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from tests.contract.builders import ALICE, BOB, changes, claim, enqueue, ids_of, job_ids, new_job, record
from tests.contract.conftest import Engine
from yiku.adapters.clocks import ManualClock
from yiku.model.errors import LeaseLost, QueueFull
from yiku.model.limits import Limits
from yiku.ports.storage import Storage

GENEROUS_S = 30


async def test_a_full_queue_refuses_the_whole_commit(engine: Engine) -> None:
    storage = await engine.open(Limits(queue_jobs=2))
    await enqueue(storage, "j-1")
    with pytest.raises(QueueFull) as refusal:
        await storage.commit(changes(record("m-1"), enqueues=[new_job("j-2"), new_job("j-3")]))
    assert refusal.value.retry_after_s >= 1
    assert await ids_of(storage) == []
    assert (await storage.queue_state()).waiting == 1
    assert await storage.job("j-2") is None
    await storage.commit(changes(record("m-1"), enqueues=[new_job("j-2")]))


async def test_running_jobs_take_room_and_finished_ones_give_it_back(engine: Engine) -> None:
    storage = await engine.open(Limits(queue_jobs=2))
    await enqueue(storage, "j-1", "j-2")
    jobs = await claim(storage)
    with pytest.raises(QueueFull):
        await enqueue(storage, "j-3")
    await storage.commit(changes(finishes=jobs[:1], enqueues=[new_job("j-3")]))
    with pytest.raises(QueueFull):
        await enqueue(storage, "j-4")
    await storage.drop(ALICE)
    await enqueue(storage, "j-4", "j-5")


async def test_a_full_queue_still_takes_commits_without_jobs(engine: Engine) -> None:
    storage = await engine.open(Limits(queue_jobs=1))
    await enqueue(storage, "j-1")
    await storage.commit(changes(record("m-1")))
    assert await ids_of(storage) == ["m-1"]


async def test_the_queue_says_how_much_waits_and_for_how_long(storage: Storage, clock: ManualClock) -> None:
    empty = await storage.queue_state()
    assert (empty.waiting, empty.running, empty.oldest_age_s) == (0, 0, 0)
    await enqueue(storage, "j-1", lane="a")
    clock.advance(5)
    await enqueue(storage, "j-2", lane="b")
    clock.advance(2.5)
    state = await storage.queue_state()
    assert (state.waiting, state.running, state.oldest_age_s) == (2, 0, 7.5)
    jobs = await claim(storage)
    state = await storage.queue_state()
    assert (state.waiting, state.running, state.oldest_age_s) == (1, 1, 2.5)
    await storage.commit(changes(finishes=jobs))
    await storage.commit(changes(finishes=await claim(storage)))
    assert await storage.queue_state() == empty


async def _wakes(storage: Storage, event: Coroutine[Any, Any, None]) -> None:
    """Waiting for jobs ends long before its timeout once `event` has happened."""
    async with asyncio.timeout(GENEROUS_S), asyncio.TaskGroup() as tasks:
        tasks.create_task(storage.wait_for_jobs(timeout_s=100 * GENEROUS_S))
        tasks.create_task(event)


async def test_an_enqueue_wakes_those_who_wait(storage: Storage) -> None:
    await _wakes(storage, enqueue(storage, "j-1"))
    assert job_ids(await claim(storage)) == ["j-1"]


async def test_every_waiter_wakes(storage: Storage) -> None:
    async with asyncio.timeout(GENEROUS_S), asyncio.TaskGroup() as tasks:
        for _ in range(5):
            tasks.create_task(storage.wait_for_jobs(timeout_s=100 * GENEROUS_S))
        tasks.create_task(enqueue(storage, "j-1"))


async def test_a_finish_wakes_those_who_wait_for_the_lane(storage: Storage) -> None:
    await enqueue(storage, "j-1", "j-2")
    await _wakes(storage, storage.commit(changes(finishes=await claim(storage, limit=1))))
    assert job_ids(await claim(storage)) == ["j-2"]


async def test_a_release_wakes_those_who_wait(storage: Storage) -> None:
    await enqueue(storage, "j-1")
    await _wakes(storage, storage.release(await claim(storage), delay_s=0, error=None))
    assert job_ids(await claim(storage)) == ["j-1"]


async def test_an_enqueue_by_another_process_wakes_those_who_wait(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    await _wakes(ours, enqueue(theirs, "j-1"))
    assert job_ids(await claim(ours)) == ["j-1"]


async def test_waiting_ends_with_its_timeout(storage: Storage) -> None:
    async with asyncio.timeout(GENEROUS_S):
        await storage.wait_for_jobs(timeout_s=0.01)
    assert await claim(storage) == []


async def test_a_drop_removes_waiting_and_running_jobs(storage: Storage) -> None:
    await enqueue(storage, "running", "waiting")
    running = await claim(storage, limit=1)
    await storage.commit(changes(partition=BOB, enqueues=[new_job("other", lane="bob")]))
    await storage.drop(ALICE)
    assert (await storage.job("running"), await storage.job("waiting")) == (None, None)
    with pytest.raises(LeaseLost):
        await storage.commit(changes(record("m-1"), finishes=running))
    assert await ids_of(storage) == []
    state = await storage.queue_state()
    assert (state.waiting, state.running) == (1, 0)
    assert job_ids(await claim(storage)) == ["other"]
