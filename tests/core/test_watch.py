"""How often may a key and a user ask, and what is written about use and refusals?"""

from __future__ import annotations

import pytest

from tests.core.memories import ADMIN, scope
from yiku.adapters.clocks import ManualClock
from yiku.core.access import KeyRing, in_workspace
from yiku.core.audit import list_audit
from yiku.core.keys import MadeKey, create_key, list_keys, revoke_key
from yiku.core.memory.read import list_memories
from yiku.core.rates import NAMES_MAX, Rates, TokenBuckets
from yiku.core.watch import REFUSALS_A_WRITE
from yiku.model.audit import AuditEntry
from yiku.model.errors import NotFound, PermissionDenied, RateLimited, StorageUnavailable, Unauthenticated
from yiku.model.keys import NewKey
from yiku.model.memories import ListMemories
from yiku.model.principal import Principal
from yiku.ports import Ports


async def bot(ports: Ports, **given: object) -> MadeKey:
    return await create_key(ports, ADMIN, NewKey(name="bot", **given))  # type: ignore[arg-type]


async def refusals(ports: Ports) -> list[AuditEntry]:
    entries = (await list_audit(ports, ADMIN, before=None, limit=1_000)).entries
    return [entry for entry in entries if entry.outcome == "refused"]


async def ask_for(ports: Ports, principal: Principal, user_id: str) -> None:
    await list_memories(ports, principal, ListMemories(scope=scope(user_id)))


def test_a_bucket_lets_a_minutes_requests_pass_at_once_and_then_one_at_a_time() -> None:
    buckets = TokenBuckets(per_minute=3)
    assert [buckets.take("a", 100.0) for _ in range(5)] == [0, 0, 0, 20, 20]
    assert buckets.take("b", 100.0) == 0
    assert [buckets.take("a", 119.5), buckets.take("a", 120.0), buckets.take("a", 120.0)] == [1, 0, 20]
    assert [buckets.take("a", 500.0) for _ in range(4)] == [0, 0, 0, 20]


def test_a_clock_that_is_put_back_locks_nobody_out() -> None:
    buckets = TokenBuckets(per_minute=60)
    for _ in range(60):
        assert buckets.take("a", 1_000_000.0) == 0
    assert buckets.take("a", 5.0) == 1
    assert buckets.take("a", 6.0) == 0


def test_what_is_remembered_of_buckets_is_bounded() -> None:
    buckets = TokenBuckets(per_minute=1)
    for number in range(NAMES_MAX + 1):
        buckets.take(number, 0.0)
    assert buckets.take(NAMES_MAX, 0.0) > 0
    assert buckets.take(0, 0.0) == 0


async def test_a_key_that_asks_too_often_is_told_when_to_come_back(ports: Ports, clock: ManualClock) -> None:
    keys = KeyRing(ports, configured="the-operators-own-key", rates=Rates(per_key=2))
    busy, other = (await bot(ports)).secret, (await bot(ports)).secret
    for secret in (busy, busy, other, "the-operators-own-key"):
        await keys.principal_of(secret)
    with pytest.raises(RateLimited, match="30 seconds") as refusal:
        await keys.principal_of(busy)
    assert refusal.value.retry_after_s == 30
    clock.advance(30)
    await keys.principal_of(busy)


async def test_a_user_that_is_asked_for_too_often_is_so_through_every_key(ports: Ports) -> None:
    keys = KeyRing(ports, rates=Rates(per_user=2))
    first, second = [await keys.principal_of((await bot(ports)).secret) for _ in range(2)]
    await ask_for(ports, first, "u1")
    await ask_for(ports, second, "u1")
    for principal in (first, second):
        with pytest.raises(RateLimited):
            await ask_for(ports, principal, "u1")
    await ask_for(ports, first, "u2")


async def test_there_is_no_bound_unless_one_is_set(ports: Ports) -> None:
    keys, secret = KeyRing(ports), (await bot(ports)).secret
    for _ in range(1_000):
        principal = await keys.principal_of(secret)
        principal.require_user("u1")


async def test_refusals_are_gathered_into_one_entry_a_kind(ports: Ports) -> None:
    keys = KeyRing(ports)
    made = await bot(ports, permissions=frozenset({"memory:write"}), user_id="u1")
    principal = await keys.principal_of(made.secret)
    for _ in range(3):
        with pytest.raises(PermissionDenied):
            principal.require("memory:read")
        with pytest.raises(Unauthenticated):
            await keys.principal_of("no such key at all")
    with pytest.raises(PermissionDenied):
        principal.require_user("u2")
    with pytest.raises(NotFound):
        await in_workspace(ports, principal, "elsewhere")
    assert await refusals(ports) == []
    await keys.watch.write()
    await keys.watch.write()
    assert {(entry.key_id, entry.action, entry.times, entry.left_out) for entry in await refusals(ports)} == {
        (made.key.id, "memory:read", 3, 0),
        ("unknown", "unknown key", 3, 0),
        (made.key.id, "another user", 1, 0),
        (made.key.id, "another workspace", 1, 0),
    }


async def test_whoever_is_refused_without_end_does_not_fill_the_log(ports: Ports) -> None:
    keys = KeyRing(ports)
    for number in range(REFUSALS_A_WRITE + 7):
        keys.watch.note_refusal(f"key {number}", "default", "memory:read")
    await keys.watch.write()
    entries = await refusals(ports)
    assert len(entries) == REFUSALS_A_WRITE
    assert sum(entry.left_out for entry in entries) == 7


async def test_what_could_not_be_written_is_counted_as_left_out(ports: Ports) -> None:
    keys = KeyRing(ports)
    await ports.storage.close()
    keys.watch.note_refusal("a", "default", "chat")
    with pytest.raises(StorageUnavailable):
        await keys.watch.write()
    assert keys.watch.left_out == 1


async def test_the_last_use_of_a_key_is_written_and_outlives_nothing(ports: Ports, clock: ManualClock) -> None:
    keys, made = KeyRing(ports), await bot(ports)
    async with keys.watch.running():
        clock.advance(5)
        used = clock.now()
        await keys.principal_of(made.secret)
        clock.advance(5)
    assert [key.last_used for key in (await list_keys(ports, ADMIN, page=1, page_size=9)).keys] == [used]
    await revoke_key(ports, ADMIN, made.key.id)
    assert (await list_keys(ports, ADMIN, page=1, page_size=9)).count == 0
