"""The storage port over PostgreSQL: each call sent to a thread with a connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from psycopg.types import TypeInfo

from yiku.adapters.postgres import jobs as queue
from yiku.adapters.postgres import pages
from yiku.adapters.postgres import partitions as directory
from yiku.adapters.postgres.announcements import Announcements
from yiku.adapters.postgres.check import check_store
from yiku.adapters.postgres.committer import Committer
from yiku.adapters.postgres.connections import Connection, connect, reading
from yiku.adapters.postgres.expiry import sweep_expired
from yiku.adapters.postgres.failures import translated_errors
from yiku.adapters.postgres.migrations import migrate
from yiku.adapters.postgres.snapshot import PostgresSnapshot
from yiku.adapters.postgres.statistics import Statistics, gather
from yiku.adapters.postgres.threads import Threads
from yiku.adapters.postgres.tokeniser import renew_terms
from yiku.engine.cache import IndexCache
from yiku.engine.calls import RunningCalls
from yiku.engine.candidates import find_candidates
from yiku.engine.times import microseconds
from yiku.engine.waking import JobSignal
from yiku.model.errors import StorageUnavailable
from yiku.model.jobs import Job, QueueState
from yiku.model.limits import Limits
from yiku.model.records import (
    CandidateQuery,
    Change,
    Changes,
    Choose,
    Chosen,
    Health,
    PageQuery,
    PlacedT,
    Record,
    RecordPage,
)
from yiku.model.scopes import Partition
from yiku.ports.clock import Clock

_CHECK_DEADLINE_S = 3_600.0
"""A check reads everything; it may take long, but not for ever."""
_SWEEP_EVERY_S = 60.0

T = TypeVar("T")


async def open_postgres(
    url: str, *, clock: Clock, limits: Limits, cache_bytes: int = 512 * 2**20, connections: int = 10
) -> PostgresStorage:
    """Open the store in this database, making or updating its tables first. It belongs to the running event loop.

    `connections` are how many this process may open, besides one to listen on: half of them read, half write.
    Raises `StorageUnavailable` when the server or database cannot be used, with what to do about it.
    """
    halfvec = await asyncio.to_thread(_prepared_database, url, limits)
    return PostgresStorage(url, halfvec, clock=clock, limits=limits, cache_bytes=cache_bytes, connections=connections)


def _prepared_database(url: str, limits: Limits) -> TypeInfo:
    with translated_errors(), connect(url, deadline_s=_CHECK_DEADLINE_S) as connection:
        migrate(connection)
        renew_terms(connection)
        halfvec = TypeInfo.fetch(connection, "halfvec")
    if halfvec is None:
        raise StorageUnavailable("The type halfvec is missing: update pgvector on the database server to 0.8 or newer.")
    return halfvec


class PostgresStorage:
    """See `yiku.ports.storage.Storage` for what each call promises."""

    def __init__(
        self, url: str, halfvec: TypeInfo, *, clock: Clock, limits: Limits, cache_bytes: int, connections: int
    ) -> None:
        self._clock = clock
        self._limits = limits
        self._cache = IndexCache(cache_bytes)
        self._signal = JobSignal()
        self._calls = RunningCalls()
        deadline_s = limits.storage_deadline_s
        readers = max(connections // 2, 1)
        self._readers = Threads(url, name="reader", count=readers, deadline_s=deadline_s, halfvec=halfvec)
        self._writers = Threads(
            url, name="writer", count=max(connections - readers, 1), deadline_s=deadline_s, halfvec=halfvec
        )
        self._committer = Committer(self._writers, limits, self._now)
        self._announcements = Announcements(
            url, clock.new_id("server-"), heard=self._signal.set, threads=self._writers, deadline_s=deadline_s
        )
        self._statistics = Statistics(lambda: self._writers.run(gather))
        self._sweeping = asyncio.create_task(self._sweep())

    @property
    def cache_bytes_held(self) -> int:
        """What the indexes in memory take, by estimate."""
        return self._cache.bytes_held

    async def commit(self, changes: Changes) -> None:
        with self._calls.running():
            await self._committer.commit(changes)
            self._statistics.note(len(changes.puts))
            if changes.enqueues or changes.finishes:
                self._wake()

    async def get(self, partition: Partition, kind: str, ids: Sequence[str]) -> list[Record]:
        return await self._read(lambda connection, now: pages.get_records(connection, partition, kind, ids, now=now))

    async def find(self, partition: Partition, kind: str, unique_keys: Sequence[str]) -> list[Record]:
        return await self._read(
            lambda connection, now: pages.find_records(connection, partition, kind, unique_keys, now=now)
        )

    async def locate(self, workspace: str, kind: str, id: str) -> tuple[Partition, Record] | None:
        return await self._read(lambda connection, now: pages.locate_record(connection, workspace, kind, id, now=now))

    async def holders(self, workspace: str, kind: str, ids: Sequence[str]) -> list[tuple[str, Partition]]:
        return await self._read(lambda connection, now: pages.holders_of(connection, workspace, kind, ids, now=now))

    async def partitions(self, workspace: str, prefix: str, *, after: str = "", limit: int = 100) -> list[Partition]:
        return await self._read(
            lambda connection, _: directory.list_partitions(connection, workspace, prefix, after=after, limit=limit)
        )

    async def page(self, query: PageQuery) -> RecordPage:
        return await self._read(lambda connection, now: pages.page_of_records(connection, query, now=now))

    async def candidates(self, query: CandidateQuery, choose: Choose[PlacedT]) -> list[Chosen[PlacedT]]:
        def search(connection: Connection, now: int) -> list[Chosen[PlacedT]]:
            with reading(connection):
                snapshot = PostgresSnapshot(connection, now=now)
                indexes = self._cache.indexes(query.partitions, query.kind, snapshot.news)
                return find_candidates(snapshot, indexes, query, choose, now=now)

        return await self._read(search)

    async def scan(self, partition: Partition, *, after: int = 0, limit: int = 1000) -> list[Change]:
        return await self._read(
            lambda connection, now: pages.changes_since(connection, partition, after=after, limit=limit, now=now)
        )

    async def drop(self, partition: Partition) -> int:
        return await self._write(lambda connection, now: directory.drop_partition(connection, partition, now=now))

    async def claim(self, kinds: Sequence[str], *, lease_s: float, limit: int) -> list[Job]:
        since = self._signal.times_set
        claimed = await self._write(
            lambda connection, now: queue.claim_jobs(
                connection,
                kinds,
                lease_s=lease_s,
                limit=limit,
                limits=self._limits,
                now=now,
                new_id=self._clock.new_id,
            )
        )
        if not claimed:
            self._signal.nothing_found(since=since)
        return claimed

    async def renew(self, jobs: Sequence[Job], *, lease_s: float) -> None:
        await self._write(lambda connection, now: queue.renew_leases(connection, jobs, lease_s=lease_s, now=now))

    async def release(
        self, jobs: Sequence[Job], *, delay_s: float, error: str | None, count_attempt: bool = True
    ) -> None:
        await self._write(
            lambda connection, now: queue.release_jobs(
                connection, jobs, delay_s=delay_s, error=error, count_attempt=count_attempt, now=now
            )
        )
        self._wake()

    async def job(self, id: str) -> Job | None:
        return await self._read(lambda connection, now: queue.job_with_id(connection, id, now=now))

    async def jobs(self, *, after: int = 0, limit: int = 100) -> list[Job]:
        return await self._read(lambda connection, now: queue.list_jobs(connection, after=after, limit=limit, now=now))

    async def end_back_off(self, id: str) -> bool:
        ended = await self._write(lambda connection, now: queue.end_back_off(connection, id, now=now))
        self._wake()
        return ended

    async def queue_state(self) -> QueueState:
        return await self._read(lambda connection, now: queue.queue_state(connection, now=now))

    async def wait_for_jobs(self, *, timeout_s: float) -> None:
        with self._calls.running():
            await self._signal.wait(timeout_s)

    async def check(self) -> Health:
        with self._calls.running():
            return await self._readers.run(check_store, deadline_s=_CHECK_DEADLINE_S)

    async def close(self) -> None:
        self._signal.set()
        if await self._calls.end():
            self._sweeping.cancel()
            await asyncio.gather(self._sweeping, return_exceptions=True)
            await self._statistics.close()
            await self._announcements.close()
            await self._readers.close()
            await self._writers.close()

    def _wake(self) -> None:
        self._signal.set()
        self._announcements.announce()

    async def _read(self, question: Callable[[Connection, int], T]) -> T:
        with self._calls.running():
            return await self._readers.run(lambda connection: question(connection, self._now()))

    async def _write(self, action: Callable[[Connection, int], T]) -> T:
        with self._calls.running():
            return await self._writers.run(lambda connection: action(connection, self._now()))

    async def _sweep(self) -> None:
        while True:
            with suppress(StorageUnavailable):
                while await self._writers.run(lambda connection: sweep_expired(connection, now=self._now())):
                    continue
            await asyncio.sleep(_SWEEP_EVERY_S)

    def _now(self) -> int:
        return microseconds(self._clock.now())
