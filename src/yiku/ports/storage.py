"""The storage port: a partitioned record store with hybrid search. This text and `tests/contract` define an engine.

**Atomic and durable.** When `commit` or `drop` returns, the change is on disk (it survives kill −9 and power loss) and
visible to every later read of every process on the store. When it raises anything but a lost connection, nothing
happened. Readers never wait for writers and see each commit whole or not at all.

**Isolation.** Every read but those that cross partitions by design (`locate`, `holders`, `partitions`, the job calls)
names its partitions and sees nothing else; statistics are those of the named partitions and the kind.

**Expiry.** A record whose `expires` has passed is treated as absent by every read from that moment.

**Errors.** `Conflict` and its children, `QueueFull`, `StorageUnavailable`; never a driver's own. "Nothing found" is an
empty answer; "broken" is always an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from yiku.model.jobs import Job, QueueState
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


class Storage(Protocol):
    async def commit(self, changes: Changes) -> None:
        """Apply one transaction (see `Changes`).

        Raises `Conflict` when an expectation fails, `KeyTaken` when a put would give a unique key of the partition and
        kind to a second id, `LeaseLost` when a finished job is not leased to us any more, `QueueFull` when the queue
        has no room for the enqueued jobs. Several commits may share one disk flush; a refused one does not touch the
        others.
        """
        ...

    async def get(self, partition: Partition, kind: str, ids: Sequence[str]) -> list[Record]:
        """The records with these ids, in the order asked; those that do not exist are left out."""
        ...

    async def find(self, partition: Partition, kind: str, unique_keys: Sequence[str]) -> list[Record]:
        """The records that hold these unique keys, in the order asked; missing ones are left out."""
        ...

    async def locate(self, workspace: str, kind: str, id: str) -> tuple[Partition, Record] | None:
        """The record with this id, wherever in this workspace it lives. Only for ids that we made: they are unique."""
        ...

    async def holders(self, workspace: str, kind: str, ids: Sequence[str]) -> list[tuple[str, Partition]]:
        """Those of these ids that exist in this workspace, each with where; in no promised order, in one trip."""
        ...

    async def partitions(self, workspace: str, prefix: str, *, after: str = "", limit: int = 100) -> list[Partition]:
        """Partitions whose owner starts with `prefix` and comes after `after`, in code point order; empty ones too."""
        ...

    async def page(self, query: PageQuery) -> RecordPage:
        """A page of records and the exact count of all that match."""
        ...

    async def candidates(self, query: CandidateQuery, choose: Choose[PlacedT]) -> list[Chosen[PlacedT]]:
        """The hits that `choose` picks among what the arms found, in its order, with their rows; all in one trip.

        The arm of words brings the `limit` records with the highest `ranking.word_score` above 0 for the terms that
        `TermStatistics` describes; that of vectors the `limit` nearest by cosine among those with a vector of the
        query's model; two more do so by the conversation around each record. Ties go to the newer record, then to the
        one that was stored later. The condition holds for every hit and is applied before the cut.
        """
        ...

    async def scan(self, partition: Partition, *, after: int = 0, limit: int = 1000) -> list[Change]:
        """What changed after sequence number `after`, in order; each record once, in its present state, with embedding.

        A sequence number never appears below one that this partition has already shown to anybody, even if it was
        dropped and made anew. Numbers of different partitions say nothing about each other.
        """
        ...

    async def drop(self, partition: Partition) -> int:
        """Delete the partition with all that belongs to it, its jobs too. Returns how many records there were."""
        ...

    async def claim(self, kinds: Sequence[str], *, lease_s: float, limit: int) -> list[Job]:
        """Lease the next jobs of **one** lane, at most `limit`, oldest first; empty when nothing can run.

        A lane with a leased job is busy. An expired lease makes its job claimable again. A job in back-off holds up
        its lane while it has had fewer tries than `Limits.job_attempts_in_line`; after that, later ones pass. Lanes
        are served in the order of their oldest claimable job.
        """
        ...

    async def renew(self, jobs: Sequence[Job], *, lease_s: float) -> None:
        """Extend our leases from now. Raises `LeaseLost` when one of them is not ours any more."""
        ...

    async def release(
        self, jobs: Sequence[Job], *, delay_s: float, error: str | None, count_attempt: bool = True
    ) -> None:
        """Give jobs back, claimable after `delay_s`. A graceful stop is not a try; lost leases are ignored."""
        ...

    async def job(self, id: str) -> Job | None:
        """A job that waits or runs; None once it is finished."""
        ...

    async def jobs(self, *, after: int = 0, limit: int = 100) -> list[Job]:
        """Jobs that wait or run, oldest first, those with a `number` above `after`."""
        ...

    async def end_back_off(self, id: str) -> bool:
        """Make a waiting job claimable at once. False when none with this id waits."""
        ...

    async def queue_state(self) -> QueueState:
        """For metrics and for saying when to come back."""
        ...

    async def wait_for_jobs(self, *, timeout_s: float) -> None:
        """Return when jobs may have become claimable, or after the timeout. A wake-up is a hint, not a promise."""
        ...

    async def check(self) -> Health:
        """Verify the store's own integrity, in full; slow on a large one."""
        ...

    async def close(self) -> None:
        """Let running calls end, then release every resource. Calling it twice is fine."""
        ...
