"""What does one commit do, in which order, and what is left of it when it is refused?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.builders import ALICE, BOB, changes, ids_of, new_job, record, search
from tests.contract.conftest import Engine
from yiku.model.errors import Conflict, KeyTaken, LeaseLost
from yiku.model.jobs import Job
from yiku.model.records import Changes, Expectation, Record, Ref
from yiku.ports.storage import Storage


async def test_a_commit_survives_closing_and_opening_again(engine: Engine) -> None:
    first = await engine.open()
    await first.commit(changes(record("m-1", "tea", unique_key="key"), enqueues=[new_job("j-1")]))
    await first.close()
    second = await engine.open()
    assert await ids_of(second) == ["m-1"]
    assert [found.id for found in await second.find(ALICE, "memory", ["key"])] == ["m-1"]
    assert len((await search(second, "tea")).hits) == 1
    assert await second.job("j-1") is not None


async def test_an_empty_commit_is_no_error(storage: Storage) -> None:
    await storage.commit(changes())
    assert await ids_of(storage) == []


async def test_versions_count_the_puts_of_an_id(storage: Storage) -> None:
    for expected in (1, 2, 3):
        await storage.commit(changes(record("m-1")))
        (found,) = await storage.get(ALICE, "memory", ["m-1"])
        assert found.version == expected


async def test_the_version_in_a_put_record_changes_nothing(storage: Storage) -> None:
    await storage.commit(changes(record("m-1")))
    (found,) = await storage.get(ALICE, "memory", ["m-1"])
    await storage.commit(changes(found))
    await storage.commit(changes(found))
    assert [again.version for again in await storage.get(ALICE, "memory", ["m-1"])] == [3]


async def test_a_record_that_was_deleted_starts_again_with_version_one(storage: Storage) -> None:
    await storage.commit(changes(record("m-1")))
    await storage.commit(changes(record("m-1")))
    await storage.commit(changes(deletes=["m-1"]))
    await storage.commit(changes(record("m-1")))
    assert [found.version for found in await storage.get(ALICE, "memory", ["m-1"])] == [1]


async def test_a_put_replaces_all_of_the_record_before_it(storage: Storage) -> None:
    await storage.commit(
        changes(record("m-1", "tea", body={"old": 1}, fields={"cat": "a"}, unique_key="old", expires_s=10))
    )
    await storage.commit(changes(record("m-1", body={"new": 2}, minute=3)))
    (found,) = await storage.get(ALICE, "memory", ["m-1"])
    assert (found.body, found.fields, found.text, found.unique_key, found.expires) == ({"new": 2}, {}, None, None, None)
    assert found.created == record("any", minute=3).created
    assert await storage.find(ALICE, "memory", ["old"]) == []


async def test_deleting_what_is_not_there_is_no_error(storage: Storage) -> None:
    await storage.commit(changes(record("m-1"), deletes=["missing"]))
    assert await ids_of(storage) == ["m-1"]


async def test_a_delete_touches_only_its_own_kind(storage: Storage) -> None:
    await storage.commit(changes(record("same"), record("same", kind="message")))
    await storage.commit(changes(deletes=["same"]))
    assert await ids_of(storage) == []
    assert await ids_of(storage, kind="message") == ["same"]


async def test_a_put_of_what_the_same_commit_deletes_stays(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "old tea")))
    await storage.commit(changes(record("m-1", "new coffee"), deletes=["m-1"]))
    assert [found.text for found in await storage.get(ALICE, "memory", ["m-1"])] == ["new coffee"]


async def test_of_two_puts_of_one_id_in_a_commit_the_later_stays(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea"), record("m-1", "coffee")))
    (found,) = await storage.get(ALICE, "memory", ["m-1"])
    assert (found.text, found.version) == ("coffee", 2)
    assert (await search(storage, "tea")).hits == ()


async def test_an_expected_version_is_that_before_the_commit(storage: Storage) -> None:
    await storage.commit(changes(record("m-1"), record("m-2")))
    await storage.commit(changes(record("m-1"), expects={"m-1": 1, "m-2": 1}, deletes=["m-2"]))
    assert [(found.id, found.version) for found in await storage.get(ALICE, "memory", ["m-1", "m-2"])] == [("m-1", 2)]


@pytest.mark.parametrize("expects", [{"m-1": 2}, {"m-1": 0}, {"missing": 0}, {"missing": 1}, {"m-1": 1, "missing": 1}])
async def test_an_expectation_that_fails_is_a_conflict(storage: Storage, expects: dict[str, int]) -> None:
    await storage.commit(changes(record("m-1")))
    with pytest.raises(Conflict):
        await storage.commit(changes(record("m-2"), expects=expects))
    assert await ids_of(storage) == ["m-1"]


async def test_an_expectation_looks_only_into_its_own_partition_and_kind(storage: Storage) -> None:
    await storage.commit(changes(record("m-1"), partition=BOB))
    await storage.commit(changes(record("m-1", kind="message")))
    with pytest.raises(Conflict):
        await storage.commit(changes(expects={"m-1": 1}))
    await storage.commit(Changes(partition=ALICE, expects=(Expectation(Ref("message", "m-1"), 1),)))


async def test_a_taken_key_names_the_record_that_holds_it(storage: Storage) -> None:
    await storage.commit(changes(record("holder", unique_key="same")))
    with pytest.raises(KeyTaken) as refusal:
        await storage.commit(changes(record("other", unique_key="same")))
    assert (refusal.value.kind, refusal.value.unique_key, refusal.value.holder_id) == ("memory", "same", "holder")
    assert await ids_of(storage) == ["holder"]


async def test_two_ids_in_one_commit_cannot_share_a_key(storage: Storage) -> None:
    with pytest.raises(KeyTaken) as refusal:
        await storage.commit(changes(record("first", unique_key="same"), record("second", unique_key="same")))
    assert refusal.value.holder_id == "first"
    assert await ids_of(storage) == []


async def test_an_id_keeps_its_own_key(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", unique_key="same")))
    await storage.commit(changes(record("m-1", "coffee", unique_key="same")))
    assert [found.text for found in await storage.find(ALICE, "memory", ["same"])] == ["coffee"]


async def test_a_key_may_be_used_again_in_another_kind_and_in_another_partition(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", unique_key="same"), record("e-1", kind="event", unique_key="same")))
    await storage.commit(changes(record("m-2", unique_key="same"), partition=BOB))
    assert [found.id for found in await storage.find(ALICE, "memory", ["same"])] == ["m-1"]
    assert [found.id for found in await storage.find(ALICE, "event", ["same"])] == ["e-1"]
    assert [found.id for found in await storage.find(BOB, "memory", ["same"])] == ["m-2"]


async def test_a_key_that_the_same_commit_frees_by_a_delete_can_be_taken(storage: Storage) -> None:
    await storage.commit(changes(record("old", unique_key="same")))
    await storage.commit(changes(record("new", unique_key="same"), deletes=["old"]))
    assert [found.id for found in await storage.find(ALICE, "memory", ["same"])] == ["new"]


async def test_a_key_that_an_earlier_put_gave_up_can_be_taken(storage: Storage) -> None:
    await storage.commit(changes(record("old", unique_key="same")))
    await storage.commit(changes(record("old"), record("new", unique_key="same")))
    assert [found.id for found in await storage.find(ALICE, "memory", ["same"])] == ["new"]


async def test_a_job_id_that_exists_already_is_a_conflict_and_nothing_happens(storage: Storage) -> None:
    await storage.commit(changes(enqueues=[new_job("j-1", payload={"first": True})]))
    with pytest.raises(Conflict):
        await storage.commit(changes(record("m-1"), enqueues=[new_job("j-1", payload={"first": False})]))
    assert await ids_of(storage) == []
    waiting = await storage.job("j-1")
    assert waiting is not None
    assert waiting.payload == {"first": True}


async def _lost_job(storage: Storage) -> Job:
    """A job whose lease is gone because it is finished."""
    await storage.commit(changes(enqueues=[new_job("lost", lane="lost")]))
    (job,) = await storage.claim(["digest"], lease_s=60, limit=1)
    await storage.commit(changes(finishes=[job]))
    return job


@pytest.mark.parametrize(
    ("failing", "error"),
    [
        ({"expects": {"kept": 9}}, Conflict),
        ({"puts": (record("other", unique_key="taken"),)}, KeyTaken),
        ({"enqueues": [new_job("waiting")]}, Conflict),
        ({"lost": True}, LeaseLost),
    ],
    ids=["expectation", "unique key", "job id", "lease"],
)
async def test_a_refused_commit_leaves_nothing_behind(
    storage: Storage, failing: dict[str, Any], error: type[Conflict]
) -> None:
    await storage.commit(changes(record("kept", "tea"), record("gone", "milk", unique_key="taken")))
    lost = await _lost_job(storage)
    await storage.commit(changes(enqueues=[new_job("running", lane="a"), new_job("waiting", lane="b")]))
    (running,) = await storage.claim(["digest"], lease_s=60, limit=1)
    before = await storage.scan(ALICE)

    with pytest.raises(error):
        await storage.commit(
            changes(
                record("kept", "coffee"),
                record("fresh", "coffee"),
                *failing.get("puts", ()),
                expects=failing.get("expects"),
                deletes=["gone"] if error is not KeyTaken else (),
                enqueues=[new_job("fresh"), *failing.get("enqueues", ())],
                finishes=[running, lost] if "lost" in failing else [running],
            )
        )

    assert await storage.scan(ALICE) == before
    assert (await search(storage, "coffee")).hits == ()
    assert {found.record.id for found in (await search(storage, "tea milk")).hits} == {"kept", "gone"}
    assert await storage.job("fresh") is None
    assert await storage.job("running") == running
    state = await storage.queue_state()
    assert (state.waiting, state.running) == (1, 1)


async def test_expectations_are_checked_before_leases_and_leases_before_keys(storage: Storage) -> None:
    await storage.commit(changes(record("holder", unique_key="taken")))
    lost = await _lost_job(storage)
    thief = record("thief", unique_key="taken")
    with pytest.raises(Conflict) as refusal:
        await storage.commit(changes(thief, expects={"holder": 9}, finishes=[lost]))
    assert type(refusal.value) is Conflict
    with pytest.raises(LeaseLost):
        await storage.commit(changes(thief, finishes=[lost]))


async def test_a_commit_that_was_refused_makes_no_partition(storage: Storage) -> None:
    with pytest.raises(Conflict):
        await storage.commit(changes(record("m-1"), expects={"missing": 1}))
    assert await storage.partitions("default", "user:") == []


async def test_a_commit_of_a_thousand_records_is_whole(storage: Storage) -> None:
    many: list[Record] = [record(f"m-{number:04}", f"number {number}", minute=number) for number in range(1_000)]
    await storage.commit(changes(*many))
    assert await ids_of(storage) == [one.id for one in many]
    assert (await storage.check()).problems == ()
    await storage.commit(changes(deletes=[one.id for one in many]))
    assert await ids_of(storage) == []
