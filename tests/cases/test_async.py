"""Does work in the background go on, and end with a status that says what happened?"""

from __future__ import annotations

from dataclasses import replace

from tests.core.memories import ADMIN, digest_all, listed, said, scope
from tests.core.test_work import BrokenEmbedder
from tests.engines import open_place
from yiku.adapters.clocks import ManualClock
from yiku.core.memory.add import add_memories
from yiku.core.memory.events import event_status
from yiku.core.work import HANDLERS
from yiku.model.errors import EmbedderUnavailable
from yiku.model.limits import Limits
from yiku.model.memories import AddMemories, EventState
from yiku.ports import Ports

from .conftest import Doors
from .ledger import proves


@proves("B094")
async def test_a_job_after_the_first_of_its_lane_is_claimed(doors: Doors) -> None:
    for number in range(3):
        event = await doors.add(f"I like tea number {number}")
        assert event["status"] == "SUCCEEDED"
    assert await doors.ports.storage.claim(tuple(HANDLERS), lease_s=60, limit=1) == []


@proves("B096")
async def test_what_was_answered_survives_a_server_that_stops_before_the_model_returns(place: str) -> None:
    clock, limits = ManualClock(), Limits()
    embedder = BrokenEmbedder()
    embedder.error = EmbedderUnavailable()
    first = Ports(
        storage=await open_place(place, clock=clock, limits=limits), embedder=embedder, clock=clock, limits=limits
    )
    event = await add_memories(first, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
    await digest_all(first)
    await first.storage.close()
    clock.advance(301)
    embedder.error = None
    second = replace(first, storage=await open_place(place, clock=clock, limits=limits))
    await digest_all(second)
    assert (await event_status(second, ADMIN, event.id)).state is EventState.SUCCEEDED
    assert len(await listed(second)) == 1
    await second.storage.close()


@proves("B098")
async def test_an_add_that_makes_nothing_says_why(doors: Doors) -> None:
    greeting = await doors.add("你好呀")
    assert (greeting["status"], greeting["results"]) == ("SUCCEEDED", [])
    assert [bool(row["reason"]) for row in greeting["decisions"]] == [True]
    [memory_id] = (await doors.add("I like coffee"))["results"]
    near = await doors.add("I really like coffee!")
    assert (near["status"], near["results"]) == ("SUCCEEDED", [])
    assert [(row["decision"], row["memory_id"]) for row in near["decisions"]] == [("NOOP", memory_id)]
    assert memory_id in near["decisions"][0]["reason"]
