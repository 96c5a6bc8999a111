"""What does the audit log say, for how long, and in which order is it read?"""

from __future__ import annotations

import asyncio

import pytest
import structlog

from tests.core.memories import ADMIN, add, listed, scope
from yiku.adapters.clocks import ManualClock
from yiku.core.audit import audited, list_audit
from yiku.core.users import delete_user, list_users
from yiku.model.audit import AuditEntry
from yiku.model.errors import Conflict, InvalidInput, PermissionDenied
from yiku.model.principal import Principal
from yiku.ports import Ports


async def audit(ports: Ports, action: str, *, subject: str = "") -> None:
    """Something that is done, and leaves its entry."""
    async with audited(ports, ADMIN, action, workspace="default", subject=subject):
        return


async def outcomes(ports: Ports) -> list[tuple[str, str, str]]:
    entries = (await list_audit(ports, ADMIN, before=None, limit=100)).entries
    return [(entry.action, entry.subject, entry.outcome) for entry in entries]


async def test_an_entry_names_the_request_that_was_behind_it(ports: Ports) -> None:
    with structlog.contextvars.bound_contextvars(request_id="req-1"):
        await audit(ports, "memories.delete", subject="7 memories of u1")
    [entry] = (await list_audit(ports, ADMIN, before=None, limit=1)).entries
    assert (entry.request_id, entry.key_id, entry.workspace) == ("req-1", "k", "default")
    assert (entry.at, entry.times, entry.left_out) == (ports.clock.now(), 1, 0)


async def test_what_is_under_way_is_begun_and_what_fails_says_why(ports: Ports) -> None:
    async with audited(ports, ADMIN, "first", workspace="default"):
        assert await outcomes(ports) == [("first", "", "begun")]
    with pytest.raises(Conflict):
        async with audited(ports, ADMIN, "second", workspace="default"):
            raise Conflict
    with pytest.raises(asyncio.CancelledError):
        async with audited(ports, ADMIN, "third", workspace="default"):
            raise asyncio.CancelledError
    assert sorted(await outcomes(ports)) == [
        ("first", "", "done"),
        ("second", "", "failed: Conflict"),
        ("third", "", "broken off"),
    ]


async def test_pages_meet_without_a_gap_even_within_one_moment(ports: Ports, clock: ManualClock) -> None:
    for number in range(9):
        await audit(ports, f"action {number}")
        if number % 3 == 2:
            clock.advance(1)
    everything = (await list_audit(ports, ADMIN, before=None, limit=100)).entries
    assert [entry.at for entry in everything] == sorted((entry.at for entry in everything), reverse=True)
    read: list[AuditEntry] = []
    before: str | None = None
    while True:
        page = await list_audit(ports, ADMIN, before=before, limit=2)
        read += page.entries
        before = page.next
        if before is None:
            break
    assert tuple(read) == everything


@pytest.mark.parametrize("before", ["x", "1", "1.m-1", ".au-", "9" * 40 + ".au-" + "0" * 36, "1.au-\x00" + "0" * 35])
async def test_a_cursor_that_is_none_is_refused(ports: Ports, before: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await list_audit(ports, ADMIN, before=before, limit=1)
    assert refusal.value.field == "before"


async def test_entries_go_when_their_time_is_over(ports: Ports, clock: ManualClock) -> None:
    await audit(ports, "old")
    clock.advance(ports.limits.audit_days * 86_400 - 1)
    assert len(await outcomes(ports)) == 1
    clock.advance(1)
    assert await outcomes(ports) == []


async def test_users_are_listed_with_what_there_is_of_them(ports: Ports) -> None:
    for user in ("u/1", "u2", "周"):
        await add(ports, "我喜欢喝咖啡", where=scope(user))
    users = await list_users(ports, ADMIN, after="", limit=10)
    assert {user.user_id for user in users} == {"u/1", "u2", "周"}
    assert {(user.memories, user.messages, user.events) for user in users} == {(1, 1, 1)}
    assert {user.last_add for user in users} == {ports.clock.now()}
    first = await list_users(ports, ADMIN, after="", limit=2)
    rest = await list_users(ports, ADMIN, after=first[-1].user_id, limit=2)
    assert [*first, *rest] == users


async def test_deleting_a_user_takes_everything_and_leaves_the_others_and_a_trace(ports: Ports) -> None:
    await add(ports, "我喜欢喝咖啡", where=scope("u1"))
    await add(ports, "I like tea", where=scope("u2"))
    assert await delete_user(ports, ADMIN, "u1") == 3
    assert await delete_user(ports, ADMIN, "u1") == 0
    assert [user.user_id for user in await list_users(ports, ADMIN, after="", limit=10)] == ["u2"]
    assert len(await listed(ports, "u2")) == 1
    # What is not there leaves no trace either: else anybody could fill the disk with it.
    assert await outcomes(ports) == [("user.delete", "u1", "done")]


async def test_who_may_list_and_delete_users(ports: Ports) -> None:
    bound = Principal(
        key_id="b", workspace="default", permissions=frozenset({"memory:read", "memory:write"}), user_id="u1"
    )
    reader = Principal(key_id="r", workspace="default", permissions=frozenset({"memory:read"}))
    for refused in (
        list_users(ports, bound, after="", limit=1),
        delete_user(ports, bound, "u2"),
        delete_user(ports, reader, "u1"),
    ):
        with pytest.raises(PermissionDenied):
            await refused
    assert await delete_user(ports, bound, "u1") == 0
