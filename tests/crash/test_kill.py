"""Is everything that a store promised still there, and nothing half done, after kill −9 at any moment?

One place is killed again and again (`YIKU_CRASH_RUNS` times, 20 unless told otherwise) while it grows.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from tests.contract.builders import search_for
from tests.crash import load
from tests.engines import open_place
from yiku.adapters.clocks import ManualClock, SystemClock
from yiku.model.limits import Limits
from yiku.model.records import CandidateQuery, PageQuery, Record
from yiku.model.scopes import Partition
from yiku.model.tokens import query_terms
from yiku.ports.storage import Storage

RUNS = int(os.environ.get("YIKU_CRASH_RUNS", "20"))
ACKNOWLEDGED_MAX = 150
SEARCHED_PER_RUN = 10
EVERYTHING = 10**6


@dataclass(frozen=True)
class Promises:
    """The events whose commits were acknowledged before the kill."""

    added: frozenset[str]
    digested: frozenset[str]


@dataclass(frozen=True)
class Kept:
    """What one user's partition holds."""

    states: dict[str, object]
    messages: set[str]
    memories: set[str]


def _run_until_killed(place: str, *, lines: int) -> Promises:
    """Let the load run until it has printed so many lines, kill it, and read what it had printed until then."""
    command = [sys.executable, "-m", "tests.crash.load", place]
    with subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            told = [child.stdout.readline() for _ in range(lines)]
            assert child.poll() is None, "the load ended by itself"
        finally:
            child.kill()
        told.extend(child.stdout)
    # A last line without an end was cut off by the kill, and so was its promise.
    words = [line.split() for line in told if line.endswith("\n")]
    return Promises(
        added=frozenset(line[1] for line in words if line[0] == "ADDED"),
        digested=frozenset(line[1] for line in words if line[0] == "DIGESTED"),
    )


async def _all(storage: Storage, user: Partition, kind: str) -> tuple[Record, ...]:
    return (await storage.page(PageQuery(partitions=(user,), kind=kind, limit=EVERYTHING))).records


async def _kept(storage: Storage, user: Partition) -> Kept:
    return Kept(
        states={event.id: event.fields["state"] for event in await _all(storage, user, "event")},
        messages={message.id for message in await _all(storage, user, "message")},
        memories={memory.id for memory in await _all(storage, user, "memory")},
    )


def _assert_no_commit_is_half_done(kept: Kept) -> None:
    succeeded = [event for event, state in kept.states.items() if state == "SUCCEEDED"]
    assert kept.messages == {message for event in kept.states for message in load.messages_of(event)}
    assert kept.memories == {memory for event in succeeded for memory in load.memories_of(event)}


def _assert_promises_are_kept(promises: Promises, states: dict[str, object]) -> None:
    assert promises.added <= states.keys()
    assert {states[event] for event in promises.digested} <= {"SUCCEEDED"}


async def _assert_memories_are_found(storage: Storage, events: list[str]) -> None:
    for event in events:
        for part, memory in enumerate(load.memories_of(event)):
            terms = query_terms(load.words_of(event), limit=512)
            by_words = await search_for(
                storage,
                CandidateQuery(partitions=load.USERS, kind="memory", terms=terms, limit=load.MEMORIES_PER_EVENT),
            )
            assert memory in {hit.record.id for hit in by_words.hits}
            by_vector = await search_for(
                storage,
                CandidateQuery(partitions=load.USERS, kind="memory", embedding=load.embedding_of(event, part), limit=1),
            )
            assert [hit.record.id for hit in by_vector.hits] == [memory]


async def _finish_what_was_left(storage: Storage, clock: ManualClock) -> set[str]:
    """Claim and digest until nothing can run; which events that were."""
    finished: set[str] = set()
    while jobs := await storage.claim(["digest"], lease_s=load.LEASE_S, limit=32):
        await load.digest(storage, jobs, clock.now())
        finished.update(job.id for job in jobs)
    return finished


async def _assert_store_is_whole(place: str, promises: Promises) -> int:
    """Open what the kill left, compare it with the promises, and finish the work; how many events there are."""
    # Past every lease: what the killed process was doing must be claimable.
    clock = ManualClock(SystemClock().now() + timedelta(seconds=load.LEASE_S + 1))
    storage = await open_place(place, clock=clock, limits=Limits())
    try:
        assert (await storage.check()).problems == ()
        kept = [await _kept(storage, user) for user in load.USERS]
        for one in kept:
            _assert_no_commit_is_half_done(one)
        states = {event: state for one in kept for event, state in one.states.items()}
        _assert_promises_are_kept(promises, states)
        await _assert_memories_are_found(storage, sorted(promises.digested)[:SEARCHED_PER_RUN])

        left = {event for event, state in states.items() if state == "PENDING"}
        assert await _finish_what_was_left(storage, clock) == left
        for user in load.USERS:
            finished = await _kept(storage, user)
            _assert_no_commit_is_half_done(finished)
            assert set(finished.states.values()) <= {"SUCCEEDED"}
        state = await storage.queue_state()
        assert (state.waiting, state.running) == (0, 0)
        return len(states)
    finally:
        await storage.close()


@pytest.mark.timeout(60 + 10 * RUNS)
def test_a_store_that_is_killed_at_any_moment_keeps_its_promises(place: str) -> None:
    chance = random.Random(20260101)
    events = 0
    for _ in range(RUNS):
        # One line is printed before the store is opened: some kills hit the opening, its recovery and its migrations.
        lines = 1 if chance.random() < 0.1 else chance.randint(2, ACKNOWLEDGED_MAX)
        promises = _run_until_killed(place, lines=lines)
        events = asyncio.run(_assert_store_is_whole(place, promises))
    assert events > 0
