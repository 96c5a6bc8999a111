"""What do the two arms of a search bring together, and what holds for both?"""

from __future__ import annotations

import pytest

from tests.contract.builders import ALICE, BOB, changes, hit, hit_ids, random_vectors, record, search, vector
from tests.contract.conftest import Engine
from yiku.model.conditions import And, Eq, Not
from yiku.model.records import Embedding
from yiku.ports.storage import Storage

NORTH = vector(1, 0, 0)
EAST = vector(0, 1, 0)


async def test_a_search_for_nothing_brings_nothing(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH)))
    found = await search(storage)
    assert (found.hits, found.statistics.terms) == ((), ())


async def test_a_search_of_no_partitions_brings_nothing(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH)))
    found = await search(storage, "tea", embedding=NORTH, partitions=[])
    assert (found.hits, found.statistics.records) == ((), 0)


async def test_a_hit_brings_its_whole_row_and_its_partition(storage: Storage) -> None:
    put = record("m-1", "tea", body={"a": [1]}, fields={"cat": ("x", 2)}, unique_key="key", embedding=NORTH)
    await storage.commit(changes(put))
    (stored,) = await storage.get(ALICE, "memory", ["m-1"])
    for found in (await search(storage, "tea"), await search(storage, embedding=NORTH)):
        assert hit(found, "m-1").record == stored
        assert hit(found, "m-1").record.embedding is None
        assert hit(found, "m-1").partition == ALICE


async def test_each_hit_has_both_measurements_whichever_arm_found_it(storage: Storage) -> None:
    await storage.commit(
        changes(record("words", "tea tea cup", embedding=vector(3, 4, 0)), record("near", "milk", embedding=NORTH))
    )
    found = await search(storage, "tea", embedding=NORTH, limit=1)
    assert hit_ids(found) == ["near", "words"]
    assert (found.statistics.records, found.statistics.average_length) == (2, (3 + 1) / 2)
    assert hit(found, "words").frequencies == (2,)
    assert hit(found, "words").cosine == pytest.approx(0.6, abs=0.01)
    assert hit(found, "near").frequencies == (0,)
    assert hit(found, "near").cosine == pytest.approx(1.0, abs=0.01)


async def test_a_record_that_both_arms_find_is_one_hit(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH)))
    found = await search(storage, "tea", embedding=NORTH)
    assert hit_ids(found) == ["m-1"]


async def test_a_measurement_that_a_record_does_not_have_is_absent(storage: Storage) -> None:
    await storage.commit(changes(record("text only", "tea"), record("vector only", embedding=NORTH), record("neither")))
    found = await search(storage, "tea", embedding=NORTH)
    assert hit_ids(found) == ["text only", "vector only"]
    assert hit(found, "text only").cosine is None
    assert hit(found, "vector only").frequencies == (0,)
    assert (found.statistics.records, found.statistics.average_length) == (1, 1.0)


async def test_without_a_query_vector_no_hit_has_a_cosine(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH)))
    assert hit(await search(storage, "tea"), "m-1").cosine is None


async def test_without_query_terms_there_are_no_frequencies(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH)))
    found = await search(storage, embedding=NORTH)
    assert (found.statistics.terms, found.statistics.document_frequencies) == ((), ())
    assert hit(found, "m-1").frequencies == ()


@pytest.mark.parametrize(("text", "embedding"), [("tea", None), (None, NORTH), ("tea", NORTH)])
async def test_the_condition_holds_before_the_cut(
    storage: Storage, text: str | None, embedding: Embedding | None
) -> None:
    many = [record(f"a-{number:03}", "tea", fields={"cat": "a"}, embedding=NORTH) for number in range(200)]
    weak = record("b", "tea with a great many other words", fields={"cat": "b"}, embedding=vector(1, 1, 1))
    await storage.commit(changes(*many, weak))
    assert hit_ids(await search(storage, text, embedding=embedding, where=Eq("cat", "b"), limit=5)) == ["b"]


async def test_the_condition_holds_for_every_hit_of_both_arms(storage: Storage) -> None:
    await storage.commit(
        changes(
            record("words", "tea", fields={"cat": "a"}, embedding=EAST),
            record("near", "milk", fields={"cat": "a"}, embedding=NORTH),
            record("neither", "milk", fields={"cat": "b"}, embedding=EAST),
        )
    )
    found = await search(storage, "tea", embedding=NORTH, where=Not(Eq("cat", "a")))
    assert hit_ids(found) == ["neither"]
    assert (await search(storage, "tea", embedding=NORTH, where=Eq("cat", "missing"))).hits == ()


async def test_the_condition_does_not_change_the_statistics(storage: Storage) -> None:
    await storage.commit(
        changes(record("m-1", "tea", fields={"cat": "a"}), record("m-2", "tea cup", fields={"cat": "b"}))
    )
    assert (await search(storage, "tea", where=Eq("cat", "a"))).statistics == (await search(storage, "tea")).statistics
    assert (await search(storage, "tea", where=And(()))).statistics.document_frequencies == (2,)


async def test_each_arm_brings_at_most_the_limit(storage: Storage) -> None:
    vectors = random_vectors(30, dimensions=8, seed=1)
    await storage.commit(
        changes(*(record(f"m-{number:02}", "tea", embedding=one) for number, one in enumerate(vectors)))
    )
    assert len((await search(storage, "tea", limit=7)).hits) == 7
    assert len((await search(storage, embedding=vectors[29], limit=7)).hits) == 7
    both = await search(storage, "tea", embedding=vectors[29], limit=7)
    assert 7 <= len(both.hits) <= 14
    assert "m-29" in hit_ids(both)
    assert len((await search(storage, "tea", embedding=vectors[29], limit=500)).hits) == 30


async def test_ties_at_the_cut_go_to_the_newer_record_and_then_to_the_one_stored_later(storage: Storage) -> None:
    ids = [f"m-{number:03}" for number in range(300)]
    shuffled = [ids[number * 7 % 300] for number in range(300)]
    old = [record(name, "tea", embedding=NORTH) for name in shuffled]
    await storage.commit(changes(*old, record("new", "tea", embedding=NORTH, minute=1)))
    await storage.commit(changes(record("old but late", "tea", embedding=NORTH)))
    for found in (await search(storage, "tea", limit=4), await search(storage, embedding=NORTH, limit=4)):
        assert [one.record.id for one in found.hits] == ["new", "old but late", *reversed(shuffled[-2:])]


async def test_a_change_is_found_at_once_and_what_it_replaced_is_not(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", fields={"cat": "a"}, embedding=NORTH)))
    await search(storage, "tea", embedding=NORTH)
    await storage.commit(changes(record("m-1", "coffee", fields={"cat": "b"}, embedding=EAST)))
    assert (await search(storage, "tea")).hits == ()
    assert (await search(storage, "tea")).statistics.document_frequencies == (0,)
    assert hit_ids(await search(storage, "coffee")) == ["m-1"]
    assert hit(await search(storage, embedding=NORTH), "m-1").cosine == pytest.approx(0.0, abs=0.01)
    assert (await search(storage, "coffee", where=Eq("cat", "a"))).hits == ()


async def test_a_put_without_text_and_vector_is_found_in_neither_arm(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH)))
    await search(storage, "tea", embedding=NORTH)
    await storage.commit(changes(record("m-1")))
    found = await search(storage, "tea", embedding=NORTH)
    assert (found.hits, found.statistics.records) == ((), 0)


async def test_what_was_deleted_is_found_in_neither_arm(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH), record("m-2", "tea cup", embedding=EAST)))
    await search(storage, "tea", embedding=NORTH)
    await storage.commit(changes(deletes=["m-1"]))
    assert hit_ids(await search(storage, "tea")) == ["m-2"]
    assert hit_ids(await search(storage, embedding=NORTH)) == ["m-2"]
    assert (await search(storage, "tea")).statistics.document_frequencies == (1,)


async def test_what_another_process_changed_is_found_at_once(engine: Engine) -> None:
    ours, theirs = await engine.open(), await engine.open()
    await ours.commit(changes(record("m-1", "tea", embedding=NORTH), record("m-2", "milk", embedding=EAST)))
    assert hit_ids(await search(theirs, "tea milk")) == ["m-1", "m-2"]
    await theirs.commit(changes(record("m-3", "tea", embedding=NORTH), deletes=["m-1"]))
    assert hit_ids(await search(ours, "tea")) == ["m-3"]
    assert hit_ids(await search(ours, embedding=NORTH)) == ["m-2", "m-3"]
    await ours.drop(ALICE)
    assert (await search(theirs, "tea milk", embedding=NORTH)).hits == ()
    await ours.commit(changes(record("m-4", "tea", embedding=NORTH)))
    assert hit_ids(await search(theirs, "tea", embedding=NORTH)) == ["m-4"]


async def test_a_search_over_several_partitions_brings_the_best_of_all(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", embedding=NORTH), record("m-2", "milk", embedding=EAST)))
    await storage.commit(changes(record("m-1", "tea", embedding=vector(1, 1, 0)), partition=BOB))
    found = await search(storage, "tea", partitions=[ALICE, BOB])
    assert sorted((one.partition.owner, one.record.id) for one in found.hits) == [
        (ALICE.owner, "m-1"),
        (BOB.owner, "m-1"),
    ]
    nearest = await search(storage, embedding=NORTH, partitions=[ALICE, BOB], limit=2)
    assert {one.partition for one in nearest.hits} == {ALICE, BOB}
    assert len((await search(storage, "tea", partitions=[ALICE, BOB], limit=1)).hits) == 1


async def test_a_search_sees_only_its_kind(storage: Storage) -> None:
    await storage.commit(
        changes(record("same", "tea", embedding=NORTH), record("same", "tea tea", kind="message", embedding=NORTH))
    )
    found = await search(storage, "tea", embedding=NORTH, kind="message")
    assert [(one.record.kind, one.frequencies) for one in found.hits] == [("message", (2,))]
    assert found.statistics.records == 1
