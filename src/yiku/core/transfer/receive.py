"""Take records from elsewhere in, without ever overwriting what is here."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from yiku.core.knowledge.records import DOCUMENT
from yiku.core.memory.digest import embedded
from yiku.core.transfer.arrivals import Arrival, Received
from yiku.core.transfer.documents import ArrivingDocuments
from yiku.core.transfer.unfinished import UnfinishedAdds
from yiku.model.errors import InvalidInput
from yiku.model.records import Changes, Record, Ref
from yiku.model.scopes import Partition, base_of, is_base, user_of
from yiku.ports import Ports

T = TypeVar("T")

_BATCH_BYTES = 4 * 2**20
"""However large the records: a batch is in memory as a whole, and a commit is short for the writer that all share."""


class Receiver:
    """Stores arrivals batch by batch: what a batch holds of one owner is one commit.

    An id names one thing in a workspace, so a batch is first looked up there as a whole.
    """

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._brought: set[int] = set()
        """Digests of what this file has brought in the state that is held: only that may it change again."""
        self._unfinished = UnfinishedAdds(ports)
        self._documents = ArrivingDocuments(ports)
        self._received = Received()

    async def receive(self, arrivals: Sequence[Arrival]) -> Received:
        """Store what is not here yet, and say how far we are. Doing it again changes nothing."""
        parts: dict[Partition, dict[Ref, Arrival]] = defaultdict(dict)
        for arrival in arrivals:
            parts[arrival.partition][arrival.ref] = arrival
        arrived = sum(arrival.record is not None for part in parts.values() for arrival in part.values())
        parts = await self._documents.admitted(parts)
        places = await self._places(parts)
        drafts = await asyncio.gather(*(self._draft(partition, part, places) for partition, part in parts.items()))
        drafts, embedded_here = await self._with_vectors([draft for draft in drafts if draft.puts or draft.deletes])
        await self._commit(drafts)
        self._unfinished.note(arrivals)
        stored = sum(len(draft.puts) for draft in drafts)
        self._received = replace(
            self._received,
            stored=self._received.stored + stored,
            kept=self._received.kept + arrived - stored,
            embedded=self._received.embedded + embedded_here,
        )
        return self._received

    async def finish(self, *, complete: bool) -> Received:
        """What came of it all, once the adds that were not digested are in the queue."""
        requeued, elsewhere = await self._unfinished.requeue()
        documents = await self._documents.finish()
        return replace(
            self._received,
            requeued=requeued,
            waiting_elsewhere=elsewhere,
            documents=documents,
            complete=complete,
        )

    async def _places(self, parts: Mapping[Partition, Mapping[Ref, Arrival]]) -> dict[Ref, set[Partition]]:
        """Where in this workspace each of the batch is by now."""
        places: dict[Ref, set[Partition]] = defaultdict(set)
        workspace = next((partition.workspace for partition in parts), "")
        for kind, ids in _by_kind((ref.kind, ref.id) for part in parts.values() for ref in part).items():
            for record_id, partition in await self._ports.storage.holders(workspace, kind, ids):
                places[Ref(kind, record_id)].add(partition)
        return places

    async def _draft(
        self, partition: Partition, part: Mapping[Ref, Arrival], places: dict[Ref, set[Partition]]
    ) -> Changes:
        held = await self._held(partition, [ref for ref in part if ref in places and partition in places[ref]])
        wanted = [arrival for ref, arrival in part.items() if self._takes_place(arrival, held.get(ref))]
        records = [arrival.record for arrival in wanted if arrival.record is not None]
        for record in records:
            _refuse_foreign(record, partition, places[Ref(record.kind, record.id)])
        return Changes(
            partition=partition,
            deletes=tuple(arrival.ref for arrival in wanted if arrival.record is None),
            puts=tuple(await self._with_free_keys(partition, records)),
        )

    def _takes_place(self, arrival: Arrival, held: Record | None) -> bool:
        """What is here stays, unless this file itself brought it and now tells what became of it."""
        place = hash((arrival.partition, arrival.ref))
        if held is None:
            self._brought.add(place)
            return arrival.record is not None
        if arrival.record is None:
            return place in self._brought
        if arrival.again:
            return place in self._brought and held.updated <= arrival.record.updated
        if held.updated == arrival.record.updated:
            # An earlier run of the same import has brought it.
            self._brought.add(place)
        return False

    async def _held(self, partition: Partition, refs: Iterable[Ref]) -> dict[Ref, Record]:
        held = {}
        for kind, ids in _by_kind((ref.kind, ref.id) for ref in refs).items():
            for record in await self._ports.storage.get(partition, kind, ids):
                held[Ref(kind, record.id)] = record
        return held

    async def _with_free_keys(self, partition: Partition, records: Sequence[Record]) -> list[Record]:
        """What says the same as another memory here comes in beside it, as after an update (`core.memory.edit`)."""
        holders: dict[tuple[str, str], str] = {}
        keyed = ((record.kind, record.unique_key) for record in records if record.unique_key is not None)
        for kind, keys in _by_kind(keyed).items():
            for holder in await self._ports.storage.find(partition, kind, keys):
                holders[kind, str(holder.unique_key)] = holder.id
        return [_with_free_key(record, holders) for record in records]

    async def _with_vectors(self, drafts: Sequence[Changes]) -> tuple[list[Changes], int]:
        """Vectors of another model would never be compared with a question: those texts are embedded here too."""
        texts = [record.text or "" for draft in drafts for record in draft.puts if self._lacks_vector(record)]
        vectors = iter(await embedded(self._ports, texts))

        def whole(record: Record) -> Record:
            return replace(record, embedding=next(vectors)) if self._lacks_vector(record) else record

        return [replace(draft, puts=tuple(map(whole, draft.puts))) for draft in drafts], len(texts)

    def _lacks_vector(self, record: Record) -> bool:
        if record.ready is not None or record.text is None:
            return False
        return record.embedding is None or record.embedding.model != self._ports.embedder.model

    async def _commit(self, drafts: Iterable[Changes]) -> None:
        # At once: the store takes what waits into one flush, and of many users each has little.
        commits = (self._ports.storage.commit(draft) for draft in drafts)
        for outcome in await asyncio.gather(*commits, return_exceptions=True):
            if outcome is not None:
                raise outcome


async def receive_all(receiver: Receiver, batches: AsyncIterator[Sequence[Arrival]]) -> AsyncIterator[Received]:
    """Receive batch by batch. Where reading ends with an `InvalidInput`, what came before is finished properly.

    While one batch is stored the next is read: the store waits for the disk or another machine, and need not for us.
    """
    try:
        batch = await anext(batches, None)
        while batch is not None:
            received, following = await asyncio.gather(receiver.receive(batch), _next(batches), return_exceptions=True)
            yield _or_raise(received)
            batch = _or_raise(following)
    except InvalidInput:
        await receiver.finish(complete=False)
        raise


async def _next(batches: AsyncIterator[Sequence[Arrival]]) -> Sequence[Arrival] | None:
    return await anext(batches, None)


def _or_raise(outcome: T | BaseException) -> T:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


async def in_batches(
    items: Iterable[T], at_once: int, *, size: Callable[[T], int] = lambda _: 0
) -> AsyncIterator[list[T]]:
    """At most `at_once` of them, and no more bytes than a commit should have; taken from their iterator in a thread.

    An `InvalidInput` of the iterator comes after all that came before it.
    """
    batches = _batches(items, at_once, size)
    while (batch := await asyncio.to_thread(next, batches, None)) is not None:
        yield batch


def _batches(items: Iterable[T], at_once: int, size: Callable[[T], int]) -> Iterator[list[T]]:
    batch: list[T] = []
    held = 0
    try:
        for item in items:
            batch.append(item)
            held += size(item)
            if len(batch) == at_once or held > _BATCH_BYTES:
                yield batch
                batch, held = [], 0
    except InvalidInput:
        yield batch
        raise
    yield batch


def _refuse_foreign(record: Record, partition: Partition, places: set[Partition]) -> None:
    """Also what another user of the same batch has just claimed. Ids of documents are chosen within their base."""
    if record.kind == DOCUMENT:
        return
    places.add(partition)
    for other in places - {partition}:
        raise InvalidInput(
            f"{record.id} belongs to {_whose(other)} of the workspace {partition.workspace}, and"
            " an id names one thing in a workspace: delete that first, or import into another workspace"
        )


def _whose(partition: Partition) -> str:
    if is_base(partition):
        return f"the knowledge base {base_of(partition)}"
    return f"the user {user_of(partition)}"


def _with_free_key(record: Record, holders: dict[tuple[str, str], str]) -> Record:
    if record.unique_key is None:
        return record
    holder = holders.setdefault((record.kind, record.unique_key), record.id)
    return record if holder == record.id else replace(record, unique_key=None)


def _by_kind(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = defaultdict(list)
    for kind, name in named:
        kinds[kind].append(name)
    return kinds
