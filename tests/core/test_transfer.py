"""Does an export hold everything, and does an import bring it back on either engine?"""

from __future__ import annotations

import pickle
from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.core.memories import ADMIN, add, digest_all, found, listed, said, scope
from tests.core.stores import admin_of, contents, exported, imported, last, record_lines
from tests.engines import open_place
from yiku.adapters.beside import beside
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.adapters.ready import made_ready
from yiku.core.memory import records
from yiku.core.memory.add import add_memories
from yiku.core.memory.edit import delete_memory, update_memory
from yiku.core.memory.events import event_status
from yiku.core.memory.search import search_memories
from yiku.core.transfer.arrivals import Arrival
from yiku.core.transfer.bounds import CHECKS
from yiku.core.transfer.export import Export, export_lines
from yiku.core.transfer.export_file import ExportFile
from yiku.core.transfer.imports import import_export
from yiku.core.transfer.lines import content_of
from yiku.core.transfer.reading import read_lines
from yiku.model.errors import InvalidInput, NotFound, PermissionDenied
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, ChangeMemory, EventState, SearchMemories
from yiku.model.records import Embedding, Record, Ref, Setting
from yiku.ports import Ports

WITH_VECTORS = Export(with_vectors=True)


@pytest.fixture
async def ports(place: str, clock: ManualClock) -> AsyncIterator[Ports]:
    """The store that data comes from, on each engine in turn."""
    storage = await open_place(place, clock=clock, limits=Limits())
    yield Ports(storage=storage, embedder=HashedEmbedder(), clock=clock)
    await storage.close()


@pytest.fixture
async def other(tmp_path: Path, ports: Ports) -> AsyncIterator[Ports]:
    """A second store, with nothing in it."""
    storage = await open_place(str(tmp_path / "other"), clock=ports.clock, limits=ports.limits)
    yield replace(ports, storage=storage)
    await storage.close()


async def fill(ports: Ports) -> None:
    """Two users, Chinese and English, metadata, agents and runs, an anchor, a repeat, a skipped message."""
    anchored = datetime(2025, 5, 1, tzinfo=UTC)
    await add(ports, "I like tea", "hello!", metadata={"topic": ["drinks", 1], "deep": {"a": None}}, anchor=anchored)
    await add(ports, "我喜欢喝咖啡", where=scope("用户/2", agent_id="a", run_id="r"))
    await add(ports, "我喜欢喝咖啡", where=scope("用户/2", agent_id="b"))
    await add(ports, "as it is", infer=False)


async def test_everything_comes_back_in_another_store_and_in_another_workspace(ports: Ports, other: Ports) -> None:
    await fill(ports)
    before = await contents(ports)
    assert {record["kind"] for record in before} == {"memory", "event", "message"}
    there = await imported(other, await exported(ports))
    assert (there.stored, there.kept, there.complete) == (len(before), 0, True)
    assert await contents(other) == before
    await imported(ports, await exported(other), workspace="elsewhere")
    assert await contents(ports, workspace="elsewhere") == before
    assert await found(other, "tea") == await found(ports, "tea")


async def test_with_vectors_nothing_is_embedded_and_search_finds_the_same(ports: Ports, other: Ports) -> None:
    await fill(ports)
    received = await imported(other, await exported(ports, WITH_VECTORS))
    assert received.embedded == 0
    assert await found(other, "drinks tea") == await found(ports, "drinks tea")


async def test_what_holds_no_more_is_past_where_it_arrives_and_conversations_stay_together(
    ports: Ports, other: Ports
) -> None:
    for year, home in ((2023, "上海"), (2024, "北京")):
        await add(ports, f"我住在{home}", "我每天喝茶", anchor=datetime(year, 5, 1, tzinfo=UTC))
    await imported(other, await exported(ports, WITH_VECTORS))
    for asked in ("我住在哪里？", "我以前住在哪里？"):
        assert await found(other, asked) == await found(ports, asked)
    assert not any("上海" in text for text in await found(other, "我住在哪里？"))
    [first, *_] = (await search_memories(other, ADMIN, SearchMemories(scope=scope(), text="喝茶", explain=True))).hits
    [there, *_] = (await search_memories(ports, ADMIN, SearchMemories(scope=scope(), text="喝茶", explain=True))).hits
    assert first.legs is not None
    assert there.legs is not None
    # Vectors travel as float16.
    assert asdict(first.legs) == pytest.approx(asdict(there.legs), abs=0.001)


async def test_without_vectors_or_with_those_of_another_model_texts_are_embedded_here(
    ports: Ports, other: Ports
) -> None:
    await fill(ports)
    bare, other_model = await exported(ports), await exported(ports, WITH_VECTORS)
    assert (await imported(other, bare)).embedded == 3
    await other.storage.drop(scope().partition)
    stranger = replace(other, embedder=HashedEmbedder(dimensions=32))
    assert (await imported(stranger, other_model)).embedded == 2


async def test_an_import_that_is_run_again_changes_nothing(ports: Ports, other: Ports) -> None:
    await fill(ports)
    lines = await exported(ports)
    first = await imported(other, lines)
    [tea] = [memory for memory in await listed(other) if "tea" in memory.text]
    await update_memory(other, ADMIN, tea.id, ChangeMemory(text="Likes green tea"))
    again = await imported(other, lines)
    assert (again.stored, again.kept) == (0, first.stored)
    assert "Likes green tea" in [memory.text for memory in await listed(other)]


async def test_an_export_of_one_user_holds_nobody_else(ports: Ports, other: Ports) -> None:
    await fill(ports)
    await imported(other, await exported(ports, Export(user_id="用户/2")))
    assert await listed(other) == []
    assert len(await listed(other, "用户/2")) == 1


async def test_a_user_can_get_another_name(ports: Ports, other: Ports) -> None:
    await fill(ports)
    await imported(other, await exported(ports, Export(user_id="u1")), into_user="u2")
    assert [memory.id for memory in await listed(other, "u2")] == [memory.id for memory in await listed(ports)]
    with pytest.raises(InvalidInput, match=r"Line \d+ .* it belongs to a second user"):
        await imported(other, await exported(ports), into_user="u3")


async def test_an_id_that_is_somebody_elses_here_is_refused(ports: Ports) -> None:
    await fill(ports)
    with pytest.raises(InvalidInput, match="belongs to the user u1 of the workspace default"):
        await imported(ports, await exported(ports, Export(user_id="u1")), into_user="u2")
    assert await listed(ports, "u2") == []


async def test_what_says_the_same_as_a_memory_here_comes_in_beside_it(ports: Ports, other: Ports) -> None:
    await add(ports, "I like tea")
    await add(other, "I like tea")
    await imported(other, await exported(ports))
    assert len(await listed(other)) == 2
    assert (await add(other, "I like tea")).decisions[0].kind == "NOOP"


async def test_an_add_that_waits_is_digested_where_it_arrives(ports: Ports, other: Ports) -> None:
    event = await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
    lines = await exported(ports)
    assert (await imported(other, lines)).requeued == 1
    assert (await imported(other, lines)).requeued == 0
    await digest_all(other)
    assert (await event_status(other, ADMIN, event.id)).state is EventState.SUCCEEDED
    assert len(await listed(other)) == 1


async def test_an_add_that_waits_in_the_same_store_is_named_and_taken_up_later(ports: Ports) -> None:
    event = await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
    lines = await exported(ports)
    assert (await imported(ports, lines, workspace="elsewhere")).waiting_elsewhere == 1
    await digest_all(ports)
    assert (await imported(ports, lines, workspace="elsewhere")).requeued == 1
    await digest_all(ports)
    assert (await event_status(ports, admin_of("elsewhere"), event.id)).state is EventState.SUCCEEDED


async def test_what_changes_while_the_export_runs_arrives_in_its_newer_state(ports: Ports, other: Ports) -> None:
    await add(ports, "I like tea")
    await add(ports, "I like milk")
    memories = {memory.text: memory.id for memory in await listed(ports)}
    lines: list[bytes] = []
    async for line in export_lines(ports, ADMIN, Export()):
        lines.append(line)
        if len(lines) == 2:  # The header, and the first record of a page that was read as a whole.
            await update_memory(ports, ADMIN, memories["The user likes tea"], ChangeMemory(text="Likes green tea"))
            await delete_memory(ports, ADMIN, memories["The user likes milk"])
    assert [content_of(line)[0] for line in lines[-3:]] == ["again", "gone", "end"]
    await imported(other, lines)
    assert await contents(other) == await contents(ports)
    await imported(other, lines)
    assert await contents(other) == await contents(ports)


async def test_a_user_who_does_not_exist_is_no_empty_export(ports: Ports) -> None:
    await fill(ports)
    with pytest.raises(NotFound, match="no user nobody"):
        await exported(ports, Export(user_id="nobody"))


async def test_only_an_admin_moves_data(ports: Ports) -> None:
    reader = replace(ADMIN, permissions=frozenset({"memory:read", "memory:write"}))
    with pytest.raises(PermissionDenied):
        await anext(export_lines(ports, reader, Export()))


def test_every_kind_of_record_can_be_imported() -> None:
    kinds = {value for name, value in vars(records).items() if name.isupper() and isinstance(value, str)}
    assert kinds == set(CHECKS)


async def test_the_last_line_counts_what_there_is(ports: Ports) -> None:
    await fill(ports)
    lines = await exported(ports)
    counted = content_of(lines[-1])[1]["records"]
    assert sum(counted.values()) == len(record_lines(lines))
    assert counted["memory"] == 3


async def test_many_batches_are_read_beside_and_stored_in_order(ports: Ports, other: Ports) -> None:
    """More than one batch, with vectors, facts and Chinese, the same as when it is all read here."""
    for start in range(0, 1_500, 500):
        texts = (f"note {start + number} 第{start + number}条" for number in range(500))
        await add(ports, *texts, infer=False, metadata={"start": start})
    lines = await exported(ports, WITH_VECTORS)
    with beside(partial(read_lines, make_ready=made_ready), processes=2) as reader:
        received = await last(import_export(other, ADMIN, ExportFile(lines), reader=reader))
    assert (received.stored, received.complete) == (len(lines) - 2, True)
    assert await contents(other) == await contents(ports)


async def test_a_bad_line_late_in_the_file_ends_the_import_when_all_before_it_is_stored(
    ports: Ports, other: Ports
) -> None:
    await add(ports, *(f"note {number}" for number in range(700)), infer=False)
    lines = await exported(ports, WITH_VECTORS)
    bad = [*lines[:600], lines[600].replace(b"owner", b"owned"), *lines[601:]]
    with pytest.raises(InvalidInput, match=r"Line 601 .*checksum"):
        await imported(other, bad)
    assert len(record_lines(await exported(other))) == 599


async def test_a_second_user_far_behind_the_first_is_refused_too(ports: Ports, other: Ports) -> None:
    await add(ports, *(f"note {number}" for number in range(400)), infer=False)
    await add(ports, *(f"note {number}" for number in range(400)), infer=False, where=scope("u2"))
    lines = await exported(ports, WITH_VECTORS)
    with pytest.raises(InvalidInput, match="second user"):
        await imported(other, lines, into_user="u3")


@pytest.mark.parametrize("vector", [None, [0.6, 0.8]])
@pytest.mark.parametrize("until", [None, datetime(2030, 1, 1, tzinfo=UTC)])
@pytest.mark.parametrize("text", [None, "我喜欢茶 and tea"])
def test_what_is_read_elsewhere_arrives_as_it_was(
    vector: list[float] | None, until: datetime | None, text: str | None
) -> None:
    told = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)
    setting = Setting(thread="t", told=told, begins=told, ends=told, since=told, until=until, speaker="安娜")
    record = Record(
        kind="memory", id="m-1", body={"text": text, "deep": [{"a": None}]}, created=told, updated=told,
        fields={"a": ("x", 1, True), "b": None}, unique_key="k", text=text, expires=until,
        setting=setting if text else None,
        embedding=None if vector is None else Embedding("model", np.array(vector, np.float32)),
    )  # fmt: skip
    arrival = Arrival(partition=scope().partition, ref=Ref("memory", "m-1"), record=record, again=True)
    back = pickle.loads(pickle.dumps(arrival))
    held = back.record.embedding
    assert (None if held is None else (held.model, held.values.tolist())) == (
        None if record.embedding is None else ("model", record.embedding.values.tolist())
    )
    assert replace(back, record=replace(back.record, embedding=record.embedding)) == arrival


def test_a_deletion_that_is_read_elsewhere_arrives_as_it_was() -> None:
    arrival = Arrival(partition=scope().partition, ref=Ref("memory", "m-1"), record=None)
    assert pickle.loads(pickle.dumps(arrival)) == arrival
