"""When are messages and events forgotten, and what stays?"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.core.memories import ADMIN, add, digest_all, listed, said, scope
from tests.core.stores import admin_of
from yiku.adapters.clocks import ManualClock
from yiku.core.memory.add import add_memories
from yiku.core.memory.events import event_status
from yiku.core.retention import EVERY, forget_when_due
from yiku.core.work import run_worker
from yiku.core.workspaces import create_workspace
from yiku.model.memories import AddMemories, EventState
from yiku.model.records import PageQuery
from yiku.model.retention import FOR_EVER, Retention
from yiku.model.scopes import user_partition
from yiku.ports import Ports

DAY = 86_400
MONTH = Retention(message_days=30, event_days=30)


async def count(ports: Ports, kind: str, *, user_id: str = "u1", workspace: str = "default") -> int:
    query = PageQuery(partitions=(user_partition(workspace, user_id),), kind=kind, limit=0)
    return (await ports.storage.page(query)).count


async def forget(ports: Ports, retention: Retention = MONTH) -> int:
    return await forget_when_due(ports, retention, asyncio.Event())


async def test_old_messages_and_events_go_and_their_memories_stay(ports: Ports, clock: ManualClock) -> None:
    await add(ports, "I like tea")
    clock.advance(20 * DAY)
    await add(ports, "I like coffee")
    clock.advance(11 * DAY)
    assert await forget(ports) == 2
    assert (await count(ports, "message"), await count(ports, "event")) == (1, 1)
    assert len(await listed(ports)) == 2


async def test_each_has_its_own_setting_and_nothing_goes_by_default(ports: Ports, clock: ManualClock) -> None:
    await add(ports, "I like tea")
    clock.advance(10_000 * DAY)
    assert await forget(ports, FOR_EVER) == 0
    assert await forget(ports, Retention(message_days=1)) == 1
    assert (await count(ports, "message"), await count(ports, "event")) == (0, 1)
    clock.advance(EVERY.total_seconds())
    assert await forget(ports, Retention(event_days=1)) == 1


async def test_what_still_waits_keeps_its_messages(ports: Ports, clock: ManualClock) -> None:
    event = await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
    clock.advance(31 * DAY)
    await forget(ports)
    await digest_all(ports)
    assert (await event_status(ports, ADMIN, event.id)).state is EventState.SUCCEEDED


async def test_one_process_does_it_within_an_hour(ports: Ports, clock: ManualClock) -> None:
    await add(ports, "I like tea")
    assert await forget(ports) == 0
    clock.advance(31 * DAY)
    async with asyncio.TaskGroup() as group:
        several = [group.create_task(forget(ports)) for _ in range(5)]
    assert sorted(task.result() for task in several) == [0, 0, 0, 0, 2]
    await add(ports, "I like coffee")
    assert await forget(ports, Retention(message_days=1)) == 0


async def test_many_old_ones_go_in_small_commits(ports: Ports, clock: ManualClock) -> None:
    for _ in range(3):
        await add(ports, *(f"I like tea number {number}" for number in range(300)))
    clock.advance(31 * DAY)
    assert await forget(ports) == 903
    assert await count(ports, "message") == 0


async def test_every_workspace_and_every_user_is_looked_through(ports: Ports, clock: ManualClock) -> None:
    await create_workspace(ports, ADMIN, "elsewhere")
    await add(ports, "I like tea", where=scope("u2"))
    there = replace(scope(), workspace="elsewhere")
    await add_memories(ports, admin_of("elsewhere"), AddMemories(scope=there, messages=said("I like tea")))
    await digest_all(ports)
    clock.advance(31 * DAY)
    assert await forget(ports) == 4
    assert await count(ports, "message", workspace="elsewhere") == 0


async def test_it_ends_early_when_the_server_stops(ports: Ports, clock: ManualClock) -> None:
    await add(ports, "I like tea")
    clock.advance(31 * DAY)
    stop = asyncio.Event()
    stop.set()
    assert await forget_when_due(ports, MONTH, stop) == 0


async def test_the_worker_does_it_beside_its_jobs(ports: Ports, clock: ManualClock) -> None:
    await add(ports, "I like tea")
    clock.advance(31 * DAY)
    stop = asyncio.Event()
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(run_worker(ports, stop, MONTH))
        while await count(ports, "message"):
            await ports.storage.wait_for_jobs(timeout_s=0.02)
        stop.set()
