"""What do `get`, `find`, `locate`, `partitions` and `page` answer?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.contract.builders import ALICE, BOB, STRANGER, changes, ids_of, record, search
from yiku.model.conditions import Eq
from yiku.model.records import PageQuery, Record
from yiku.model.scopes import Partition
from yiku.ports.storage import Storage

ODD_TEXTS = [
    'it\'s "quoted" `back` \\slash',
    "100% _under_ ?*[a-z]",
    "'; DROP TABLE record; --",
    "小明喜欢喝茶",
    "👩‍👩‍👧 emoji 😀",
    "e\u0301 is not \u00e9",
    "  spaces, tab\tand\nnewline  ",
    "$name :name @name ?1 {x}",
    "\U0010ffff\ufffd\ue000",
    "long " * 2_000,
]


async def test_a_record_comes_back_as_it_was_put(storage: Storage) -> None:
    put = Record(
        kind="memory",
        id="m-1",
        body={"list": [1, 2.5, None, True, {"deep": ["茶"]}], "text": "x", "empty": {}},
        created=datetime(2026, 3, 4, 5, 6, 7, 891_011, tzinfo=UTC),
        updated=datetime(2026, 3, 4, 5, 6, 7, 891_012, tzinfo=UTC),
        fields={"text": "a", "whole": 2**63 - 1, "real": 0.1, "none": None, "several": ("a", 1, 2.5, None), "no": ()},
        unique_key="key",
        text="喝茶 and tea",
        expires=datetime(2999, 1, 1, 0, 0, 0, 1, tzinfo=UTC),
    )
    await storage.commit(changes(put))
    (found,) = await storage.get(ALICE, "memory", ["m-1"])
    expected = Record(
        kind=put.kind,
        id=put.id,
        body=put.body,
        created=put.created,
        updated=put.updated,
        fields=put.fields,
        unique_key=put.unique_key,
        text=put.text,
        expires=put.expires,
        version=1,
    )
    assert found == expected
    assert found.created.tzinfo is not None


async def test_booleans_and_numbers_come_back_with_their_types(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", fields={"several": (True, 1, 1.0, False, 0, "1")})))
    (found,) = await storage.get(ALICE, "memory", ["m-1"])
    several = found.fields["several"]
    assert isinstance(several, tuple)
    assert [type(value) for value in several] == [bool, int, float, bool, int, str]


async def test_a_time_with_another_offset_comes_back_as_the_same_moment(storage: Storage) -> None:
    shanghai = timezone(timedelta(hours=8))
    put = Record(
        kind="memory",
        id="m-1",
        body={},
        created=datetime(2026, 1, 1, 8, tzinfo=shanghai),
        updated=datetime(2026, 1, 1, 8, tzinfo=shanghai),
    )
    await storage.commit(changes(put))
    (found,) = await storage.get(ALICE, "memory", ["m-1"])
    assert found.created == datetime(2026, 1, 1, tzinfo=UTC)
    assert found.created.utcoffset() == timedelta(0)


async def test_get_answers_in_the_order_asked_and_leaves_missing_ones_out(storage: Storage) -> None:
    await storage.commit(changes(record("a"), record("b"), record("c"), record("a", kind="message")))
    found = await storage.get(ALICE, "memory", ["c", "missing", "a", "b"])
    assert [(one.kind, one.id) for one in found] == [("memory", "c"), ("memory", "a"), ("memory", "b")]


async def test_an_id_that_is_asked_twice_is_answered_twice(storage: Storage) -> None:
    await storage.commit(changes(record("a", unique_key="key-a"), record("b", unique_key="key-b")))
    assert [one.id for one in await storage.get(ALICE, "memory", ["a", "b", "a"])] == ["a", "b", "a"]
    found = await storage.find(ALICE, "memory", ["key-a", "key-b", "key-a"])
    assert [one.id for one in found] == ["a", "b", "a"]


async def test_find_answers_in_the_order_asked_and_leaves_missing_ones_out(storage: Storage) -> None:
    await storage.commit(changes(*(record(name, unique_key=f"key-{name}") for name in "abc"), record("d")))
    found = await storage.find(ALICE, "memory", ["key-c", "missing", "a", "key-a"])
    assert [one.id for one in found] == ["c", "a"]


async def test_asking_for_nothing_gives_nothing(storage: Storage) -> None:
    await storage.commit(changes(record("a", unique_key="key")))
    assert await storage.get(ALICE, "memory", []) == []
    assert await storage.find(ALICE, "memory", []) == []


async def test_forty_thousand_ids_can_be_asked_at_once(storage: Storage) -> None:
    await storage.commit(changes(record("m-7", unique_key="m-7"), record("m-39999", unique_key="m-39999")))
    asked = [f"m-{number}" for number in range(40_000)]
    assert [one.id for one in await storage.get(ALICE, "memory", asked)] == ["m-7", "m-39999"]
    assert [one.id for one in await storage.find(ALICE, "memory", asked)] == ["m-7", "m-39999"]


async def test_reads_leave_the_vector_out(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea", unique_key="key")))
    for found in (await storage.get(ALICE, "memory", ["m-1"]), await storage.find(ALICE, "memory", ["key"])):
        assert [one.embedding for one in found] == [None]


@pytest.mark.parametrize("odd", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
async def test_odd_texts_are_only_texts(storage: Storage, odd: str) -> None:
    partition = Partition("default", "user:" + odd)
    put = record(odd, odd, kind=odd, body={odd: odd}, fields={odd: odd}, unique_key=odd)
    await storage.commit(changes(put, record("other", kind=odd, fields={odd: "other"}), partition=partition))
    (found,) = await storage.get(partition, odd, [odd])
    assert (found.id, found.text, found.body, found.fields) == (odd, odd, {odd: odd}, {odd: odd})
    assert [one.id for one in await storage.find(partition, odd, [odd])] == [odd]
    assert await located_in(storage, odd, odd) == partition
    assert await storage.partitions("default", "user:" + odd) == [partition]
    page = await storage.page(PageQuery(partitions=(partition,), kind=odd, where=Eq(odd, odd)))
    assert [one.id for one in page.records] == [odd]


async def test_ids_that_only_look_alike_are_different(storage: Storage) -> None:
    alike = ["a", "A", "a ", "á", "a\u0301", "a%", "a_"]
    await storage.commit(changes(*(record(name, body={"id": name}, unique_key=name) for name in alike)))
    assert [one.body["id"] for one in await storage.get(ALICE, "memory", alike)] == alike
    assert [one.body["id"] for one in await storage.find(ALICE, "memory", alike)] == alike


async def test_a_text_of_a_megabyte_is_kept_whole(storage: Storage) -> None:
    text = "咖啡 coffee " * 70_000
    await storage.commit(changes(record("m-1", text)))
    (found,) = await storage.get(ALICE, "memory", ["m-1"])
    assert found.text == text
    assert len((await search(storage, "咖啡")).hits) == 1


async def test_an_unknown_partition_is_empty(storage: Storage) -> None:
    await storage.commit(changes(record("m-1"), partition=BOB))
    assert await storage.get(ALICE, "memory", ["m-1"]) == []
    assert await storage.find(ALICE, "memory", ["m-1"]) == []
    page = await storage.page(PageQuery(partitions=(ALICE,), kind="memory"))
    assert (page.count, page.records) == (0, ())
    assert (await search(storage, "tea")).hits == ()
    assert await storage.scan(ALICE) == []


async def located_in(storage: Storage, kind: str, id: str) -> Partition | None:
    located = await storage.locate("default", kind, id)
    return None if located is None else located[0]


async def test_locate_finds_a_record_within_its_workspace_and_kind(storage: Storage) -> None:
    await storage.commit(changes(record("m-1"), partition=BOB))
    assert await storage.locate("default", "memory", "m-1") == (BOB, (await storage.get(BOB, "memory", ["m-1"]))[0])
    assert await storage.locate("elsewhere", "memory", "m-1") is None
    assert await storage.locate("default", "message", "m-1") is None
    await storage.commit(changes(deletes=["m-1"], partition=BOB))
    assert await storage.locate("default", "memory", "m-1") is None


async def test_holders_tells_where_in_a_workspace_each_of_many_ids_is(storage: Storage) -> None:
    await storage.commit(changes(record("m-1"), record("m-2"), record("gone", expires_s=-1)))
    await storage.commit(changes(record("m-2"), record("m-3"), record("m-1", kind="message"), partition=BOB))
    await storage.commit(changes(record("m-4"), partition=STRANGER))
    asked = ["m-1", "m-2", "m-2", "m-3", "m-4", "gone", "never"]
    found = await storage.holders("default", "memory", asked)
    assert set(found) == {("m-1", ALICE), ("m-2", ALICE), ("m-2", BOB), ("m-3", BOB)}
    assert await storage.holders("elsewhere", "memory", asked) == [("m-4", STRANGER)]
    assert await storage.holders("default", "memory", []) == []


async def test_partitions_come_by_owner_in_code_point_order(storage: Storage) -> None:
    owners = ["user:B", "user:a", "user:b", "user:中", "user:\uffee", "user:😀"]
    for owner in reversed(owners):
        await storage.commit(changes(record("m-1"), partition=Partition("default", owner)))
    await storage.commit(changes(record("m-1"), partition=STRANGER))
    assert [one.owner for one in await storage.partitions("default", "user:")] == owners
    assert [one.owner for one in await storage.partitions("default", "")] == owners


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("user:a", ["user:a", "user:a%", "user:a_b", "user:axb"]),
        ("user:a%", ["user:a%"]),
        ("user:a_", ["user:a_b"]),
        ("user:A", []),
        ("USER:", []),
        ("user:\U0010ffff", ["user:\U0010ffff", "user:\U0010ffffx"]),
        ("user:*", ["user:*"]),
    ],
)
async def test_a_prefix_is_taken_literally(storage: Storage, prefix: str, expected: list[str]) -> None:
    for name in ("a", "a%", "a_b", "axb", "b", "\U0010ffff", "\U0010ffffx", "*"):
        await storage.commit(changes(record("m-1"), partition=Partition("default", f"user:{name}")))
    assert [one.owner for one in await storage.partitions("default", prefix)] == expected


async def test_partitions_can_be_read_in_steps(storage: Storage) -> None:
    owners = [f"user:{number}" for number in range(7)]
    for owner in owners:
        await storage.commit(changes(record("m-1"), partition=Partition("default", owner)))
    seen: list[str] = []
    while step := await storage.partitions("default", "user:", after=seen[-1] if seen else "", limit=3):
        assert len(step) <= 3
        seen.extend(one.owner for one in step)
    assert seen == owners


async def test_a_partition_without_records_is_still_a_partition(storage: Storage) -> None:
    await storage.commit(changes(record("m-1")))
    await storage.commit(changes(deletes=["m-1"]))
    assert await storage.partitions("default", "user:") == [ALICE]


async def test_a_page_shows_the_newest_first_and_counts_all(storage: Storage) -> None:
    await storage.commit(changes(*(record(f"m-{minute}", minute=minute) for minute in range(5))))
    page = await storage.page(PageQuery(partitions=(ALICE,), kind="memory", limit=2))
    assert (page.count, [one.id for one in page.records]) == (5, ["m-4", "m-3"])
    oldest = await storage.page(PageQuery(partitions=(ALICE,), kind="memory", limit=2, ascending=True))
    assert (oldest.count, [one.id for one in oldest.records]) == (5, ["m-0", "m-1"])


async def test_pages_neither_overlap_nor_leave_out_records_of_the_same_moment(storage: Storage) -> None:
    ids = [f"m-{number:02}" for number in range(17)]
    await storage.commit(changes(*(record(name) for name in ids[::-1])))
    for ascending, expected in ((True, ids), (False, ids[::-1])):
        pages = [
            await storage.page(
                PageQuery(partitions=(ALICE,), kind="memory", ascending=ascending, offset=offset, limit=5)
            )
            for offset in range(0, 20, 5)
        ]
        assert [one.id for page in pages for one in page.records] == expected
        assert {page.count for page in pages} == {17}


async def test_a_page_past_the_end_is_empty_but_counts(storage: Storage) -> None:
    await storage.commit(changes(record("m-1")))
    page = await storage.page(PageQuery(partitions=(ALICE,), kind="memory", offset=50))
    assert (page.count, page.records) == (1, ())


async def test_a_page_counts_and_shows_only_what_satisfies_the_condition(storage: Storage) -> None:
    await storage.commit(
        changes(*(record(f"m-{number}", minute=number, fields={"even": number % 2 == 0}) for number in range(9)))
    )
    page = await storage.page(PageQuery(partitions=(ALICE,), kind="memory", where=Eq("even", True), limit=3, offset=1))
    assert (page.count, [one.id for one in page.records]) == (5, ["m-6", "m-4", "m-2"])


async def test_a_page_over_several_partitions_is_in_one_order(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", minute=1), record("m-3", minute=3), partition=ALICE))
    await storage.commit(changes(record("m-2", minute=2), record("m-4", minute=4), partition=BOB))
    page = await storage.page(PageQuery(partitions=(ALICE, BOB), kind="memory"))
    assert (page.count, [one.id for one in page.records]) == (4, ["m-4", "m-3", "m-2", "m-1"])


async def test_a_page_of_no_partitions_is_empty(storage: Storage) -> None:
    await storage.commit(changes(record("m-1")))
    assert (await storage.page(PageQuery(partitions=(), kind="memory"))).count == 0


async def test_an_updated_record_keeps_its_place_by_the_time_it_was_created(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", minute=1), record("m-2", minute=2)))
    await storage.commit(changes(record("m-1", "again", minute=1)))
    assert await ids_of(storage) == ["m-1", "m-2"]
