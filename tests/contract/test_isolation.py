"""Does a read see anything of a partition that it did not name?"""

from __future__ import annotations

import pytest

from tests.contract.builders import (
    ALICE,
    BOB,
    STRANGER,
    changes,
    hit_ids,
    ids_of,
    record,
    scores,
    search,
    vector,
)
from yiku.model.conditions import Exists, Not, Or
from yiku.model.records import PageQuery
from yiku.model.scopes import Partition
from yiku.ports.storage import Storage

NORTH = vector(1, 0)
OTHERS = [BOB, STRANGER, Partition(ALICE.workspace, ALICE.owner + "x"), Partition(ALICE.workspace, "user:")]


@pytest.fixture(params=OTHERS, ids=["other owner", "other workspace", "longer owner", "shorter owner"])
def other(request: pytest.FixtureRequest) -> Partition:
    partition = request.param
    assert isinstance(partition, Partition)
    return partition


async def test_the_same_id_in_two_partitions_is_two_records(storage: Storage, other: Partition) -> None:
    await storage.commit(changes(record("same", "mine", unique_key="key")))
    await storage.commit(changes(record("same", "theirs", unique_key="key"), partition=other))
    for partition, text in ((ALICE, "mine"), (other, "theirs")):
        assert [found.text for found in await storage.get(partition, "memory", ["same"])] == [text]
        assert [found.text for found in await storage.find(partition, "memory", ["key"])] == [text]
        assert [found.version for found in await storage.get(partition, "memory", ["same"])] == [1]


async def test_no_read_sees_another_partition(storage: Storage, other: Partition) -> None:
    await storage.commit(changes(record("theirs", "tea", unique_key="key", embedding=NORTH), partition=other))
    await storage.commit(changes(record("mine", "milk", embedding=vector(0, 1))))
    assert await storage.get(ALICE, "memory", ["theirs"]) == []
    assert await storage.find(ALICE, "memory", ["key"]) == []
    assert await ids_of(storage) == ["mine"]
    assert (await search(storage, "tea")).hits == ()
    assert hit_ids(await search(storage, embedding=NORTH)) == ["mine"]
    assert [change.ref.id for change in await storage.scan(ALICE)] == ["mine"]


async def test_no_condition_opens_another_partition(storage: Storage, other: Partition) -> None:
    await storage.commit(changes(record("theirs", "tea", fields={"cat": "a"}), partition=other))
    await storage.commit(changes(record("mine", "tea", fields={"cat": "a"})))
    for where in (Exists("cat"), Not(Exists("missing")), Or((Exists("cat"), Not(Exists("cat"))))):
        page = await storage.page(PageQuery(partitions=(ALICE,), kind="memory", where=where))
        assert (page.count, [found.id for found in page.records]) == (1, ["mine"])
        assert hit_ids(await search(storage, "tea", where=where)) == ["mine"]


async def test_another_tenant_moves_neither_statistics_nor_scores(storage: Storage, other: Partition) -> None:
    await storage.commit(changes(record("m-1", "tea with milk"), record("m-2", "coffee")))
    before = await search(storage, "tea coffee")
    await storage.commit(
        changes(*(record(f"o-{number}", "tea tea tea coffee") for number in range(50)), partition=other)
    )
    await storage.commit(changes(*(record(f"e-{number}", "tea", kind="event") for number in range(50))))
    after = await search(storage, "tea coffee")
    assert after.statistics == before.statistics
    assert scores(after) == scores(before)
    assert (after.statistics.records, after.statistics.average_length) == (2, (3 + 1) / 2)


async def test_another_tenants_words_do_not_switch_the_characters_off(storage: Storage, other: Partition) -> None:
    await storage.commit(changes(record("scattered", "服务好又和气")))
    await storage.commit(changes(record("word", "她穿和服"), partition=other))
    assert hit_ids(await search(storage, "和服")) == ["scattered"]


async def test_a_change_in_one_partition_leaves_the_other_as_it_was(storage: Storage, other: Partition) -> None:
    for partition in (ALICE, other):
        await storage.commit(changes(record("m-1", "tea"), record("m-2", "milk"), partition=partition))
    before = await storage.scan(other)
    await storage.commit(changes(record("m-1", "coffee"), deletes=["m-2"]))
    assert await storage.scan(other) == before
    assert hit_ids(await search(storage, "tea milk", partitions=[other])) == ["m-1", "m-2"]


async def test_naming_a_partition_twice_changes_nothing(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH)))
    twice = await search(storage, "tea", embedding=NORTH, partitions=[ALICE, ALICE])
    once = await search(storage, "tea", embedding=NORTH)
    assert (twice.hits, twice.statistics) == (once.hits, once.statistics)
    page = await storage.page(PageQuery(partitions=(ALICE, ALICE), kind="memory"))
    assert (page.count, len(page.records)) == (1, 1)
