"""What becomes of a memory that is corrected by hand, and of the words it had before."""

from __future__ import annotations

import asyncio

import pytest

from tests.core.memories import ADMIN, add, found, listed, scope
from yiku.adapters.clocks import ManualClock
from yiku.core.memory.edit import delete_memory, update_memory
from yiku.core.memory.history import REVISIONS_BYTES, REVISIONS_KEPT
from yiku.core.memory.read import get_memory
from yiku.model.errors import InvalidInput, NotFound, TooLarge
from yiku.model.memories import ChangeMemory, Memory
from yiku.model.metadata import Metadata, metadata_equals
from yiku.ports import Ports


async def change(ports: Ports, memory_id: str, text: str | None = None, metadata: Metadata | None = None) -> Memory:
    return await update_memory(ports, ADMIN, memory_id, ChangeMemory(text=text, metadata=metadata))


async def test_metadata_is_merged_and_none_removes_a_key(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like tea", metadata={"source": "chat", "draft": True})).memory_ids
    await change(ports, memory_id, metadata={"draft": None, "stars": 5, "never": None})
    memory = await get_memory(ports, ADMIN, memory_id)
    assert memory.metadata == {"source": "chat", "stars": 5}
    assert await found(ports, "tea", where=metadata_equals("stars", 5)) == [memory.text]
    assert await found(ports, "tea", where=metadata_equals("draft", True)) == []


async def test_a_change_of_metadata_keeps_the_words_the_speaker_and_the_vector(ports: Ports) -> None:
    [memory_id] = (await add(ports, "my dog is called Rex", infer=False)).memory_ids
    before = await get_memory(ports, ADMIN, memory_id)
    after = await change(ports, memory_id, metadata={"stars": 5})
    assert (after.text, after.speaker, after.fingerprint) == (before.text, before.speaker, before.fingerprint)
    assert await found(ports, "my dog is called Rex", threshold=0.9) == [before.text]


async def test_a_corrected_key_is_not_found_by_what_a_repeat_had_there(ports: Ports) -> None:
    await add(ports, "I play golf", metadata={"source": "chat"})
    await add(ports, "I play golf", metadata={"source": "mail", "thread": 7})
    [memory] = await listed(ports)
    await change(ports, memory.id, metadata={"source": "crm"})
    for value, hits in (("crm", 1), ("chat", 0), ("mail", 0)):
        assert len(await found(ports, "golf", where=metadata_equals("source", value))) == hits
    assert await found(ports, "golf", where=metadata_equals("thread", 7)) == [memory.text]


async def test_a_corrected_timestamp_moves_the_anchor(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like tea")).memory_ids
    moved = await change(ports, memory_id, metadata={"timestamp": "2026-06-02"})
    assert moved.anchor is not None and moved.anchor.isoformat() == "2026-06-02T00:00:00+00:00"
    assert (await change(ports, memory_id, metadata={"timestamp": None})).anchor is None
    with pytest.raises(InvalidInput):
        await change(ports, memory_id, metadata={"timestamp": "yesterday"})


async def test_metadata_that_grows_past_its_bound_is_refused_and_changes_nothing(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like tea", metadata={str(n): n for n in range(60)})).memory_ids
    before = await get_memory(ports, ADMIN, memory_id)
    with pytest.raises(TooLarge, match="64"):
        await change(ports, memory_id, metadata={f"more {n}": n for n in range(10)})
    assert await get_memory(ports, ADMIN, memory_id) == before


async def test_the_history_keeps_what_a_memory_said_and_until_when(ports: Ports, clock: ManualClock) -> None:
    [memory_id] = (await add(ports, "我喜欢喝咖啡", metadata={"source": "chat"})).memory_ids
    clock.advance(60)
    second = await change(ports, memory_id, text="用户偏好拿铁")
    clock.advance(60)
    third = await change(ports, memory_id, metadata={"source": "mail"})
    memory = await get_memory(ports, ADMIN, memory_id)
    assert [(told.text, told.metadata, told.replaced) for told in memory.revisions] == [
        ("用户喜欢喝咖啡", {"source": "chat"}, second.updated),
        ("用户偏好拿铁", {"source": "chat"}, third.updated),
    ]


async def test_a_change_that_changes_nothing_leaves_no_trace(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like tea", metadata={"source": "chat"})).memory_ids
    text = (await get_memory(ports, ADMIN, memory_id)).text
    assert (await change(ports, memory_id, text=text, metadata={"source": "chat"})).revisions == ()


async def test_a_repeat_keeps_the_history(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like tea")).memory_ids
    await change(ports, memory_id, metadata={"stars": 5})
    await add(ports, "I like tea", metadata={"source": "mail"})
    assert len((await get_memory(ports, ADMIN, memory_id)).revisions) == 1


async def test_a_history_is_bounded_in_number_and_size(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like tea")).memory_ids
    for number in range(REVISIONS_KEPT + 3):
        memory = await change(ports, memory_id, text=f"tea number {number}")
    assert (len(memory.revisions), memory.revisions_dropped) == (REVISIONS_KEPT, 3)
    assert memory.revisions[-1].text == f"tea number {REVISIONS_KEPT + 1}"
    await change(ports, memory_id, text="a" * (REVISIONS_BYTES - 10))
    large = await change(ports, memory_id, text="coffee")
    assert [len(told.text) for told in large.revisions] == [REVISIONS_BYTES - 10]


async def test_the_old_words_of_a_deleted_memory_are_gone_with_it(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like strawberry", infer=False)).memory_ids
    await change(ports, memory_id, text="I like rhubarb")
    await delete_memory(ports, ADMIN, memory_id)
    with pytest.raises(NotFound):
        await get_memory(ports, ADMIN, memory_id)
    changes = await ports.storage.scan(scope().partition)
    # The raw messages stay as evidence until the user is deleted.
    held = [item.record for item in changes if item.record is not None and item.ref.kind != "message"]
    assert all("rhubarb" not in str(record.body) for record in held)


async def test_changes_at_the_same_moment_are_all_made(ports: Ports) -> None:
    [memory_id] = (await add(ports, "I like tea")).memory_ids
    await asyncio.gather(*(change(ports, memory_id, metadata={f"k{number}": number}) for number in range(50)))
    memory = await get_memory(ports, ADMIN, memory_id)
    assert memory.metadata == {f"k{number}": number for number in range(50)}
