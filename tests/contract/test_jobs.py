"""In which order do jobs run, who holds them, and when are they tried again?"""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.contract.builders import BOB, START, changes, claim, enqueue, ids_of, job_ids, new_job, record
from tests.contract.conftest import Engine
from yiku.adapters.clocks import ManualClock
from yiku.model.errors import LeaseLost
from yiku.model.jobs import Job
from yiku.model.limits import Limits
from yiku.ports.storage import Storage


async def _fail(storage: Storage, id: str, *, times: int) -> None:
    """Let the job that is next fail `times` times; the last failure sends it into a long back-off."""
    for attempt in range(1, times + 1):
        (job,) = await claim(storage, limit=1)
        assert job.id == id
        await storage.release([job], delay_s=0 if attempt < times else 1_000, error="it broke")


async def test_a_job_comes_back_as_it_was_enqueued(storage: Storage) -> None:
    payload = {"text": "喝茶 'quoted' 😀", "list": [1, 2.5, None, True], "deep": {"a": {}}}
    await storage.commit(changes(partition=BOB, enqueues=[new_job("j-1", lane="user:bob", payload=payload)]))
    expected = Job(
        id="j-1",
        kind="digest",
        lane="user:bob",
        partition=BOB,
        payload=payload,
        enqueued=START,
        attempts=0,
        lease=None,
    )
    assert await storage.job("j-1") == expected
    (claimed,) = await claim(storage)
    assert claimed.lease
    assert claimed.attempts == 1
    assert (claimed.payload, claimed.partition, claimed.enqueued) == (payload, BOB, START)
    assert await storage.job("j-1") == claimed


async def test_nothing_to_do_is_an_empty_answer(storage: Storage) -> None:
    assert await claim(storage) == []
    assert await storage.job("missing") is None


async def test_a_batch_is_one_lane_in_order(storage: Storage) -> None:
    await storage.commit(changes(enqueues=[new_job(f"j-{number}", lane="ab"[number % 2]) for number in range(6)]))
    assert job_ids(await claim(storage, limit=2)) == ["j-0", "j-2"]
    assert job_ids(await claim(storage, limit=10)) == ["j-1", "j-3", "j-5"]
    assert await claim(storage) == []


async def test_jobs_of_one_commit_and_of_one_moment_keep_their_order(storage: Storage) -> None:
    await enqueue(storage, "z", "m", "a")
    await enqueue(storage, "k")
    assert job_ids(await claim(storage)) == ["z", "m", "a", "k"]


async def test_a_busy_lane_waits_and_the_others_go_on(storage: Storage) -> None:
    await enqueue(storage, "a-1", "a-2", lane="a")
    await enqueue(storage, "b-1", lane="b")
    (running,) = await claim(storage, limit=1)
    assert running.id == "a-1"
    assert job_ids(await claim(storage, limit=1)) == ["b-1"]
    assert await claim(storage, limit=1) == []
    await storage.commit(changes(finishes=[running]))
    assert job_ids(await claim(storage, limit=1)) == ["a-2"]


async def test_a_lane_is_busy_for_every_kind(storage: Storage) -> None:
    await enqueue(storage, "j-1", kind="digest")
    await enqueue(storage, "j-2", kind="embed")
    assert job_ids(await claim(storage, limit=1)) == ["j-1"]
    assert await claim(storage, kinds=("embed",)) == []


async def test_lanes_are_served_in_the_order_of_their_oldest_job(storage: Storage) -> None:
    for lane in ("z", "a", "m"):
        await enqueue(storage, f"{lane}-1", f"{lane}-2", lane=lane)
    assert [job_ids(await claim(storage)) for _ in range(3)] == [["z-1", "z-2"], ["a-1", "a-2"], ["m-1", "m-2"]]


async def test_a_lane_in_back_off_is_served_by_its_place_again_afterwards(storage: Storage, clock: ManualClock) -> None:
    await enqueue(storage, "a-1", lane="a")
    await enqueue(storage, "b-1", lane="b")
    jobs = await claim(storage)
    await storage.release(jobs, delay_s=10, error="later")
    clock.advance(11)
    assert job_ids(await claim(storage)) == ["a-1"]


async def test_only_the_kinds_asked_for_are_claimed(storage: Storage) -> None:
    await enqueue(storage, "digest", lane="a", kind="digest")
    await enqueue(storage, "embed", lane="b", kind="embed")
    assert await claim(storage, kinds=("other",)) == []
    assert await claim(storage, kinds=()) == []
    assert job_ids(await claim(storage, kinds=("other", "embed"))) == ["embed"]
    assert job_ids(await claim(storage, kinds=("digest", "embed"))) == ["digest"]


async def test_a_lease_that_runs_out_makes_the_job_claimable_again(storage: Storage, clock: ManualClock) -> None:
    await enqueue(storage, "j-1", "j-2")
    (first,) = await claim(storage, limit=1)
    clock.advance(59)
    assert await claim(storage) == []
    clock.advance(2)
    again = await claim(storage)
    assert [(job.id, job.attempts) for job in again] == [("j-1", 2), ("j-2", 1)]
    assert again[0].lease not in (None, first.lease)


async def test_a_renewed_lease_runs_from_now(storage: Storage, clock: ManualClock) -> None:
    await enqueue(storage, "j-1", "j-2")
    jobs = await claim(storage)
    clock.advance(50)
    await storage.renew(jobs, lease_s=60)
    clock.advance(50)
    assert await claim(storage) == []
    clock.advance(11)
    assert job_ids(await claim(storage)) == ["j-1", "j-2"]


async def test_a_job_that_another_worker_holds_can_be_neither_renewed_nor_finished(
    storage: Storage, clock: ManualClock
) -> None:
    await enqueue(storage, "j-1")
    lost = await claim(storage)
    clock.advance(61)
    (held,) = await claim(storage)
    with pytest.raises(LeaseLost):
        await storage.renew(lost, lease_s=60)
    with pytest.raises(LeaseLost):
        await storage.commit(changes(record("m-1"), finishes=lost))
    assert await ids_of(storage) == []
    assert await storage.job("j-1") == held
    await storage.commit(changes(record("m-1"), finishes=[held]))
    assert await ids_of(storage) == ["m-1"]


async def test_a_finished_job_can_be_neither_renewed_nor_finished_again(storage: Storage) -> None:
    await enqueue(storage, "j-1")
    jobs = await claim(storage)
    await storage.commit(changes(finishes=jobs))
    assert await storage.job("j-1") is None
    with pytest.raises(LeaseLost):
        await storage.renew(jobs, lease_s=60)
    with pytest.raises(LeaseLost):
        await storage.commit(changes(finishes=jobs))


async def test_a_job_that_waits_cannot_be_finished(storage: Storage) -> None:
    await enqueue(storage, "j-1")
    waiting = await storage.job("j-1")
    assert waiting is not None
    with pytest.raises(LeaseLost):
        await storage.commit(changes(finishes=[waiting]))
    assert await storage.job("j-1") is not None


async def test_finishing_and_enqueueing_happen_with_the_records(storage: Storage) -> None:
    await enqueue(storage, "j-1")
    jobs = await claim(storage)
    await storage.commit(changes(record("m-1"), finishes=jobs, enqueues=[new_job("j-2")]))
    assert await ids_of(storage) == ["m-1"]
    assert await storage.job("j-1") is None
    assert job_ids(await claim(storage)) == ["j-2"]


async def test_a_commit_may_enqueue_anew_what_it_finishes(storage: Storage) -> None:
    await enqueue(storage, "j-1")
    await storage.commit(changes(finishes=await claim(storage), enqueues=[new_job("j-1")]))
    assert job_ids(await claim(storage)) == ["j-1"]


async def test_a_released_job_waits_for_its_delay_and_keeps_its_error(storage: Storage, clock: ManualClock) -> None:
    await enqueue(storage, "j-1")
    await storage.release(await claim(storage), delay_s=16, error="the model is away")
    waiting = await storage.job("j-1")
    assert waiting is not None
    assert (waiting.lease, waiting.attempts, waiting.last_error) == (None, 1, "the model is away")
    clock.advance(15)
    assert await claim(storage) == []
    clock.advance(2)
    (again,) = await claim(storage)
    assert (again.attempts, again.last_error) == (2, "the model is away")


async def test_a_graceful_stop_is_not_counted_as_a_try(storage: Storage) -> None:
    await enqueue(storage, "j-1", "j-2")
    await storage.release(await claim(storage), delay_s=0, error=None, count_attempt=False)
    waiting = await storage.job("j-1")
    assert waiting is not None
    assert (waiting.attempts, waiting.last_error) == (0, None)
    assert [(job.id, job.attempts) for job in await claim(storage)] == [("j-1", 1), ("j-2", 1)]


async def test_releasing_a_lost_lease_changes_nothing(storage: Storage, clock: ManualClock) -> None:
    await enqueue(storage, "j-1", lane="a")
    await enqueue(storage, "j-2", lane="b")
    lost = await claim(storage)
    clock.advance(61)
    (held,) = await claim(storage)
    (ours,) = await claim(storage)
    assert (held.id, ours.id) == ("j-1", "j-2")
    await storage.release([*lost, ours], delay_s=100, error="too late")
    assert await storage.job("j-1") == held
    released = await storage.job("j-2")
    assert released is not None
    assert (released.lease, released.last_error) == (None, "too late")


async def test_a_job_in_back_off_holds_up_its_lane_until_it_had_its_tries(storage: Storage, clock: ManualClock) -> None:
    await enqueue(storage, "bad", "good")
    assert Limits().job_attempts_in_line == 3
    await _fail(storage, "bad", times=2)
    assert await claim(storage) == []
    clock.advance(1_001)
    await _fail(storage, "bad", times=1)
    assert job_ids(await claim(storage)) == ["good"]


async def test_a_job_that_was_passed_comes_first_again_after_its_delay(storage: Storage, clock: ManualClock) -> None:
    await enqueue(storage, "bad", "good")
    await _fail(storage, "bad", times=3)
    clock.advance(1_001)
    assert job_ids(await claim(storage)) == ["bad", "good"]


async def test_the_number_of_tries_in_line_is_a_limit(engine: Engine) -> None:
    storage = await engine.open(Limits(job_attempts_in_line=1))
    await enqueue(storage, "bad", "good")
    await _fail(storage, "bad", times=1)
    assert job_ids(await claim(storage)) == ["good"]


async def test_a_batch_ends_before_a_job_in_back_off(storage: Storage) -> None:
    await enqueue(storage, "j-1", "j-2", "j-3")
    first, second = await claim(storage, limit=2)
    await storage.release([first], delay_s=0, error=None)
    await storage.release([second], delay_s=100, error="it broke")
    assert job_ids(await claim(storage)) == ["j-1"]


async def test_back_off_in_one_lane_does_not_hold_up_another(storage: Storage) -> None:
    await enqueue(storage, "bad", lane="a")
    await enqueue(storage, "good", lane="b")
    await _fail(storage, "bad", times=1)
    assert job_ids(await claim(storage)) == ["good"]


async def test_jobs_survive_closing_and_so_do_their_leases(engine: Engine, clock: ManualClock) -> None:
    first = await engine.open()
    await enqueue(first, "j-1", lane="a")
    await enqueue(first, "j-2", lane="b")
    (running,) = await claim(first)
    await first.close()
    second = await engine.open()
    assert await second.job("j-1") == running
    assert job_ids(await claim(second)) == ["j-2"]
    clock.advance(61)
    assert job_ids(await claim(second)) == ["j-1"]


async def test_a_claim_says_when_the_job_was_enqueued(storage: Storage, clock: ManualClock) -> None:
    clock.advance(3)
    await enqueue(storage, "j-1")
    clock.advance(4)
    assert [job.enqueued for job in await claim(storage)] == [START + timedelta(seconds=3)]


async def test_jobs_are_listed_oldest_first_whatever_their_state(storage: Storage, clock: ManualClock) -> None:
    await enqueue(storage, "j-1", "j-2", lane="a")
    await enqueue(storage, "j-3", lane="b", kind="other")
    (failed,) = await claim(storage, limit=1)
    await storage.release([failed], delay_s=100, error="it broke")
    await claim(storage, kinds=("other",))
    listed = await storage.jobs()
    assert [(job.id, job.lease is not None, job.last_error) for job in listed] == [
        ("j-1", False, "it broke"),
        ("j-2", False, None),
        ("j-3", True, None),
    ]
    assert [job.due for job in listed] == [START + timedelta(seconds=100), None, None]
    assert listed == [await storage.job(name) for name in ("j-1", "j-2", "j-3")]


async def test_a_list_of_jobs_goes_on_where_the_last_one_ended(storage: Storage) -> None:
    await enqueue(storage, "j-1", "j-2", "j-3")
    first = await storage.jobs(limit=2)
    await storage.commit(changes(finishes=await claim(storage, limit=2)))
    assert job_ids(first) == ["j-1", "j-2"]
    assert job_ids(await storage.jobs(after=first[-1].number, limit=2)) == ["j-3"]
    assert await storage.jobs(after=first[-1].number + 1) == []


async def test_ending_a_back_off_makes_the_job_claimable_at_once(storage: Storage) -> None:
    await enqueue(storage, "j-1")
    await _fail(storage, "j-1", times=1)
    assert await claim(storage) == []
    assert await storage.end_back_off("j-1")
    (again,) = await claim(storage)
    assert (again.id, again.attempts, again.last_error, again.due) == ("j-1", 2, "it broke", None)


async def test_there_is_no_back_off_to_end_of_what_runs_or_does_not_exist(storage: Storage) -> None:
    await enqueue(storage, "j-1")
    jobs = await claim(storage)
    assert not await storage.end_back_off("j-1")
    assert not await storage.end_back_off("missing")
    await storage.renew(jobs, lease_s=60)
