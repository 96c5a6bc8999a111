"""What does every place for originals promise? See `ports/objects.py`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.builders import ALICE, BOB, STRANGER
from tests.engines import ENGINES, open_place
from tests.postgres.databases import Databases
from yiku.adapters.clocks import ManualClock
from yiku.adapters.objects import FolderObjects, ObjectsInStore
from yiku.model.errors import Conflict, TooLarge
from yiku.model.limits import Limits
from yiku.model.scopes import Partition
from yiku.ports.objects import Objects
from yiku.ports.storage import Storage

BYTES_MAX = 1_000
PART_BYTES = 64
"""Small, so that small originals have many parts."""
ODD_IDS = ["rev-1", "../../etc/passwd", "修订/一", "a" * 300, "A", "a", "%41", ".", "name.part", "'; --"]

Open = Callable[[], Awaitable[Objects]]


@pytest.fixture(params=("folder", *ENGINES))
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Open]:
    """Opens one more door to the same originals, as another process would."""
    clock = ManualClock()
    storages: list[Storage] = []

    async def in_store(place: str) -> Objects:
        storages.append(await open_place(place, clock=clock, limits=Limits()))
        return ObjectsInStore(storages[-1], clock, bytes_max=BYTES_MAX, part_bytes=PART_BYTES)

    async def in_folder() -> Objects:
        return FolderObjects(tmp_path / "originals", bytes_max=BYTES_MAX)

    if request.param == "folder":
        yield in_folder
    elif request.param == "sqlite":
        yield lambda: in_store(str(tmp_path / "data"))
    else:
        databases: Databases = request.getfixturevalue("databases")
        with databases.fresh_database() as url:
            yield lambda: in_store(url)
            for storage in storages:
                await storage.close()
        return
    for storage in storages:
        await storage.close()


@pytest.fixture
async def objects(opened: Open) -> Objects:
    return await opened()


async def got(objects: Objects, ids: list[str]) -> list[bytes | None]:
    return [await objects.get(ALICE, name) for name in ids]


def content_of(name: str, length: int = 500) -> bytes:
    return (name.encode() * length)[:length]


@given(content=st.binary(max_size=BYTES_MAX))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_what_was_put_comes_back_byte_for_byte(objects: Objects, content: bytes) -> None:
    await objects.put(ALICE, "rev-1", content)
    assert await objects.get(ALICE, "rev-1") == content


@pytest.mark.parametrize("length", [0, 1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES, BYTES_MAX])
async def test_contents_of_every_length_are_whole(objects: Objects, length: int) -> None:
    content = bytes(number % 256 for number in range(length))
    await objects.put(ALICE, "rev-1", content)
    assert await objects.get(ALICE, "rev-1") == content


async def test_another_process_sees_what_was_put(opened: Open) -> None:
    await (await opened()).put(ALICE, "rev-1", content_of("产品手册"))
    assert await (await opened()).get(ALICE, "rev-1") == content_of("产品手册")


async def test_what_was_never_put_is_none(objects: Objects) -> None:
    assert await objects.get(ALICE, "rev-1") is None


async def test_ids_of_every_shape_are_told_apart(objects: Objects) -> None:
    for name in ODD_IDS:
        await objects.put(ALICE, name, content_of(name))
    assert await got(objects, ODD_IDS) == [content_of(name) for name in ODD_IDS]


async def test_an_original_that_is_put_twice_is_there_once(objects: Objects) -> None:
    for _ in range(2):
        await objects.put(ALICE, "rev-1", content_of("same"))
    assert await objects.get(ALICE, "rev-1") == content_of("same")
    await objects.delete(ALICE, ["rev-1"])
    assert await objects.get(ALICE, "rev-1") is None


async def test_a_second_content_replaces_the_first_also_when_it_is_shorter(objects: Objects) -> None:
    await objects.put(ALICE, "rev-1", content_of("first", 900))
    await objects.put(ALICE, "rev-1", content_of("第二", 70))
    assert await objects.get(ALICE, "rev-1") == content_of("第二", 70)


@pytest.mark.parametrize("other", [BOB, STRANGER, Partition(ALICE.workspace, ALICE.owner + "x")])
async def test_another_partition_is_neither_seen_nor_touched(objects: Objects, other: Partition) -> None:
    await objects.put(ALICE, "rev-1", content_of("mine"))
    assert await objects.get(other, "rev-1") is None
    await objects.put(other, "rev-1", content_of("theirs"))
    await objects.delete(other, ["rev-1"])
    await objects.drop(other)
    assert await objects.get(ALICE, "rev-1") == content_of("mine")


async def test_deleting_takes_those_that_are_named_and_no_others(objects: Objects) -> None:
    for name in ("rev-1", "rev-2", "rev-10"):
        await objects.put(ALICE, name, content_of(name))
    await objects.delete(ALICE, ["rev-1", "rev-2", "rev-never"])
    await objects.delete(ALICE, ["rev-1"])
    assert await got(objects, ["rev-1", "rev-2", "rev-10"]) == [None, None, content_of("rev-10")]


async def test_a_deleted_original_can_be_put_again(objects: Objects) -> None:
    await objects.put(ALICE, "rev-1", content_of("old"))
    await objects.delete(ALICE, ["rev-1"])
    await objects.put(ALICE, "rev-1", content_of("old"))
    assert await objects.get(ALICE, "rev-1") == content_of("old")


async def test_dropping_takes_every_original_of_the_partition(objects: Objects) -> None:
    for name in ODD_IDS:
        await objects.put(ALICE, name, content_of(name))
    await objects.drop(ALICE)
    await objects.drop(ALICE)
    assert await got(objects, ODD_IDS) == [None] * len(ODD_IDS)
    await objects.put(ALICE, "rev-1", b"anew")
    assert await objects.get(ALICE, "rev-1") == b"anew"


async def test_what_is_too_large_is_refused_and_changes_nothing(objects: Objects) -> None:
    await objects.put(ALICE, "rev-1", b"small")
    with pytest.raises(TooLarge, match="larger than 1000 bytes"):
        await objects.put(ALICE, "rev-1", bytes(BYTES_MAX + 1))
    assert await objects.get(ALICE, "rev-1") == b"small"


async def test_of_several_puts_at_once_one_is_kept_whole(opened: Open) -> None:
    doors = [await opened() for _ in range(3)]
    contents = [content_of(f"door {number}", 900) for number in range(3)]
    answers = await asyncio.gather(
        *(door.put(ALICE, "rev-1", content) for door, content in zip(doors, contents, strict=True)),
        return_exceptions=True,
    )
    assert all(answer is None or isinstance(answer, Conflict) for answer in answers)
    assert None in answers
    assert await doors[0].get(ALICE, "rev-1") in contents


async def test_a_put_and_a_delete_at_once_leave_a_whole_original_or_none(opened: Open) -> None:
    putting, deleting = await opened(), await opened()
    content = content_of("original", 900)
    for _ in range(5):
        await asyncio.gather(
            putting.put(ALICE, "rev-1", content), deleting.delete(ALICE, ["rev-1"]), return_exceptions=True
        )
        assert await putting.get(ALICE, "rev-1") in (content, None)


async def test_a_reader_sees_one_content_or_the_other_while_it_is_replaced(opened: Open) -> None:
    writing, reading = await opened(), await opened()
    contents = [content_of(f"state {number}", 900) for number in range(5)]
    await writing.put(ALICE, "rev-1", contents[0])

    async def replace() -> None:
        for content in contents[1:]:
            await writing.put(ALICE, "rev-1", content)

    replacing = asyncio.create_task(replace())
    seen = []
    while not replacing.done():
        seen.append(await reading.get(ALICE, "rev-1"))
    await replacing
    assert seen
    assert all(content in contents for content in seen)
    assert await reading.get(ALICE, "rev-1") == contents[-1]
