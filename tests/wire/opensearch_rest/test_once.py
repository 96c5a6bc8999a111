"""What does the door do with an add that is sent again, and with memories that go away by themselves?"""

from __future__ import annotations

from typing import Any

import pytest

from yiku.adapters.clocks import ManualClock

from .conftest import Door, open_door, refusal
from .requirements import proves

ADD: dict[str, Any] = {"messages": "I like tea", "user_id": "u"}


@proves("add:idempotency")
async def test_an_add_with_the_same_key_is_answered_with_the_first_event(door: Door) -> None:
    sent = [
        await door.ask("POST", "/memories/add", ADD, idempotency_key="k-1"),
        await door.ask("POST", "/memories/add", ADD | {"idempotency_key": "k-1"}),
        await door.ask("POST", "/memories/add", ADD | {"idempotency_key": "k-1"}, idempotency_key="other"),
    ]
    assert [response.status_code for response in sent] == [200] * 3
    assert len({response.json()["event_id"] for response in sent}) == 1
    other = await door.ask("POST", "/memories/add", ADD | {"messages": "I like cocoa"}, idempotency_key="k-1")
    assert "idempotency key" in refusal(other, 409, "Conflict")
    odd = await door.ask("POST", "/memories/add", ADD | {"idempotency_key": " "})
    assert "idempotency_key" in refusal(odd, 400, "InvalidParameter")


@proves("add:message-ids")
async def test_windows_of_messages_with_ids_are_digested_once(door: Door) -> None:
    window = [{"role": "user", "content": f"I like tea number {number}", "id": number} for number in range(4)]
    for start in (0, 1, 1):
        await door.call("POST", "/memories/add", ADD | {"messages": window[start : start + 3]})
    await door.work()
    listed = await door.call("POST", "/memories/list", {"filters": {"AND": [{"user_id": "u"}]}})
    assert listed["count"] == 4
    whole = [await door.call("POST", "/memories/add", ADD | {"messages": window}) for _ in range(2)]
    assert whole[0]["event_id"] == whole[1]["event_id"]


@proves("expiry")
async def test_memories_expire_when_they_were_told_to(place: str) -> None:
    clock = ManualClock()
    async with open_door(place, clock=clock) as door:
        [tea] = await door.remember("I like tea", ttl_seconds=60)
        shown = await door.call("GET", f"/memories/{tea}")
        assert shown["expires_at"] == "2026-01-01T00:01:00.000000Z"
        await door.call("PUT", f"/memories/{tea}", {"expires_at": "2026-01-02"})
        clock.advance(3600)
        assert (await door.call("GET", f"/memories/{tea}"))["expires_at"].startswith("2026-01-02")
        await door.call("PUT", f"/memories/{tea}", {"expires_at": "never"})
        assert "expires_at" not in await door.call("GET", f"/memories/{tea}")
        await door.call("PUT", f"/memories/{tea}", {"ttl_seconds": 1})
        clock.advance(2)
        refusal(await door.ask("GET", f"/memories/{tea}"), 404, "NotFound")


@proves("expiry")
@pytest.mark.parametrize(
    ("odd", "words"),
    [
        ({"expires_at": "2001-01-01"}, "in the future"),
        ({"expires_at": "soon"}, "ISO 8601"),
        ({"ttl_seconds": 0}, "ttl_seconds must be an integer from 1"),
        ({"ttl_seconds": 5, "expires_at": "2030-01-01"}, "give one of them"),
    ],
)
async def test_an_end_that_cannot_be_is_refused(door: Door, odd: dict[str, Any], words: str) -> None:
    assert words in refusal(await door.ask("POST", "/memories/add", ADD | odd), 400, "InvalidParameter")
