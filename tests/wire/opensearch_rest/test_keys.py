"""What a key may not see or do: other workspaces, other users, other permissions, other times."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.wire.doors import everything_stored
from yiku.adapters.clocks import ManualClock
from yiku.core.access import FIRST_START, KEY_FRESH_S
from yiku.core.keys import create_key, revoke_key
from yiku.core.workspaces import create_workspace
from yiku.model.keys import NewKey

from .conftest import V3, V4, Door, open_door, refusal
from .requirements import proves

FILTERS: dict[str, Any] = {"AND": [{"user_id": "theirs"}]}


async def holding(door: Door, **granted: Any) -> str:
    """From here on the door is asked with a new key; its id."""
    made = await create_key(door.ports, FIRST_START, NewKey(name="test", **granted))
    door.key = made.secret
    return made.key.id


@proves("workspace")
async def test_a_foreign_workspace_looks_like_one_that_does_not_exist(door: Door) -> None:
    await create_workspace(door.ports, FIRST_START, "theirs")
    await holding(door)
    answers = []
    for name in ("theirs", "nobody"):
        for method, path in (("GET", f"{V3}/health"), ("GET", f"{V4}/memories/m-1"), ("POST", f"{V4}/memories/add")):
            response = await door.send(method, path.replace("default", name))
            answers.append((name, refusal(response, 404, "NotFound").replace(name, "")))
    assert len({message for _, message in answers}) == 1


@proves("workspace")
async def test_an_admin_key_acts_in_any_workspace_there_is_and_they_share_nothing(door: Door) -> None:
    await create_workspace(door.ports, FIRST_START, "second")
    [memory_id] = await door.remember("tea", infer=False)
    second = V4.replace("default", "second")
    refusal(await door.send("GET", f"{second}/memories/{memory_id}"), 404, "NotFound")
    refusal(await door.send("GET", f"{V4.replace('default', 'nobody')}/memories/{memory_id}"), 404, "NotFound")
    added = await door.send("POST", f"{second}/memories/add", b'{"messages": "tea", "user_id": "u"}')
    refusal(await door.ask("GET", f"/events/{added.json()['event_id']}"), 404, "NotFound")
    assert (await door.send("GET", f"{second}/events/{added.json()['event_id']}")).status_code == 200


@proves("bad:old-key")
async def test_a_revoked_and_an_expired_key_are_401(tmp_path: Path) -> None:
    clock = ManualClock()
    async with open_door(tmp_path, clock=clock) as door:
        key_id = await holding(door)
        assert (await door.send("GET", f"{V3}/health")).status_code == 200
        await revoke_key(door.ports, FIRST_START, key_id)
        clock.advance(KEY_FRESH_S)
        refusal(await door.send("GET", f"{V3}/health"), 401, "Unauthenticated")
        await holding(door, expires=clock.now() + timedelta(seconds=10))
        assert (await door.send("GET", f"{V3}/health")).status_code == 200
        clock.advance(10)
        refusal(await door.send("GET", f"{V3}/health"), 401, "Unauthenticated")


@proves("bad:bound-key")
async def test_a_bound_key_sees_its_own_user_only(door: Door) -> None:
    [memory_id] = await door.remember("tea", "theirs", infer=False)
    added = await door.call("POST", "/memories/add", {"messages": "coffee", "user_id": "theirs"})
    await holding(door, user_id="mine")
    before = await everything_stored(door.ports)
    for path, body in (
        ("/memories/add", {"messages": "milk", "user_id": "theirs"}),
        ("/memories/search", {"query": "tea", "filters": FILTERS}),
        ("/memories/list", {"filters": FILTERS}),
        ("/memories/delete", {"filters": FILTERS}),
        ("/memories/delete", {"filters": FILTERS, "dry_run": True}),
    ):
        refusal(await door.ask("POST", path, body), 403, "PermissionDenied")
    refusal(await door.ask("DELETE", "/users/theirs"), 403, "PermissionDenied")
    for method, path, theirs, change in (
        ("GET", "/memories/{}", memory_id, None),
        ("GET", "/memories/{}/history", memory_id, None),
        ("PUT", "/memories/{}", memory_id, {"text": "water"}),
        ("DELETE", "/memories/{}", memory_id, None),
        ("GET", "/events/{}", added["event_id"], None),
    ):
        foreign = refusal(await door.ask(method, path.format(theirs), change), 404, "NotFound")
        missing = refusal(await door.ask(method, path.format("m-none"), change), 404, "NotFound")
        assert foreign.replace(theirs, "m-none") == missing
    assert await everything_stored(door.ports) == before
    assert await door.remember("milk", "mine", infer=False)


@proves("bad:permission")
@pytest.mark.parametrize(
    ("permission", "refused"), [("memory:read", "memory:write"), ("memory:write", "memory:read"), ("chat", "memory:")]
)
async def test_a_key_without_the_permission_is_told_which_it_lacks(door: Door, permission: Any, refused: str) -> None:
    await holding(door, permissions=frozenset({permission}))
    calls: list[tuple[str, str, Any, str]] = [
        ("POST", "/memories/add", {"messages": "tea", "user_id": "u"}, "memory:write"),
        ("POST", "/memories/delete", {"filters": {"AND": [{"user_id": "u"}]}}, "memory:write"),
        ("PUT", "/memories/m-1", {"text": "tea"}, "memory:write"),
        ("DELETE", "/memories/m-1", None, "memory:write"),
        ("DELETE", "/users/u", None, "memory:write"),
        ("GET", "/memories/m-1", None, "memory:read"),
        ("GET", "/memories/m-1/history", None, "memory:read"),
        ("GET", "/events/me-1", None, "memory:read"),
        ("POST", "/memories/search", {"query": "tea", "filters": {"AND": [{"user_id": "u"}]}}, "memory:read"),
        ("POST", "/memories/list", {"filters": {"AND": [{"user_id": "u"}]}}, "memory:read"),
    ]
    for method, path, body, needed in calls:
        response = await door.ask(method, path, body)
        if needed.startswith(refused):
            assert needed in refusal(response, 403, "PermissionDenied")
        else:
            assert response.status_code in (200, 404), response.text
