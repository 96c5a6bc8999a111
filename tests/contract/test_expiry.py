"""Is a record whose time has passed absent from every read?"""

from __future__ import annotations

import pytest

from tests.contract.builders import ALICE, changes, hit_ids, ids_of, record, search, vector
from tests.contract.conftest import Engine
from yiku.adapters.clocks import ManualClock
from yiku.model.conditions import Eq
from yiku.model.errors import Conflict
from yiku.model.records import PageQuery
from yiku.ports.storage import Storage

NORTH = vector(1, 0)


async def _commit_one_of_each(storage: Storage) -> None:
    """A record that stays, and one that is to be absent after ten seconds."""
    await storage.commit(
        changes(
            record("stays", "tea", fields={"cat": "a"}, unique_key="stays", embedding=NORTH),
            record("ends", "tea cup", fields={"cat": "a"}, unique_key="ends", embedding=NORTH, expires_s=10),
        )
    )


async def _seen(storage: Storage) -> dict[str, list[str]]:
    """What every read that names a partition sees."""
    where = Eq("cat", "a")
    page = await storage.page(PageQuery(partitions=(ALICE,), kind="memory", where=where, ascending=True))
    assert page.count == len(page.records)
    located = [name for name in ("ends", "stays") if await storage.locate("default", "memory", name) is not None]
    return {
        "get": [one.id for one in await storage.get(ALICE, "memory", ["ends", "stays"])],
        "find": [one.id for one in await storage.find(ALICE, "memory", ["ends", "stays"])],
        "locate": located,
        "page": await ids_of(storage),
        "page where": [one.id for one in page.records],
        "words": hit_ids(await search(storage, "tea")),
        "words where": hit_ids(await search(storage, "tea", where=where)),
        "vectors": hit_ids(await search(storage, embedding=NORTH)),
        "scan": sorted(change.ref.id for change in await storage.scan(ALICE) if change.record is not None),
    }


async def test_a_record_is_there_until_its_time_has_passed(storage: Storage, clock: ManualClock) -> None:
    await _commit_one_of_each(storage)
    clock.advance(9.999)
    assert set(map(tuple, (await _seen(storage)).values())) == {("ends", "stays")}


async def test_an_expired_record_is_in_no_read(storage: Storage, clock: ManualClock) -> None:
    await _commit_one_of_each(storage)
    await _seen(storage)
    clock.advance(10.001)
    seen = await _seen(storage)
    assert seen == {read: ["stays"] for read in seen}


async def test_an_expired_record_is_in_no_read_of_a_store_just_opened(engine: Engine, clock: ManualClock) -> None:
    first = await engine.open()
    await _commit_one_of_each(first)
    await first.close()
    clock.advance(10.001)
    seen = await _seen(await engine.open())
    assert seen == {read: ["stays"] for read in seen}


async def test_an_expired_record_is_not_counted(storage: Storage, clock: ManualClock) -> None:
    await _commit_one_of_each(storage)
    before = (await search(storage, "tea")).statistics
    assert (before.document_frequencies, before.records, before.average_length) == ((2,), 2, 1.5)
    clock.advance(10.001)
    after = (await search(storage, "tea")).statistics
    assert (after.document_frequencies, after.records, after.average_length) == ((1,), 1, 1.0)


async def test_expired_records_take_no_places_from_the_others(storage: Storage, clock: ManualClock) -> None:
    await storage.commit(
        changes(
            *(record(f"ends-{number}", "tea", embedding=NORTH, expires_s=10, minute=1) for number in range(50)),
            record("stays", "tea and milk", embedding=vector(1, 1)),
        )
    )
    clock.advance(10.001)
    assert hit_ids(await search(storage, "tea", limit=3)) == ["stays"]
    assert hit_ids(await search(storage, embedding=NORTH, limit=3)) == ["stays"]
    page = await storage.page(PageQuery(partitions=(ALICE,), kind="memory", limit=3))
    assert (page.count, [one.id for one in page.records]) == (1, ["stays"])


async def test_a_record_put_again_without_an_end_stays(storage: Storage, clock: ManualClock) -> None:
    await storage.commit(changes(record("m-1", "tea", expires_s=10)))
    await storage.commit(changes(record("m-1", "tea")))
    clock.advance(1_000)
    assert await ids_of(storage) == ["m-1"]
    assert hit_ids(await search(storage, "tea")) == ["m-1"]


async def test_the_key_of_an_expired_record_is_free(storage: Storage, clock: ManualClock) -> None:
    await storage.commit(changes(record("old", unique_key="same", expires_s=10)))
    clock.advance(10.001)
    await storage.commit(changes(record("new", unique_key="same")))
    assert [found.id for found in await storage.find(ALICE, "memory", ["same"])] == ["new"]
    assert (await storage.check()).problems == ()


async def test_an_expired_record_meets_no_expectation(storage: Storage, clock: ManualClock) -> None:
    await storage.commit(changes(record("m-1", expires_s=10)))
    clock.advance(10.001)
    with pytest.raises(Conflict):
        await storage.commit(changes(record("m-2"), expects={"m-1": 1}))
    assert await ids_of(storage) == []


async def test_an_expired_record_can_be_put_again(storage: Storage, clock: ManualClock) -> None:
    await storage.commit(changes(record("m-1", "tea", expires_s=10)))
    clock.advance(10.001)
    await storage.commit(changes(record("m-1", "coffee")))
    assert hit_ids(await search(storage, "tea coffee")) == ["m-1"]
    assert (await search(storage, "tea")).hits == ()
