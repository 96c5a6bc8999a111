"""What do originals leave in a store when puts are cut off, meet each other, or lose a part?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest

from tests.contract.builders import ALICE, BOB, ids_of, record
from yiku.adapters.clocks import ManualClock, SystemClock
from yiku.adapters.objects.in_store import HEAD, PART, ObjectsInStore
from yiku.adapters.sqlite import open_sqlite
from yiku.model.errors import Conflict, StorageUnavailable
from yiku.model.limits import Limits
from yiku.model.records import Changes, PageQuery, RecordPage, Ref
from yiku.ports.storage import Storage

PART_BYTES = 50
CONTENT = "原件 original ".encode() * 200
"""Some eighty parts."""


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    opened = await open_sqlite(tmp_path / "data", clock=ManualClock(), limits=Limits())
    yield opened
    await opened.close()


@pytest.fixture
def objects(storage: Storage) -> ObjectsInStore:
    return ObjectsInStore(storage, ManualClock(), part_bytes=PART_BYTES)


async def parts_of(storage: Storage) -> int:
    return (await storage.page(PageQuery(partitions=(ALICE,), kind=PART, limit=0))).count


async def cut_put(storage: Storage, objects: ObjectsInStore, content: bytes = CONTENT) -> None:
    """A put that ends in its middle, as in a process that is killed."""
    before = await parts_of(storage)
    putting = asyncio.create_task(objects.put(ALICE, "rev-1", content))
    while await parts_of(storage) == before:
        assert not putting.done()
    putting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await putting
    assert await parts_of(storage) > before


async def test_a_put_that_was_cut_off_leaves_nothing_visible(storage: Storage, objects: ObjectsInStore) -> None:
    await cut_put(storage, objects)
    assert await objects.get(ALICE, "rev-1") is None


async def test_a_put_that_was_cut_off_leaves_the_original_before_it(storage: Storage, objects: ObjectsInStore) -> None:
    await objects.put(ALICE, "rev-1", b"before")
    await cut_put(storage, objects)
    assert await objects.get(ALICE, "rev-1") == b"before"


async def test_deleting_clears_away_what_cut_puts_have_left(storage: Storage, objects: ObjectsInStore) -> None:
    await cut_put(storage, objects)
    await cut_put(storage, objects)
    await objects.delete(ALICE, ["rev-1"])
    assert await parts_of(storage) == 0


async def test_the_next_put_clears_away_what_a_cut_one_has_left(storage: Storage, objects: ObjectsInStore) -> None:
    await cut_put(storage, objects)
    await objects.put(ALICE, "rev-1", b"whole")
    assert await objects.get(ALICE, "rev-1") == b"whole"
    assert await parts_of(storage) == 1


async def test_a_shorter_content_leaves_no_part_of_the_longer_one(storage: Storage, objects: ObjectsInStore) -> None:
    await objects.put(ALICE, "rev-1", CONTENT)
    await objects.put(ALICE, "rev-1", CONTENT[: PART_BYTES * 3])
    assert await parts_of(storage) == 3


async def test_dropping_leaves_other_records_of_the_partition(storage: Storage, objects: ObjectsInStore) -> None:
    await storage.commit(Changes(partition=ALICE, puts=(record("m-1", "tea"),)))
    await objects.put(ALICE, "rev-1", CONTENT)
    await cut_put(storage, objects, CONTENT[1:])
    await objects.put(BOB, "rev-1", CONTENT)
    await objects.drop(ALICE)
    assert [await ids_of(storage, kind=kind) for kind in ("memory", HEAD, PART)] == [["m-1"], [], []]
    assert await objects.get(BOB, "rev-1") == CONTENT


async def test_a_part_that_is_lost_is_an_error_and_never_a_shorter_file(
    storage: Storage, objects: ObjectsInStore
) -> None:
    await objects.put(ALICE, "rev-1", CONTENT)
    lost = (await ids_of(storage, kind=PART))[-1]
    await storage.commit(Changes(partition=ALICE, deletes=(Ref(PART, lost),)))
    with pytest.raises(StorageUnavailable, match="rev-1 is damaged"):
        await objects.get(ALICE, "rev-1")


async def test_a_part_that_was_swapped_is_an_error_too(storage: Storage, objects: ObjectsInStore) -> None:
    await objects.put(ALICE, "rev-1", CONTENT)
    first, *_ = await storage.get(ALICE, PART, await ids_of(storage, kind=PART))
    wrong = record(first.id, kind=PART, body={"base64": "AAAA"}, fields=first.fields)
    await storage.commit(Changes(partition=ALICE, puts=(wrong,)))
    with pytest.raises(StorageUnavailable, match="rev-1 is damaged"):
        await objects.get(ALICE, "rev-1")


class Meanwhile:
    """A storage on which, just before a page is asked for, somebody else does something, once."""

    def __init__(self, storage: Storage, others: Callable[[], Awaitable[None]]) -> None:
        self._storage = storage
        self._others: Callable[[], Awaitable[None]] | None = others

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def page(self, query: PageQuery) -> RecordPage:
        others, self._others = self._others, None
        if others is not None:
            await others()
        return await self._storage.page(query)


def slow(storage: Storage, others: Callable[[], Awaitable[None]]) -> ObjectsInStore:
    """Whoever clears up asks for a page: `others` come between its writing or deleting and its clearing up."""
    return ObjectsInStore(cast(Storage, Meanwhile(storage, others)), SystemClock(), part_bytes=PART_BYTES)


async def test_a_put_that_clears_up_late_does_no_harm_to_the_one_that_came_after_it(
    storage: Storage, objects: ObjectsInStore
) -> None:
    await slow(storage, lambda: objects.put(ALICE, "rev-1", CONTENT)).put(ALICE, "rev-1", b"first")
    assert await objects.get(ALICE, "rev-1") == CONTENT


async def test_a_delete_that_clears_up_late_takes_the_newer_original_whole(
    storage: Storage, objects: ObjectsInStore
) -> None:
    await objects.put(ALICE, "rev-1", b"first")
    await slow(storage, lambda: objects.put(ALICE, "rev-1", CONTENT)).delete(ALICE, ["rev-1"])
    assert await objects.get(ALICE, "rev-1") is None
    assert [await ids_of(storage, kind=kind) for kind in (HEAD, PART)] == [[], []]


async def test_whoever_meets_whom_an_original_is_whole_or_absent_and_nothing_is_left_over(
    storage: Storage, objects: ObjectsInStore
) -> None:
    """Puts, deletes and reads of one id, all at once: a reader would raise on a head without its parts."""
    contents = [f"内容 {number} ".encode() * 40 for number in range(4)]
    seen: list[bytes | None] = []

    async def put(content: bytes) -> None:
        for _ in range(6):
            try:
                await objects.put(ALICE, "rev-1", content)
            except Conflict:
                continue

    async def delete() -> None:
        for _ in range(12):
            await objects.delete(ALICE, ["rev-1"])

    meeting = asyncio.gather(*map(put, contents), delete())
    while not meeting.done():
        with suppress(Conflict):
            seen.append(await objects.get(ALICE, "rev-1"))
    await meeting
    assert set(seen) <= {None, *contents}
    await objects.put(ALICE, "rev-1", contents[0])
    assert await objects.get(ALICE, "rev-1") == contents[0]
    await objects.delete(ALICE, ["rev-1"])
    assert [await ids_of(storage, kind=kind) for kind in (HEAD, PART)] == [[], []]


async def test_a_large_original_is_committed_in_parts_of_bounded_size(storage: Storage) -> None:
    objects = ObjectsInStore(storage, ManualClock())
    content = bytes(range(256)) * 4096 * 3 + b"rest"
    await objects.put(ALICE, "rev-1", content)
    parts = await storage.get(ALICE, PART, await ids_of(storage, kind=PART))
    assert [len(part.body["base64"]) for part in sorted(parts, key=lambda part: part.id)] == [1_398_104] * 3 + [8]
    assert await objects.get(ALICE, "rev-1") == content
