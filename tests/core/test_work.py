"""What the worker does when things go wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.core.memories import ADMIN, add, digest_all, found, listed, said, scope
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.core.memory.add import add_memories
from yiku.core.memory.events import event_status
from yiku.core.memory.search import WORDS_ONLY, search_memories
from yiku.core.work import LANES_AT_ONCE, run_jobs, run_worker
from yiku.model.errors import EmbedderUnavailable
from yiku.model.jobs import Job
from yiku.model.memories import AddMemories, EventState, SearchMemories
from yiku.model.records import Embedding
from yiku.ports import Ports, Storage


class BrokenEmbedder(HashedEmbedder):
    """Raises the given error while it is set; a passage with `poison` in it always fails for a reason of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.error: Exception | None = None

    async def embed_query(self, text: str) -> Embedding:
        if self.error is not None:
            raise self.error
        return await super().embed_query(text)

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        if self.error is not None:
            raise self.error
        if any("poison" in text for text in texts):
            raise ZeroDivisionError("secret detail")
        return await super().embed_passages(texts)


async def test_a_worker_digests_adds_as_they_come_and_stops_when_told(ports: Ports) -> None:
    stop = asyncio.Event()
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(run_worker(ports, stop))
        event = await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
        while (await event_status(ports, ADMIN, event.id)).state is not EventState.SUCCEEDED:
            await ports.storage.wait_for_jobs(timeout_s=0.02)
        stop.set()
    assert len(await listed(ports)) == 1


async def test_an_add_waits_for_an_embedder_that_is_down_however_long(ports: Ports, clock: ManualClock) -> None:
    embedder = BrokenEmbedder()
    embedder.error = EmbedderUnavailable()
    ports = replace(ports, embedder=embedder)
    event = await add(ports, "I like tea")
    for _ in range(2 * ports.limits.job_attempts):
        clock.advance(301)
        await digest_all(ports)
    assert (await event_status(ports, ADMIN, event.id)).state is EventState.PENDING
    embedder.error = None
    clock.advance(301)
    await digest_all(ports)
    assert (await event_status(ports, ADMIN, event.id)).state is EventState.SUCCEEDED


async def test_a_search_answers_from_words_while_the_embedder_is_down_and_says_so(ports: Ports) -> None:
    await add(ports, "I like tea")
    embedder = BrokenEmbedder()
    embedder.error = EmbedderUnavailable()
    ports = replace(ports, embedder=embedder)
    hits = await search_memories(ports, ADMIN, SearchMemories(scope=scope(), text="tea"))
    assert [hit.memory.text for hit in hits.hits] == await found(ports, "tea")
    assert len(hits.hits) == 1
    assert hits.notices == (WORDS_ONLY,)


async def test_an_add_that_cannot_be_digested_fails_alone_with_our_own_words(ports: Ports, clock: ManualClock) -> None:
    ports = replace(ports, embedder=BrokenEmbedder())
    texts = ("I like tea", "I like poison ivy", "I like coffee")
    commands = [AddMemories(scope=scope(), messages=said(text)) for text in texts]
    events = [await add_memories(ports, ADMIN, command) for command in commands]
    for _ in range(ports.limits.job_attempts):
        await digest_all(ports)
        clock.advance(301)
    good, bad, also_good = [await event_status(ports, ADMIN, event.id) for event in events]
    assert (good.state, also_good.state) == (EventState.SUCCEEDED, EventState.SUCCEEDED)
    assert bad.state is EventState.FAILED
    assert bad.failure is not None
    assert bad.failure.code == "InternalError"
    assert "secret detail" not in bad.failure.message
    assert len(await listed(ports)) == 2


async def test_an_add_that_kills_its_worker_each_time_ends_failed(ports: Ports, clock: ManualClock) -> None:
    event = await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
    for _ in range(ports.limits.job_attempts):
        assert await ports.storage.claim(["digest"], lease_s=1, limit=1)
        clock.advance(2)  # The worker died: nobody renews, finishes or releases.
    await digest_all(ports)
    failed = await event_status(ports, ADMIN, event.id)
    assert failed.state is EventState.FAILED
    assert failed.failure is not None
    assert failed.failure.code == "WorkerDied"


class StumblingStorage:
    """The real storage, whose first claims fail in a way that nobody foresaw."""

    def __init__(self, storage: Storage, stumbles: int) -> None:
        self._storage = storage
        self._stumbles = stumbles

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def claim(self, kinds: Sequence[str], *, lease_s: float, limit: int) -> list[Job]:
        if self._stumbles:
            self._stumbles -= 1
            raise ZeroDivisionError("nobody foresaw this")
        return await self._storage.claim(kinds, lease_s=lease_s, limit=limit)


async def test_a_worker_outlives_what_nobody_foresaw(ports: Ports) -> None:
    stumbling = replace(ports, storage=StumblingStorage(ports.storage, stumbles=LANES_AT_ONCE))
    event = await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
    stop = asyncio.Event()
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(run_worker(stumbling, stop))
        while (await event_status(ports, ADMIN, event.id)).state is not EventState.SUCCEEDED:
            await ports.storage.wait_for_jobs(timeout_s=0.02)
        stop.set()


async def test_a_worker_that_lost_its_lease_writes_nothing(ports: Ports, clock: ManualClock) -> None:
    await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said("I like tea")))
    late = await ports.storage.claim(["digest"], lease_s=1, limit=1)
    clock.advance(2)
    await digest_all(ports)
    await run_jobs(ports, late)
    assert len(await listed(ports)) == 1


class CommittingEmbedder(HashedEmbedder):
    """At the second call it waits until the leases of `storage` were renewed so many times more."""

    def __init__(self, renewals: Renewals) -> None:
        super().__init__()
        self._renewals = renewals
        self._calls = 0

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        self._calls += 1
        if self._calls == 2:
            await self._renewals.several_more()
        return await super().embed_passages(texts)


class Renewals:
    """A storage whose renewals can be waited for."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._renewed = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def renew(self, jobs: Sequence[Job], *, lease_s: float) -> None:
        await self._storage.renew(jobs, lease_s=lease_s)
        self._renewed.set()

    async def several_more(self) -> None:
        for _ in range(3):
            self._renewed.clear()
            await self._renewed.wait()


async def test_leases_are_renewed_after_a_part_of_the_jobs_is_finished(ports: Ports) -> None:
    renewals = Renewals(ports.storage)
    limits = replace(ports.limits, facts_per_commit=1, job_lease_s=0.3)
    ports = replace(ports, storage=renewals, embedder=CommittingEmbedder(renewals), limits=limits)
    for text in ("I like tea", "I live in Lyon"):
        await add_memories(ports, ADMIN, AddMemories(scope=scope(), messages=said(text)))
    async with asyncio.timeout(30):
        assert await digest_all(ports) == 2
    assert len(await listed(ports)) == 2
