"""What do the clients of a store do while its weather is bad, and was what they were told true?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count

from tests.contract.builders import changes, ids_of, new_job, record, search
from yiku.model.errors import LeaseLost, StorageUnavailable
from yiku.model.records import PageQuery
from yiku.model.scopes import Partition, user_partition
from yiku.ports.storage import Storage

WRITERS = 6
RECOVERY_S = 20.0
"""Generous: after it, a store that has its server back must work again."""


@dataclass
class Told:
    """One writer's commits by what was said of them."""

    partition: Partition
    acknowledged: set[str] = field(default_factory=set)
    uncertain: set[str] = field(default_factory=set)


class Load:
    """Writers, readers and workers who go on whatever happens, and take no error but `StorageUnavailable`."""

    def __init__(self, *storages: Storage) -> None:
        self._storages = storages
        self._stopping = asyncio.Event()
        self._progress = asyncio.Event()
        self.told = [Told(user_partition("default", f"writer-{number}")) for number in range(WRITERS)]
        self.read = 0
        """Answers that readers had."""

    @property
    def acknowledged(self) -> int:
        return sum(len(told.acknowledged) for told in self.told)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as tasks:
            for number, told in enumerate(self.told):
                storage = self._storages[number % len(self._storages)]
                tasks.create_task(self._write(storage, told))
                tasks.create_task(self._read(storage, told.partition))
            for storage in self._storages:
                tasks.create_task(self._work(storage))
            try:
                yield
            finally:
                self._stopping.set()

    async def goes_on(self, commits: int) -> None:
        """Return when so many more commits have been acknowledged and each reader was answered again."""
        wanted, read = self.acknowledged + commits, self.read + WRITERS
        async with asyncio.timeout(RECOVERY_S):
            while self.acknowledged < wanted or self.read < read:
                self._progress.clear()
                await self._progress.wait()

    async def _write(self, storage: Storage, told: Told) -> None:
        for number in count():
            if self._stopping.is_set():
                return
            name = f"{number:05}"
            # Its version counts the commits that were applied.
            puts = [record("counter"), record(f"left-{name}", "pair"), record(f"right-{name}", "pair")]
            job = new_job(f"{told.partition.owner} {name}", lane=told.partition.owner)
            try:
                await storage.commit(changes(*puts, partition=told.partition, enqueues=[job] if number % 2 else []))
            except StorageUnavailable as error:
                assert error.retry_after_s >= 1
                told.uncertain.add(name)
            else:
                told.acknowledged.add(name)
                self._progress.set()

    async def _read(self, storage: Storage, partition: Partition) -> None:
        while not self._stopping.is_set():
            with suppress(StorageUnavailable):
                found = await search(storage, "pair", partitions=[partition], limit=10_000)
                assert len(found.hits) == found.statistics.records
                assert len(found.hits) % 2 == 0
                page = await storage.page(PageQuery(partitions=(partition,), kind="memory", limit=3))
                assert page.count == 0 or page.count % 2 == 1
                self.read += 1
                self._progress.set()

    async def _work(self, storage: Storage) -> None:
        while not self._stopping.is_set():
            with suppress(StorageUnavailable, LeaseLost):
                jobs = await storage.claim(["digest"], lease_s=60, limit=4)
                if not jobs:
                    await storage.wait_for_jobs(timeout_s=1)
                    continue
                done = [record(f"done {job.id}", kind="digested") for job in jobs]
                await storage.commit(changes(*done, partition=jobs[0].partition, finishes=jobs))


async def assert_truth_was_told(load: Load, storage: Storage) -> None:
    """Every acknowledged commit is there, and no commit is there twice or in part."""
    for told in load.told:
        held = await ids_of(storage, told.partition)
        lefts = {name.removeprefix("left-") for name in held if name.startswith("left-")}
        rights = {name.removeprefix("right-") for name in held if name.startswith("right-")}
        assert lefts == rights
        assert told.acknowledged <= lefts <= told.acknowledged | told.uncertain
        counters = await storage.get(told.partition, "memory", ["counter"])
        assert sum(counter.version for counter in counters) == len(lefts)
        enqueued = {f"{told.partition.owner} {name}" for name in lefts if int(name) % 2}
        finished = {name.removeprefix("done ") for name in await ids_of(storage, told.partition, kind="digested")}
        waiting = {name for name in enqueued | finished if await storage.job(name) is not None}
        assert enqueued == waiting | finished
        assert not waiting & finished
    assert (await storage.check()).problems == ()


async def works_again(storage: Storage) -> None:
    """Return when reads, searches, commits and claims of a storage that was cut off succeed."""
    partition = user_partition("default", "afterwards")
    async with asyncio.timeout(RECOVERY_S):
        await _until_available(lambda: storage.commit(changes(record("after", "word"), partition=partition)))
        await _until_available(lambda: search(storage, "word", partitions=[partition]))
        await _until_available(lambda: storage.claim(["no such kind"], lease_s=1, limit=1))


async def _until_available(call: Callable[[], Awaitable[object]]) -> None:
    while True:
        with suppress(StorageUnavailable):
            await call()
            return
