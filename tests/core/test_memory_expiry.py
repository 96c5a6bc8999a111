"""When does a memory go away by itself, and what keeps it?"""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.core.memories import ADMIN, add, found, listed
from yiku.adapters.clocks import ManualClock
from yiku.core.memory.edit import update_memory
from yiku.core.memory.read import get_memory
from yiku.model.errors import InvalidInput, NotFound
from yiku.model.memories import FOR_GOOD, ChangeMemory, Lifetime
from yiku.ports import Ports


@pytest.mark.parametrize("infer", [True, False])
async def test_a_memory_goes_when_its_time_is_over(ports: Ports, clock: ManualClock, infer: bool) -> None:
    [memory_id] = (await add(ports, "I like tea", infer=infer, lifetime=Lifetime(seconds=60))).memory_ids
    assert await found(ports, "tea")
    clock.advance(61)
    assert await found(ports, "tea") == []
    assert await listed(ports) == []
    with pytest.raises(NotFound):
        await get_memory(ports, ADMIN, memory_id)
    assert len((await add(ports, "I like tea")).memory_ids) == 1


async def test_what_is_told_again_for_good_stays(ports: Ports, clock: ManualClock) -> None:
    await add(ports, "I like tea", lifetime=Lifetime(seconds=60))
    await add(ports, "I like tea", lifetime=Lifetime(seconds=600))
    clock.advance(61)
    assert len(await listed(ports)) == 1
    await add(ports, "I like tea")
    clock.advance(6000)
    assert len(await listed(ports)) == 1


async def test_an_update_sets_moves_and_takes_back_the_end(ports: Ports, clock: ManualClock) -> None:
    [memory_id] = (await add(ports, "I like tea")).memory_ids
    until = clock.now() + timedelta(seconds=60)
    changed = await update_memory(ports, ADMIN, memory_id, ChangeMemory(lifetime=Lifetime(until=until)))
    assert changed.expires == (await get_memory(ports, ADMIN, memory_id)).expires == until
    await update_memory(ports, ADMIN, memory_id, ChangeMemory(text="I like cocoa"))
    assert (await get_memory(ports, ADMIN, memory_id)).expires == until
    await update_memory(ports, ADMIN, memory_id, ChangeMemory(lifetime=FOR_GOOD))
    clock.advance(61)
    assert len(await listed(ports)) == 1


async def test_an_end_in_the_past_is_refused(ports: Ports, clock: ManualClock) -> None:
    past = Lifetime(until=clock.now())
    with pytest.raises(InvalidInput, match="future"):
        await add(ports, "I like tea", lifetime=past)
    [memory_id] = (await add(ports, "I like tea")).memory_ids
    with pytest.raises(InvalidInput, match="future"):
        await update_memory(ports, ADMIN, memory_id, ChangeMemory(lifetime=past))
