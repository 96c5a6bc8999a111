"""The storage port over SQLite: each call sent to the thread that answers it."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

import apsw

from yiku.adapters.sqlite import changes as changing
from yiku.adapters.sqlite import jobs as queue
from yiku.adapters.sqlite import pages
from yiku.adapters.sqlite import partitions as directory
from yiku.adapters.sqlite.check import check_store
from yiku.adapters.sqlite.checkpoints import Checkpoints
from yiku.adapters.sqlite.connections import open_connection, transaction, translated_errors
from yiku.adapters.sqlite.migrations import migrate
from yiku.adapters.sqlite.readers import Readers
from yiku.adapters.sqlite.snapshot import SqliteSnapshot
from yiku.adapters.sqlite.tokeniser import renew_terms
from yiku.adapters.sqlite.writer import Writer
from yiku.engine.cache import IndexCache
from yiku.engine.calls import RunningCalls
from yiku.engine.candidates import find_candidates
from yiku.engine.records import PreparedPut, prepared
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

DATABASE_FILE = "yiku.db"
_PREPARED_INLINE_CHARACTERS = 200
"""Text that is cut into words faster than a thread could be asked to do it."""
_CHECK_DEADLINE_S = 3_600.0
"""A check reads everything; it may take long, but not for ever."""

T = TypeVar("T")


async def open_sqlite(folder: Path, *, clock: Clock, limits: Limits, cache_bytes: int = 512 * 2**20) -> SqliteStorage:
    """Open the store in this folder, making or updating it first. It belongs to the running event loop.

    Raises `StorageUnavailable` when the folder or file cannot be used, with what to do about it. After a change of the
    tokeniser this takes as long as reading every text.
    """
    path = folder / DATABASE_FILE
    connection = await asyncio.to_thread(_opened, path)
    return SqliteStorage(path, connection, clock=clock, limits=limits, cache_bytes=cache_bytes)


def _opened(path: Path) -> apsw.Connection:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made here, because SQLite would let everybody read it; its log takes over the permissions.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StorageUnavailable(f"The data folder {path.parent} cannot be used: {error.strerror}.") from error
    with translated_errors(), _alone(path.parent), ExitStack() as undone:
        connection = open_connection(path, read_only=False)
        undone.callback(connection.close)
        migrate(connection)
        renew_terms(connection)
        undone.pop_all()
    return connection


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time opens a folder: SQLite refuses a second that turns the log on at the same moment."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class SqliteStorage:
    """See `yiku.ports.storage.Storage` for what each call promises."""

    def __init__(
        self, path: Path, connection: apsw.Connection, *, clock: Clock, limits: Limits, cache_bytes: int
    ) -> None:
        self._path = path
        self._clock = clock
        self._limits = limits
        self._cache = IndexCache(cache_bytes)
        self._signal = JobSignal()
        self._calls = RunningCalls()
        self._checkpoints = Checkpoints(path, connection)
        self._writer = Writer(connection, clock, path=path, deadline_s=limits.storage_deadline_s)
        self._readers = Readers(path, deadline_s=limits.storage_deadline_s)

    @property
    def cache_bytes_held(self) -> int:
        """What the indexes in memory take, by estimate."""
        return self._cache.bytes_held

    async def commit(self, changes: Changes) -> None:
        with self._calls.running():
            puts = await self._prepared(changes.puts)
            await self._writer.run(lambda transaction: changing.apply_changes(transaction, changes, puts, self._limits))
            if changes.enqueues or changes.finishes:
                self._signal.set()

    async def _prepared(self, records: Sequence[Record]) -> list[PreparedPut]:
        """Words are cut and vectors rounded before the one writer, who then has only SQL to do."""
        if sum(len(record.text or "") for record in records) <= _PREPARED_INLINE_CHARACTERS:
            return prepared(records)
        return await self._readers.run(lambda _: prepared(records))

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
        def search(connection: apsw.Connection, now: int) -> list[Chosen[PlacedT]]:
            snapshot = SqliteSnapshot(connection, now=now)
            indexes = self._cache.indexes(query.partitions, query.kind, snapshot.news)
            return find_candidates(snapshot, indexes, query, choose, now=now)

        return await self._read(search)

    async def scan(self, partition: Partition, *, after: int = 0, limit: int = 1000) -> list[Change]:
        return await self._read(
            lambda connection, now: pages.changes_since(connection, partition, after=after, limit=limit, now=now)
        )

    async def drop(self, partition: Partition) -> int:
        with self._calls.running():
            return await self._writer.run(lambda transaction: directory.drop_partition(transaction, partition))

    async def claim(self, kinds: Sequence[str], *, lease_s: float, limit: int) -> list[Job]:
        with self._calls.running():
            since = self._signal.times_set
            # Workers ask again and again while nothing can run, and a long queue takes long to look through: the writer
            # is only troubled when there is something.
            lane = await self._read(lambda connection, now: queue.next_lane(connection, kinds, self._limits, now=now))
            if lane is not None:
                claimed = await self._writer.run(
                    lambda transaction: queue.claim_jobs(
                        transaction, kinds, lease_s=lease_s, limit=limit, limits=self._limits
                    )
                )
                if claimed:
                    return claimed
            self._signal.nothing_found(since=since)
            return []

    async def renew(self, jobs: Sequence[Job], *, lease_s: float) -> None:
        with self._calls.running():
            await self._writer.run(lambda transaction: queue.renew_leases(transaction, jobs, lease_s=lease_s))

    async def release(
        self, jobs: Sequence[Job], *, delay_s: float, error: str | None, count_attempt: bool = True
    ) -> None:
        with self._calls.running():
            await self._writer.run(
                lambda transaction: queue.release_jobs(
                    transaction, jobs, delay_s=delay_s, error=error, count_attempt=count_attempt
                )
            )
            self._signal.set()

    async def job(self, id: str) -> Job | None:
        return await self._read(lambda connection, now: queue.job_with_id(connection, id, now=now))

    async def jobs(self, *, after: int = 0, limit: int = 100) -> list[Job]:
        return await self._read(lambda connection, now: queue.list_jobs(connection, after=after, limit=limit, now=now))

    async def end_back_off(self, id: str) -> bool:
        with self._calls.running():
            ended = await self._writer.run(lambda transaction: queue.end_back_off(transaction, id))
            self._signal.set()
            return ended

    async def queue_state(self) -> QueueState:
        return await self._read(lambda connection, now: queue.queue_state(connection, now=now))

    async def wait_for_jobs(self, *, timeout_s: float) -> None:
        with self._calls.running():
            await self._signal.wait(timeout_s)

    async def check(self) -> Health:
        with self._calls.running():
            return await self._readers.run(
                lambda connection: check_store(connection, self._path), deadline_s=_CHECK_DEADLINE_S
            )

    async def close(self) -> None:
        self._signal.set()
        if await self._calls.end():
            await self._readers.close()
            await asyncio.to_thread(self._checkpoints.close)
            await self._writer.close()

    async def _read(self, question: Callable[[apsw.Connection, int], T]) -> T:
        def answer(connection: apsw.Connection) -> T:
            with transaction(connection, "DEFERRED"):
                return question(connection, self._now())

        with self._calls.running():
            return await self._readers.run(answer)

    def _now(self) -> int:
        return microseconds(self._clock.now())
