"""Adds that were not digested when they were exported: they are digested where they arrive."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from yiku.core.memory.add import digest_job
from yiku.core.memory.records import EVENT, event_of
from yiku.core.transfer.arrivals import Arrival
from yiku.model.errors import Conflict
from yiku.model.memories import Event, EventState
from yiku.model.records import Changes, Expectation, Ref
from yiku.model.scopes import Partition
from yiku.ports import Ports

_JOBS_AT_ONCE = 200
_TRIES = 5


class UnfinishedAdds:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._pending: dict[Partition, list[str]] = defaultdict(list)

    def note(self, arrivals: Iterable[Arrival]) -> None:
        """Remember the pending ones. What became of one may be told by a later line, so nothing is done yet."""
        for arrival in arrivals:
            if _is_pending(arrival):
                self._pending[arrival.partition].append(arrival.ref.id)

    async def requeue(self) -> tuple[int, int]:
        """Enqueue those that are still pending and have no job. Of two numbers, the second is of those that have one
        elsewhere in this store."""
        requeued = elsewhere = 0
        for partition, ids in self._pending.items():
            for start in range(0, len(ids), _JOBS_AT_ONCE):
                mine, others = await self._requeue(partition, ids[start : start + _JOBS_AT_ONCE])
                requeued, elsewhere = requeued + mine, elsewhere + others
        self._pending.clear()
        return requeued, elsewhere

    async def _requeue(self, partition: Partition, ids: Sequence[str]) -> tuple[int, int]:
        for _ in range(_TRIES):
            lost, elsewhere = await self._without_job(partition, ids)
            expects = tuple(Expectation(Ref(EVENT, event.id), event.version) for event in lost)
            jobs = tuple(digest_job(event) for event in lost)
            try:
                await self._ports.storage.commit(Changes(partition=partition, expects=expects, enqueues=jobs))
                return len(lost), elsewhere
            except Conflict:
                continue  # A worker finished one of them, or another import was faster: look again.
        raise Conflict("The adds of a user kept changing while they were imported: run the same import again")

    async def _without_job(self, partition: Partition, ids: Sequence[str]) -> tuple[list[Event], int]:
        lost, elsewhere = [], 0
        for record in await self._ports.storage.get(partition, EVENT, ids):
            event = event_of(record, partition)
            if event.state is EventState.PENDING:
                job = await self._ports.storage.job(event.id)
                if job is None:
                    lost.append(event)
                elif job.partition != partition:
                    elsewhere += 1
        return lost, elsewhere


def _is_pending(arrival: Arrival) -> bool:
    if arrival.ref.kind != EVENT or arrival.record is None:
        return False
    return event_of(arrival.record, arrival.partition).state is EventState.PENDING
