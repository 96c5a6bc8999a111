"""What holds when many write and read at once, in one process and in two?"""

from __future__ import annotations

import asyncio

import pytest

from tests.contract.builders import ALICE, changes, hit_ids, ids_of, new_job, record, search, vector
from tests.contract.conftest import Engine
from yiku.model.errors import Conflict, KeyTaken, LeaseLost, StorageUnavailable
from yiku.model.records import PageQuery
from yiku.model.scopes import user_partition
from yiku.ports.storage import Storage


async def test_processes_may_open_a_fresh_place_at_the_same_moment(engine: Engine) -> None:
    opened = await asyncio.gather(*(engine.open() for _ in range(6)))
    await asyncio.gather(*(storage.commit(changes(record(f"m-{number}"))) for number, storage in enumerate(opened)))
    for storage in opened:
        assert len(await ids_of(storage)) == 6


async def test_parallel_commits_all_survive(engine: Engine) -> None:
    storage = await engine.open()
    await asyncio.gather(*(storage.commit(changes(record(f"m-{number:02}", "tea"))) for number in range(50)))
    await storage.close()
    reopened = await engine.open()
    assert await ids_of(reopened) == [f"m-{number:02}" for number in range(50)]
    assert (await search(reopened, "tea")).statistics.document_frequencies == (50,)


async def test_a_refused_commit_does_not_touch_those_beside_it(storage: Storage) -> None:
    await storage.commit(changes(record("holder", unique_key="taken")))
    commits = [
        changes(record(f"m-{number:02}", unique_key="taken" if number % 2 else None, minute=1)) for number in range(30)
    ]
    outcomes = await asyncio.gather(*(storage.commit(one) for one in commits), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), KeyTaken] * 15
    assert await ids_of(storage) == ["holder", *(f"m-{number:02}" for number in range(0, 30, 2))]


async def _increment(storage: Storage) -> bool:
    """Raise the counter by one from what it is expected to be; whether we were the first."""
    try:
        await storage.commit(changes(record("counter", body={"value": 1}), expects={"counter": 1}))
    except Conflict:
        return False
    return True


async def test_many_new_partitions_at_once_are_made_by_those_that_are_not_refused(engine: Engine) -> None:
    owners = [user_partition("default", f"user-{number:02}") for number in range(30)]
    commits = [
        changes(record("m-1", "tea"), partition=owner, expects={"missing": 1} if number % 2 else None)
        for number, owner in enumerate(owners)
    ]
    storages = [await engine.open(), await engine.open()]
    outcomes = await asyncio.gather(
        *(storages[number % 3 % 2].commit(one) for number, one in enumerate(commits)), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), Conflict] * 15
    assert await storages[0].partitions("default", "user:") == owners[::2]
    for owner in owners[::2]:
        assert await ids_of(storages[1], owner) == ["m-1"]


async def test_of_parallel_changes_of_one_version_exactly_one_wins(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    await ours.commit(changes(record("counter", body={"value": 0})))
    won = await asyncio.gather(*(_increment((ours, theirs)[number % 2]) for number in range(20)))
    assert sum(won) == 1
    assert [(found.version, found.body) for found in await theirs.get(ALICE, "memory", ["counter"])] == [
        (2, {"value": 1})
    ]


async def test_of_parallel_puts_of_one_key_exactly_one_wins(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    outcomes = await asyncio.gather(
        *((ours, theirs)[number % 2].commit(changes(record(f"m-{number}", unique_key="same"))) for number in range(20)),
        return_exceptions=True,
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, KeyTaken)]
    assert len(refused) == 19
    assert {outcome.holder_id for outcome in refused} == set(await ids_of(ours))


async def _read_pairs(storage: Storage, done: asyncio.Event) -> None:
    while not done.is_set():
        left, right = await storage.get(ALICE, "memory", ["left", "right"])
        assert left.body == right.body
        page = await storage.page(PageQuery(partitions=(ALICE,), kind="memory", limit=1_000))
        assert page.count == len(page.records)
        assert page.count % 2 == 0
        found = await search(storage, "pair", limit=1_000)
        assert len(found.hits) == found.statistics.records == found.statistics.document_frequencies[0]
        assert len(found.hits) % 2 == 0


async def _write_pairs(storage: Storage, done: asyncio.Event) -> None:
    for number in range(60):
        await storage.commit(
            changes(
                record("left", "pair", body={"value": number}),
                record(f"left-{number}", "pair"),
                record(f"right-{number}", "pair"),
                record("right", "pair", body={"value": number}),
            )
        )
    done.set()


async def test_readers_see_each_commit_whole(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    await ours.commit(changes(record("left", "pair", body={"value": 0}), record("right", "pair", body={"value": 0})))
    done = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        for storage in (ours, ours, theirs):
            tasks.create_task(_read_pairs(storage, done))
        tasks.create_task(_write_pairs(ours, done))
    assert len(await ids_of(theirs)) == 122


async def test_a_commit_is_seen_by_every_read_that_starts_after_it(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    for number in range(30):
        writer, reader = (ours, theirs) if number % 2 else (theirs, ours)
        await writer.commit(changes(record(f"m-{number:02}", f"word{number}", embedding=vector(1, number))))
        assert hit_ids(await search(reader, f"word{number}", limit=1)) == [f"m-{number:02}"]
        assert len((await search(reader, embedding=vector(1, number))).hits) == number + 1
        assert len(await ids_of(reader)) == number + 1


async def test_parallel_claims_never_share_a_job_or_a_lane(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    await ours.commit(changes(enqueues=[new_job(f"j-{number}", lane=f"lane-{number % 5}") for number in range(20)]))
    claimed = await asyncio.gather(
        *((ours, theirs)[number % 2].claim(["digest"], lease_s=60, limit=2) for number in range(12))
    )
    batches = [batch for batch in claimed if batch]
    lanes = [lane for batch in batches for lane in {job.lane for job in batch}]
    assert sorted(lanes) == [f"lane-{number}" for number in range(5)]
    ids = [job.id for batch in batches for job in batch]
    assert len(ids) == len(set(ids)) == 10


async def test_of_parallel_finishes_of_one_job_exactly_one_wins(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    await ours.commit(changes(enqueues=[new_job("j-1")]))
    jobs = await ours.claim(["digest"], lease_s=60, limit=1)
    outcomes = await asyncio.gather(
        *((ours, theirs)[number % 2].commit(changes(record(f"m-{number}"), finishes=jobs)) for number in range(10)),
        return_exceptions=True,
    )
    assert sum(isinstance(outcome, LeaseLost) for outcome in outcomes) == 9
    assert len(await ids_of(ours)) == 1


async def test_writers_in_two_processes_lose_nothing(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    await asyncio.gather(
        *(
            (ours, theirs)[number % 2].commit(
                changes(record(f"m-{number:02}", "tea"), enqueues=[new_job(f"j-{number}", lane=f"lane-{number}")])
            )
            for number in range(40)
        )
    )
    for storage in (ours, theirs):
        assert len(await ids_of(storage)) == 40
        assert (await search(storage, "tea")).statistics.records == 40
        assert (await storage.queue_state()).waiting == 40
    assert (await ours.check()).problems == ()


async def test_a_drop_among_commits_leaves_a_whole_store(storage: Storage) -> None:
    await asyncio.gather(
        *(
            storage.drop(ALICE)
            if number % 10 == 5
            else storage.commit(changes(record(f"m-{number}", "tea"), record(f"n-{number}", "tea")))
            for number in range(40)
        )
    )
    ids = await ids_of(storage)
    assert {name[2:] for name in ids if name.startswith("m")} == {name[2:] for name in ids if name.startswith("n")}
    assert hit_ids(await search(storage, "tea")) == sorted(ids)
    assert (await storage.check()).problems == ()


async def test_closing_lets_running_commits_end(engine: Engine) -> None:
    storage = await engine.open()
    commits = [asyncio.create_task(storage.commit(changes(record(f"m-{number:02}")))) for number in range(20)]
    reads = [asyncio.create_task(storage.get(ALICE, "memory", ["m-00"])) for _ in range(5)]
    *outcomes, closed = await asyncio.gather(*commits, *reads, storage.close(), return_exceptions=True)
    assert closed is None
    kept = [f"m-{number:02}" for number, outcome in enumerate(outcomes[:20]) if outcome is None]
    assert {type(outcome) for outcome in outcomes} <= {type(None), list, StorageUnavailable}
    assert await ids_of(await engine.open()) == kept


async def test_closing_wakes_those_who_wait_for_jobs(engine: Engine) -> None:
    storage = await engine.open()
    waiting = asyncio.create_task(storage.wait_for_jobs(timeout_s=3_000))
    async with asyncio.timeout(30):
        await asyncio.gather(waiting, storage.close(), return_exceptions=True)
    assert waiting.done()


async def test_a_closed_store_says_so_and_closing_twice_is_fine(engine: Engine) -> None:
    storage = await engine.open()
    await storage.close()
    await storage.close()
    with pytest.raises(StorageUnavailable):
        await storage.get(ALICE, "memory", ["m-1"])
    with pytest.raises(StorageUnavailable):
        await storage.commit(changes(record("m-1")))


async def test_a_cancelled_reader_disturbs_nobody(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea")))
    for _ in range(20):
        reads = [asyncio.create_task(search(storage, "tea")) for _ in range(5)]
        reads[0].cancel()
        first, *others = await asyncio.gather(*reads, return_exceptions=True)
        assert isinstance(first, asyncio.CancelledError)
        assert all(hit_ids(found) == ["m-1"] for found in others if not isinstance(found, BaseException))
    assert await ids_of(storage) == ["m-1"]
