"""What is a commit's outcome, and what is said of it, when its connection is cut at any moment?"""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tests.adapters.postgres_load import Load, assert_truth_was_told, works_again
from tests.adapters.postgres_storages import Session, Storages, slow_commits
from tests.contract.builders import ALICE, changes, claim, enqueue, ids_of, job_ids, new_job, record, search
from tests.postgres.proxy import Proxy, Side
from yiku.model.errors import StorageUnavailable

LOCKED = b"BEGIN\x00"
"""What the server says to the first trip of a commit, which locks the partition."""
COMMITTED = b"COMMIT\x00"

CUTS = 25


async def _version(storages: Storages, id: str) -> int:
    """As seen by a storage of its own, which nobody cuts."""
    found = await (await storages()).get(ALICE, "memory", [id])
    return sum(record.version for record in found)


async def test_commits_that_are_cut_at_random_moments_are_whole_or_absent_and_never_lost(
    storages: Storages, proxy: Proxy
) -> None:
    chance = Random(20260101)
    storage = await storages(proxy.url)
    load = Load(storage)
    async with load.running():
        for _ in range(CUTS):
            proxy.cut_after(chance.randrange(60))
            await load.goes_on(chance.randrange(1, 15))
    await works_again(storage)
    await assert_truth_was_told(load, await storages())


async def test_a_connection_that_died_unnoticed_is_replaced_without_an_error(storages: Storages, proxy: Proxy) -> None:
    storage = await storages(proxy.url)
    for number in range(10):
        await storage.commit(changes(record(f"m-{number}", "tea")))
        assert len((await search(storage, "tea")).hits) == number + 1
        proxy.cut()
    assert len(await ids_of(storage)) == 10


async def test_a_commit_whose_first_answer_is_lost_is_made_again_and_applied_once(
    storages: Storages, proxy: Proxy
) -> None:
    storage = await storages(proxy.url)
    await storage.commit(changes(record("m-1")))
    proxy.lose(lambda side, said: side is Side.SERVER and LOCKED in said)
    await storage.commit(changes(record("m-1"), expects={"m-1": 1}, enqueues=[new_job("j-1")]))
    assert await _version(storages, "m-1") == 2
    assert job_ids(await claim(storage)) == ["j-1"]


async def test_a_commit_that_is_cut_between_its_trips_happens_once_or_not_at_all(
    storages: Storages, proxy: Proxy
) -> None:
    storage = await storages(proxy.url)
    await storage.commit(changes(record("m-1")))
    locked = False

    def second_trip(side: Side, said: bytes) -> bool:
        nonlocal locked
        locked = locked or LOCKED in said
        return locked and side is Side.CLIENT

    proxy.lose(second_trip)
    try:
        await storage.commit(changes(record("m-1"), expects={"m-1": 1}))
    except StorageUnavailable as error:
        assert error.retry_after_s >= 1
        assert await _version(storages, "m-1") == 1
    else:
        assert await _version(storages, "m-1") == 2


@pytest.mark.parametrize("before", [0, 10], ids=["the first commits", "prepared statements"])
async def test_a_commit_whose_answer_is_lost_says_that_it_may_have_been_applied_and_is_not_repeated(
    storages: Storages, proxy: Proxy, before: int
) -> None:
    storage = await storages(proxy.url, connections=2)
    for _ in range(1 + before):
        await storage.commit(changes(record("m-1")))
    proxy.lose(lambda side, said: side is Side.SERVER and COMMITTED in said)
    with pytest.raises(StorageUnavailable, match="may have been applied") as told:
        await storage.commit(changes(record("m-1"), expects={"m-1": 1 + before}, enqueues=[new_job("j-1")]))
    assert told.value.retry_after_s >= 1
    assert await _version(storages, "m-1") == 2 + before
    assert job_ids(await claim(storage)) == ["j-1"]
    await storage.commit(changes(record("m-1"), expects={"m-1": 2 + before}))


async def _end_the_next_commit_at_its_flush(session: Session) -> None:
    """End the connection of a commit that is just being made durable: it succeeds, and then its server process ends."""
    ended = """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE application_name = 'yiku' AND datname = current_database() AND state = 'active' AND query = 'COMMIT'
    """
    while not await asyncio.to_thread(lambda: session.execute(ended).fetchone() != (0,)):
        continue


@pytest.mark.parametrize("with_job", [False, True])
async def test_a_commit_whose_server_process_is_ended_as_it_commits_is_not_repeated(
    storages: Storages, session: Session, with_job: bool
) -> None:
    slow_commits(session)
    storage = await storages()
    await storage.commit(changes(record("m-1")))
    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        tasks.create_task(_end_the_next_commit_at_its_flush(session))
        with pytest.raises(StorageUnavailable, match="may have been applied"):
            await storage.commit(changes(record("m-1"), enqueues=[new_job("j-1")] if with_job else []))
    assert await _version(storages, "m-1") == 2
    await storage.commit(changes(record("m-1"), expects={"m-1": 2}))


async def test_a_drop_whose_answer_is_lost_does_not_say_that_there_was_nothing(
    storages: Storages, proxy: Proxy
) -> None:
    storage = await storages(proxy.url)
    await storage.commit(changes(record("m-1"), record("m-2")))
    proxy.lose(lambda side, said: side is Side.SERVER and COMMITTED in said)
    try:
        assert await storage.drop(ALICE) == 2
    except StorageUnavailable as error:
        assert "may have been applied" in error.message
    assert await ids_of(storage) == []


async def test_a_claim_whose_answer_is_lost_leases_no_job_for_ever(storages: Storages, proxy: Proxy) -> None:
    storage = await storages(proxy.url)
    await enqueue(storage, "j-1")
    proxy.lose(lambda side, said: side is Side.SERVER and COMMITTED in said)
    try:
        jobs = await claim(storage)
    except StorageUnavailable:
        jobs = []
    storages.clock.advance(61)
    assert job_ids(jobs) == [] and job_ids(await claim(storage)) == ["j-1"]
