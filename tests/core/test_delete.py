"""What goes when memories are deleted by a condition: all that match, of one user, or nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.core.memories import ADMIN, add, digest_all, listed, said, scope
from tests.engines import open_place
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.core.audit import list_audit
from yiku.core.memory.add import add_memories
from yiku.core.memory.delete import delete_memories
from yiku.core.memory.edit import update_memory
from yiku.model.conditions import EVERYTHING, Condition, Eq
from yiku.model.errors import Conflict, PermissionDenied, TooLarge
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, ChangeMemory, DeleteMemories
from yiku.model.metadata import metadata_equals
from yiku.model.principal import Principal
from yiku.ports import Ports

LIMITS = Limits(page_window=2_500)


@pytest.fixture
async def ports(place: str, clock: ManualClock) -> AsyncIterator[Ports]:
    storage = await open_place(place, clock=clock, limits=LIMITS)
    yield Ports(storage=storage, embedder=HashedEmbedder(), clock=clock, limits=LIMITS)
    await storage.close()


async def delete(
    ports: Ports, where: Condition = EVERYTHING, *, user_id: str = "u1", by: Principal = ADMIN, dry_run: bool = False
) -> int:
    return await delete_memories(ports, by, DeleteMemories(scope=scope(user_id), where=where), dry_run=dry_run)


async def test_what_matches_goes_and_the_rest_stays(ports: Ports) -> None:
    await add(ports, "I like tea", metadata={"source": "chat"})
    await add(ports, "I like coffee", metadata={"source": "mail"})
    await add(ports, "I like cocoa", metadata={"source": "chat"}, where=scope("u2"))
    where = metadata_equals("source", "chat")
    assert await delete(ports, where, dry_run=True) == 1
    assert len(await listed(ports)) == 2
    assert await delete(ports, where) == 1
    assert ["coffee" in memory.text for memory in await listed(ports)] == [True]
    assert len(await listed(ports, "u2")) == 1
    assert await delete(ports, where) == 0


async def test_more_than_a_page_of_memories_goes_at_once(ports: Ports) -> None:
    texts = said(*(f"I like fruit number {n}" for n in range(700)))
    for run_id in ("r1", "r2"):
        command = AddMemories(scope=scope(run_id=run_id), messages=texts[:700] if run_id == "r1" else texts[:1])
        await add_memories(ports, ADMIN, command)
    more = said(*(f"I like nut number {n}" for n in range(700)))
    await add_memories(ports, ADMIN, AddMemories(scope=scope(run_id="r1"), messages=more))
    await digest_all(ports)
    assert await delete(ports, Eq("run_id", "r1")) == 1_400
    assert await listed(ports) == []


async def test_more_than_the_bound_is_refused_whole_though_a_dry_run_counts_it(ports: Ports) -> None:
    small = replace(ports, limits=Limits(page_window=2))
    for fruit in ("apples", "pears", "plums"):
        await add(ports, f"I like {fruit}")
    assert await delete(small, dry_run=True) == 3
    with pytest.raises(TooLarge, match="match 3 memories; at most 2"):
        await delete(small)
    assert len(await listed(ports)) == 3


async def test_a_deletion_and_corrections_at_the_same_time_both_hold(ports: Ports) -> None:
    for fruit in ("apples", "pears", "plums", "grapes"):
        await add(ports, f"I like {fruit}", metadata={"keep": False})
    memories = await listed(ports)
    kept = ChangeMemory(metadata={"keep": True})
    outcomes = await asyncio.gather(
        delete(ports, metadata_equals("keep", False)),
        *(update_memory(ports, ADMIN, memory.id, kept) for memory in memories[:2]),
        return_exceptions=True,
    )
    assert all(isinstance(outcome, int | Conflict) or outcome.metadata["keep"] is True for outcome in outcomes)  # type: ignore[union-attr]
    assert all(memory.metadata["keep"] is True for memory in await listed(ports))


async def test_a_deletion_is_in_the_audit_log_and_a_dry_run_is_not(ports: Ports) -> None:
    await add(ports, "I like tea")
    await delete(ports, dry_run=True)
    assert (await list_audit(ports, ADMIN, before=None, limit=10)).entries == ()
    await delete(ports)
    [entry] = (await list_audit(ports, ADMIN, before=None, limit=10)).entries
    assert (entry.action, entry.subject, entry.outcome) == ("memory.delete_by_filter", "u1", "done")


async def test_a_key_that_may_not_write_or_is_another_users_deletes_nothing(ports: Ports) -> None:
    await add(ports, "I like tea")
    for principal in (replace(ADMIN, permissions=frozenset({"memory:read"})), replace(ADMIN, user_id="u2")):
        for dry_run in (True, False):
            with pytest.raises(PermissionDenied):
                await delete(ports, by=principal, dry_run=dry_run)
    assert len(await listed(ports)) == 1
