"""Does the queue keep its bound and its lanes when several servers reach for them at the same moment?"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable

import psycopg
import pytest

from tests.adapters.postgres_storages import Session, Storages, slow_commits
from tests.contract.builders import ALICE, BOB, changes, claim, enqueue, job_ids, new_job, record
from yiku.model.errors import Conflict, LeaseLost, QueueFull
from yiku.model.jobs import Job
from yiku.model.scopes import user_partition

GENEROUS_S = 30.0
ROUNDS = 100
BOUND = 10


async def _outcomes(commits: Iterable[Awaitable[None]]) -> list[BaseException | None]:
    return await asyncio.gather(*commits, return_exceptions=True)


@pytest.mark.parametrize("waiting", [0, BOUND - 3, BOUND - 1, BOUND])
async def test_a_queue_never_grows_beyond_its_bound_however_many_enqueue_at_once(
    storages: Storages, session: Session, waiting: int
) -> None:
    slow_commits(session)
    opened = [await storages(queue_jobs=BOUND) for _ in range(2)]
    users = [user_partition("default", f"user-{number}") for number in range(30)]
    turns = [(opened[number % 2], user) for number, user in enumerate(users)]
    # All connections are opened and all partitions made before it comes to it.
    await _outcomes(storage.commit(changes(record("m-1"), partition=user)) for storage, user in turns)
    await enqueue(opened[0], *(f"before-{number}" for number in range(waiting)))
    outcomes = await _outcomes(
        storage.commit(changes(partition=user, enqueues=[new_job(f"job of {user.owner}", lane=user.owner)]))
        for storage, user in turns
    )
    assert {type(outcome) for outcome in outcomes if outcome is not None} == {QueueFull}
    assert (await opened[0].queue_state()).waiting == BOUND
    assert outcomes.count(None) == BOUND - waiting


async def test_a_job_id_that_two_partitions_enqueue_at_once_is_taken_by_one(storages: Storages) -> None:
    ours, theirs = await storages(), await storages()
    for number in range(20):
        outcomes = await _outcomes(
            storage.commit(changes(record(f"m-{number}"), partition=partition, enqueues=[new_job(f"j-{number}")]))
            for storage, partition in ((ours, ALICE), (theirs, BOB))
        )
        assert {type(outcome) for outcome in outcomes} == {Conflict, type(None)}


def _leased(batches: list[list[Job]]) -> list[str]:
    return sorted(job.id for batch in batches for job in batch)


async def test_a_lane_is_claimed_once_at_the_moment_its_back_off_ends(storages: Storages) -> None:
    ours, theirs = await storages(), await storages()
    await enqueue(ours, "first", "second", "third", lane="lane")
    for _ in range(ROUNDS):
        (job,) = await claim(ours, limit=1)
        assert job.id == "first"
        await ours.release([job], delay_s=1, error="down", count_attempt=False)
        assert await claim(theirs) == []
        storages.clock.advance(1)
        batches = await asyncio.gather(*(claim((ours, theirs)[number % 2], limit=1) for number in range(10)))
        assert _leased(batches) == ["first"]
        (again,) = [job for batch in batches for job in batch]
        await ours.release([again], delay_s=0, error=None, count_attempt=False)


async def test_a_lane_whose_job_stands_aside_is_still_claimed_once_at_a_time(storages: Storages) -> None:
    """Past its tries in line a job lets later ones pass; when its delay ends, both ends of the lane are claimable."""
    ours, theirs = await storages(), await storages()
    await enqueue(ours, "first", "second", lane="lane")
    for _ in range(3):
        await ours.release(await claim(ours, limit=1), delay_s=0, error="down")
    for _ in range(ROUNDS):
        batches = await asyncio.gather(*(claim((ours, theirs)[number % 2], limit=1) for number in range(10)))
        assert _leased(batches) == ["first"]
        await ours.release([job for batch in batches for job in batch], delay_s=1, error="down")
        batches = await asyncio.gather(*(claim((ours, theirs)[number % 2], limit=1) for number in range(10)))
        assert _leased(batches) == ["second"]
        storages.clock.advance(1)
        assert await claim(theirs) == []
        await ours.release([job for batch in batches for job in batch], delay_s=0, error=None)


async def _waits(session: Session, count: int) -> None:
    """Until so many calls wait for a lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    async with asyncio.timeout(GENEROUS_S):
        while await asyncio.to_thread(lambda: session.execute(waiting).fetchone()) != (count,):
            continue


async def _in_this_order(
    database: str, session: Session, job: str, first: Awaitable[object], then: Awaitable[list[Job]]
) -> list[Job]:
    """Make both calls wait for the same job, one behind the other, and then let them go. What the second answered."""
    async with await psycopg.AsyncConnection.connect(database) as holder, asyncio.timeout(GENEROUS_S):
        await holder.execute("SELECT id FROM job WHERE id = %s FOR UPDATE", (job,))
        one = asyncio.ensure_future(first)
        await _waits(session, 1)
        other = asyncio.ensure_future(then)
        await _waits(session, 2)
        await holder.rollback()
        await one
        return await other


async def test_a_lease_renewed_at_the_moment_it_is_taken_over_keeps_the_whole_lane(
    storages: Storages, session: Session, database: str
) -> None:
    ours, theirs = await storages(), await storages()
    await enqueue(ours, "first", "second", lane="lane")
    held = await claim(ours, limit=1)
    storages.clock.advance(61)
    taken = await _in_this_order(database, session, "first", ours.renew(held, lease_s=60), claim(theirs))
    assert job_ids(taken) == []
    await ours.commit(changes(finishes=held))
    assert job_ids(await claim(theirs)) == ["second"]


async def test_a_job_released_into_back_off_at_the_moment_it_is_taken_over_still_holds_up_its_lane(
    storages: Storages, session: Session, database: str
) -> None:
    ours, theirs = await storages(), await storages()
    await enqueue(ours, "first", "second", lane="lane")
    held = await claim(ours, limit=1)
    storages.clock.advance(61)
    released = ours.release(held, delay_s=60, error="down")
    assert job_ids(await _in_this_order(database, session, "first", released, claim(theirs))) == []
    storages.clock.advance(61)
    assert job_ids(await claim(theirs)) == ["first", "second"]


async def test_a_lease_is_lost_to_whoever_takes_the_job_over_first(
    storages: Storages, session: Session, database: str
) -> None:
    ours, theirs = await storages(), await storages()
    await enqueue(ours, "first", "second", lane="lane")
    held = await claim(ours, limit=1)
    storages.clock.advance(61)
    assert job_ids(await claim(theirs)) == ["first", "second"]
    with pytest.raises(LeaseLost):
        await ours.renew(held, lease_s=60)
    with pytest.raises(LeaseLost):
        await ours.commit(changes(finishes=held))
