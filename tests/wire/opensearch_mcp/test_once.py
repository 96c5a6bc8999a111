"""What do the tools do with an add that is sent again, and with memories that go away by themselves?"""

from __future__ import annotations

import json

from yiku.adapters.clocks import ManualClock

from .conftest import Door, open_door
from .requirements import proves


@proves("add:idempotency")
async def test_an_add_with_the_same_key_is_answered_with_the_first_event(door: Door) -> None:
    events = [
        await door.call("memory_add", messages="I like tea", user_id="u", idempotency_key="k-1") for _ in range(2)
    ]
    assert events[0]["event_id"] == events[1]["event_id"]
    result = await door.result("memory_add", {"messages": "I like cocoa", "user_id": "u", "idempotency_key": "k-1"})
    assert json.loads(result["content"][0]["text"])["code"] == "Conflict"


@proves("add:message-ids")
async def test_messages_that_came_before_are_not_digested_again(door: Door) -> None:
    first, second = ({"role": "user", "content": f"I like {what}", "id": what} for what in ("tea", "cocoa"))
    await door.remember([first])
    ids = await door.remember([first, second])
    assert len(ids) == 1
    assert (await door.call("memory_get_all", filters={"user_id": "u"}))["count"] == 2


@proves("expiry")
async def test_memories_expire_when_they_were_told_to(place: str) -> None:
    clock = ManualClock()
    async with open_door(place, clock=clock) as door:
        [tea] = await door.remember("I like tea", expires_at="2026-01-01T01:00:00Z")
        await door.call("memory_update", memory_id=tea, text="likes tea", ttl_seconds=7200)
        clock.advance(3601)
        assert (await door.call("memory_get", memory_id=tea))["expires_at"] == "2026-01-01T02:00:00.000000Z"
        clock.advance(3600)
        assert (await door.call("memory_get_all", filters={"user_id": "u"}))["count"] == 0
