"""What is taken in when an add, or a part of it, is sent again?"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.core.memories import ADMIN, digest_all, listed, scope
from tests.core.test_work import BrokenEmbedder
from yiku.adapters.clocks import ManualClock
from yiku.core.memory.add import add_memories
from yiku.core.memory.events import event_status
from yiku.model.errors import Conflict
from yiku.model.memories import AddMemories, DecisionKind, Event, EventState
from yiku.model.messages import Message
from yiku.model.records import PageQuery
from yiku.model.scopes import Scope
from yiku.ports import Ports

TEA, COFFEE, COCOA = ("1", "I like tea"), ("2", "I like coffee"), ("3", "I like cocoa")


async def add(ports: Ports, *said: tuple[str | None, str], where: Scope | None = None, **given: Any) -> Event:
    messages = tuple(Message(role="user", id=message_id, content=text) for message_id, text in said)
    return await add_memories(ports, ADMIN, AddMemories(scope=where or scope(), messages=messages, **given))


async def count(ports: Ports, kind: str) -> int:
    return (await ports.storage.page(PageQuery(partitions=(scope().partition,), kind=kind, limit=0))).count


async def texts(ports: Ports) -> Sequence[str]:
    await digest_all(ports)
    return sorted(memory.text.rsplit(" ", 1)[1] for memory in await listed(ports))


async def test_an_add_with_a_known_key_is_answered_with_the_first_event(ports: Ports) -> None:
    first = await add(ports, (None, "I like tea"), idempotency_key="k")
    assert (await add(ports, (None, "I like tea"), idempotency_key="k")).id == first.id
    await digest_all(ports)
    again = await add(ports, (None, "I like tea"), idempotency_key="k")
    assert (again.id, again.state) == (first.id, EventState.SUCCEEDED)
    assert await count(ports, "event") == await count(ports, "message") == 1


async def test_a_key_of_other_content_is_refused_and_another_users_key_is_another(ports: Ports) -> None:
    first = await add(ports, (None, "I like tea"), idempotency_key="k")
    with pytest.raises(Conflict, match="idempotency key"):
        await add(ports, (None, "I like coffee"), idempotency_key="k")
    assert (await add(ports, (None, "I like coffee"), idempotency_key="k", where=scope("u2"))).id != first.id


async def test_parallel_adds_of_one_key_are_one(ports: Ports) -> None:
    events = await asyncio.gather(*(add(ports, TEA, idempotency_key="k") for _ in range(20)))
    assert len({event.id for event in events}) == 1
    assert await count(ports, "message") == 1


async def test_an_identical_list_of_ids_is_answered_with_the_first_event(ports: Ports) -> None:
    first = await add(ports, TEA, COFFEE, metadata={"sent": 1})
    assert (await add(ports, TEA, COFFEE, metadata={"sent": 2})).id == first.id
    assert (await add(ports, COFFEE, TEA)).id != first.id


async def test_of_a_list_that_overlaps_what_is_new_is_digested(ports: Ports) -> None:
    first = await add(ports, TEA, COFFEE)
    second = await add(ports, TEA, COFFEE, COCOA)
    assert second.id != first.id
    assert second.message_ids[:2] == first.message_ids
    assert await texts(ports) == ["cocoa", "coffee", "tea"]
    ended = await event_status(ports, ADMIN, second.id)
    assert len(ended.memory_ids) == 1
    [skipped] = [decision for decision in ended.decisions if decision.kind is DecisionKind.SKIP]
    assert skipped.message_ids == first.message_ids
    assert await count(ports, "message") == 3


async def test_a_window_that_holds_nothing_new_ends_with_a_reason(ports: Ports) -> None:
    await add(ports, TEA, COFFEE, COCOA)
    window = await add(ports, COFFEE, COCOA)
    await digest_all(ports)
    ended = await event_status(ports, ADMIN, window.id)
    assert (ended.state, ended.memory_ids) == (EventState.SUCCEEDED, ())
    assert [decision.kind for decision in ended.decisions] == [DecisionKind.SKIP]


async def test_changed_words_another_run_and_messages_without_ids_are_new(ports: Ports) -> None:
    await add(ports, TEA)
    await add(ports, ("1", "I like coffee"))
    assert await texts(ports) == ["coffee", "tea"]
    for said, where in ((TEA, scope(run_id="r2")), ((None, "I like tea"), scope())):
        event = await add(ports, said, where=where)
        await digest_all(ports)
        [decision] = (await event_status(ports, ADMIN, event.id)).decisions
        assert decision.kind is DecisionKind.NOOP


async def test_the_same_message_twice_in_one_add_is_digested_once(ports: Ports) -> None:
    event = await add(ports, TEA, TEA)
    assert len(set(event.message_ids)) == 1
    assert await texts(ports) == ["tea"]


async def test_verbatim_adds_are_recognised_whole_only(ports: Ports) -> None:
    first = await add(ports, TEA, COFFEE, infer=False)
    assert (await add(ports, TEA, COFFEE, infer=False)).id == first.id
    await add(ports, COFFEE, infer=False)
    await add(ports, TEA)
    await digest_all(ports)
    assert len(await listed(ports)) == 3


async def test_an_add_that_failed_may_be_sent_again(ports: Ports, clock: ManualClock) -> None:
    broken = replace(ports, embedder=BrokenEmbedder())
    poison = ("1", "I like poison ivy")
    failed = await add(broken, poison)
    for _ in range(ports.limits.job_attempts):
        await digest_all(broken)
        clock.advance(301)
    assert (await event_status(ports, ADMIN, failed.id)).state is EventState.FAILED
    again = await add(ports, poison)
    assert again.id != failed.id
    await digest_all(ports)
    assert len(await listed(ports)) == 1


async def test_parallel_windows_digest_each_message_once(ports: Ports) -> None:
    await asyncio.gather(*(add(ports, *window) for window in ((TEA, COFFEE), (COFFEE, COCOA), (TEA, COFFEE, COCOA))))
    assert await texts(ports) == ["cocoa", "coffee", "tea"]
    assert await count(ports, "message") == 3
