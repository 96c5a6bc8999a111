"""What does a scan report, what is left after a drop, and what does a check say?"""

from __future__ import annotations

import asyncio

import numpy as np

from tests.contract.builders import (
    ALICE,
    BOB,
    STRANGER,
    changes,
    ids_of,
    new_job,
    random_vectors,
    record,
    search,
    vector,
)
from tests.contract.conftest import Engine
from yiku.model.records import Change, Ref
from yiku.ports.storage import Storage

NORTH = vector(1, 0, 0)


def _told(found: list[Change]) -> list[tuple[str, str | None]]:
    """Id and text of each change; `None` for a deletion."""
    return [(change.ref.id, None if change.record is None else change.record.text) for change in found]


async def test_a_scan_reports_records_in_the_order_of_their_changes(storage: Storage) -> None:
    await storage.commit(changes(record("m-2", "two", minute=2), record("m-1", "one", minute=9)))
    await storage.commit(changes(record("e-1", "event", kind="event", minute=1)))
    found = await storage.scan(ALICE)
    assert _told(found) == [("m-2", "two"), ("m-1", "one"), ("e-1", "event")]
    assert [change.ref for change in found] == [Ref("memory", "m-2"), Ref("memory", "m-1"), Ref("event", "e-1")]
    assert {change.partition for change in found} == {ALICE}
    numbers = [change.sequence for change in found]
    assert numbers == sorted(set(numbers))
    assert numbers[0] > 0


async def test_a_scan_brings_the_whole_record_with_its_vector(storage: Storage) -> None:
    (embedding,) = random_vectors(1, dimensions=32, seed=1, model="model-x")
    put = record("m-1", "tea", body={"a": 1}, fields={"cat": ("a", 1)}, unique_key="key", embedding=embedding)
    await storage.commit(changes(put, record("m-2", "no vector")))
    first, second = await storage.scan(ALICE)
    assert first.record is not None
    assert (first.record.body, first.record.fields, first.record.unique_key) == ({"a": 1}, {"cat": ("a", 1)}, "key")
    assert first.record.version == 1
    assert first.record.embedding is not None
    assert first.record.embedding.model == "model-x"
    assert first.record.embedding.values.dtype == np.float32
    np.testing.assert_allclose(first.record.embedding.values, embedding.values, atol=0.002)
    assert second.record is not None
    assert second.record.embedding is None


async def test_a_scanned_record_can_be_put_into_another_partition(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH, fields={"cat": "a"})))
    for change in await storage.scan(ALICE):
        assert change.record is not None
        await storage.commit(changes(change.record, partition=BOB))
    assert len((await search(storage, "tea", partitions=[BOB])).hits) == 1
    assert len((await search(storage, embedding=NORTH, partitions=[BOB])).hits) == 1


async def test_a_record_that_changed_often_is_reported_once_in_its_present_state(storage: Storage) -> None:
    for text in ("one", "two", "three"):
        await storage.commit(changes(record("m-1", text)))
    await storage.commit(changes(record("m-2", "other")))
    await storage.commit(changes(record("m-1", "four")))
    assert _told(await storage.scan(ALICE)) == [("m-2", "other"), ("m-1", "four")]


async def test_a_scan_after_a_number_reports_only_what_changed_since(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "one"), record("m-2", "two"), record("m-3", "three")))
    seen = (await storage.scan(ALICE))[-1].sequence
    assert await storage.scan(ALICE, after=seen) == []
    await storage.commit(changes(record("m-2", "changed"), deletes=["m-1", "missing"]))
    later = await storage.scan(ALICE, after=seen)
    assert sorted(_told(later)) == [("m-1", None), ("m-2", "changed")]
    assert all(change.sequence > seen for change in later)
    (deletion,) = [change for change in later if change.record is None]
    assert (deletion.partition, deletion.ref) == (ALICE, Ref("memory", "m-1"))


async def test_what_was_deleted_and_put_again_is_reported_as_it_is(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "one")))
    seen = (await storage.scan(ALICE))[-1].sequence
    await storage.commit(changes(deletes=["m-1"]))
    await storage.commit(changes(record("m-1", "again")))
    assert _told(await storage.scan(ALICE, after=seen)) == [("m-1", "again")]


async def test_what_was_deleted_twice_is_reported_once(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "one")))
    seen = (await storage.scan(ALICE))[-1].sequence
    await storage.commit(changes(deletes=["m-1"]))
    await storage.commit(changes(record("m-1", "again")))
    await storage.commit(changes(deletes=["m-1"]))
    assert _told(await storage.scan(ALICE, after=seen)) == [("m-1", None)]


async def test_a_scan_in_steps_misses_nothing(storage: Storage) -> None:
    for number in range(10):
        await storage.commit(changes(record(f"m-{number}", str(number)), record(f"n-{number}", str(number))))
    await storage.commit(changes(record("m-3", "changed"), deletes=["n-4", "m-9"]))
    last, steps = 0, []
    while step := await storage.scan(ALICE, after=last, limit=3):
        assert len(step) <= 3
        steps.extend(step)
        last = step[-1].sequence
    assert steps == await storage.scan(ALICE)
    assert len({change.ref for change in steps}) == len(steps)
    assert {change.ref.id for change in steps if change.record} == set(await ids_of(storage))


async def test_a_scan_reports_its_own_partition_only(storage: Storage) -> None:
    for number in range(4):
        await storage.commit(changes(record(f"m-{number}", str(number)), partition=(ALICE, BOB)[number % 2]))
    assert [(change.ref.id, change.partition) for change in await storage.scan(BOB)] == [("m-1", BOB), ("m-3", BOB)]
    assert [change.ref.id for change in await storage.scan(ALICE)] == ["m-0", "m-2"]
    assert await storage.scan(STRANGER) == []


async def test_a_scan_beside_writers_never_misses_what_comes_later(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    seen: list[Change] = []

    async def follow() -> None:
        while len(seen) < 60:
            seen.extend(await theirs.scan(ALICE, after=seen[-1].sequence if seen else 0, limit=7))

    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        tasks.create_task(follow())
        for number in range(60):
            tasks.create_task((ours, theirs)[number % 2].commit(changes(record(f"m-{number:02}"))))
    assert sorted(change.ref.id for change in seen) == [f"m-{number:02}" for number in range(60)]


async def test_numbers_only_grow_through_deletes_drops_and_restarts(engine: Engine) -> None:
    storage = await engine.open()
    await storage.commit(changes(record("m-1"), record("m-2")))
    highest = (await storage.scan(ALICE))[-1].sequence
    await storage.commit(changes(deletes=["m-2"]))
    highest = max(highest, *(change.sequence for change in await storage.scan(ALICE)))
    await storage.drop(ALICE)
    await storage.close()
    reopened = await engine.open()
    await reopened.commit(changes(record("m-3")))
    assert [change.ref.id for change in await reopened.scan(ALICE, after=highest)] == ["m-3"]


async def test_a_drop_says_how_many_records_there_were(storage: Storage) -> None:
    await storage.commit(changes(record("m-1"), record("m-2"), record("e-1", kind="event")))
    assert await storage.drop(ALICE) == 3
    assert await storage.drop(ALICE) == 0
    assert await storage.drop(BOB) == 0


async def test_nothing_is_left_after_a_drop(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", unique_key="key", embedding=NORTH), enqueues=[new_job("j-1")]))
    await search(storage, "tea", embedding=NORTH)
    await storage.drop(ALICE)
    assert await storage.get(ALICE, "memory", ["m-1"]) == []
    assert await storage.find(ALICE, "memory", ["key"]) == []
    assert await storage.locate("default", "memory", "m-1") is None
    assert await storage.partitions("default", "") == []
    assert await ids_of(storage) == []
    found = await search(storage, "tea", embedding=NORTH)
    assert (found.hits, found.statistics.records) == ((), 0)
    assert await storage.scan(ALICE) == []
    assert await storage.job("j-1") is None


async def test_a_dropped_partition_can_begin_anew(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", unique_key="key", embedding=NORTH)))
    await storage.commit(changes(record("m-1", "tea", unique_key="key", embedding=NORTH)))
    await search(storage, "tea", embedding=NORTH)
    await storage.drop(ALICE)
    await storage.commit(changes(record("m-2", "tea cup", unique_key="key"), record("m-1", "milk")))
    assert [found.version for found in await storage.get(ALICE, "memory", ["m-1"])] == [1]
    found = await search(storage, "tea", embedding=NORTH)
    assert [hit.record.id for hit in found.hits] == ["m-2"]
    assert found.statistics.document_frequencies == (1,)


async def test_a_drop_leaves_other_partitions_alone(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", unique_key="key", embedding=NORTH)))
    await storage.commit(
        changes(record("m-1", "tea", unique_key="key", embedding=NORTH), partition=BOB, enqueues=[new_job("j-1")])
    )
    await storage.drop(ALICE)
    assert await ids_of(storage, BOB) == ["m-1"]
    assert len(await storage.find(BOB, "memory", ["key"])) == 1
    assert len((await search(storage, "tea", embedding=NORTH, partitions=[ALICE, BOB])).hits) == 1
    assert await storage.job("j-1") is not None


async def test_a_store_that_lived_is_healthy(storage: Storage) -> None:
    for partition in (ALICE, BOB):
        await storage.commit(
            changes(
                *(
                    record(f"m-{number}", f"tea {number}", unique_key=str(number), fields={"n": number}, embedding=one)
                    for number, one in enumerate(random_vectors(20, dimensions=8, seed=2))
                ),
                partition=partition,
                enqueues=[new_job(f"{partition.owner}-{number}", lane=partition.owner) for number in range(3)],
            )
        )
    jobs = await storage.claim(["digest"], lease_s=60, limit=2)
    await storage.commit(changes(record("m-3"), record("m-4", "changed"), deletes=["m-5", "m-6"], finishes=jobs[:1]))
    await storage.drop(BOB)
    health = await storage.check()
    assert health.problems == ()
    assert health.details


async def test_an_empty_store_is_healthy(storage: Storage) -> None:
    assert (await storage.check()).problems == ()
