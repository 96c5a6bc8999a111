"""Originals as records of the store: one place to back up, and every process of a cluster reads them.

An original is cut into parts, so that nobody's commit waits long behind one. The parts and the head of one put share a
token that no other put has; the id of the original is the unique key of its head, so there is one head at most. It is
written last, and only if every part is still there: whoever clears parts away makes a put under way start again, and
harms nothing. Parts of a head that may be visible are only deleted together with it.
"""

from __future__ import annotations

import asyncio
import hashlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from math import ceil

from yiku.model.conditions import EVERYTHING, And, Condition, Eq, Not
from yiku.model.errors import Conflict, StorageUnavailable, TooLarge
from yiku.model.records import Changes, Expectation, PageQuery, Record, Ref
from yiku.model.scopes import Partition
from yiku.ports.clock import Clock
from yiku.ports.objects import ORIGINAL, ORIGINAL_PART
from yiku.ports.storage import Storage

HEAD, PART = ORIGINAL, ORIGINAL_PART

_PART_BYTES = 1024 * 1024
_PARTS_AT_ONCE = 2
"""In one commit or read: with base64 some 3 MB."""
_REFS_AT_ONCE = 64
"""Parts that one commit deletes without reading them."""
_HEADS_AT_ONCE = 100
_TRIES = 5
"""Against somebody who replaces or deletes the same original at the same moment."""


@dataclass(frozen=True, slots=True)
class _Head:
    """What the head of an original says; the token is the id of its record."""

    token: str
    parts: int
    digest: str

    def part_ids(self) -> list[str]:
        return [f"{self.token}/{number}" for number in range(self.parts)]

    def refs(self) -> list[Ref]:
        """The head first: what is deleted in several commits is invisible after the first of them."""
        return [Ref(HEAD, self.token), *(Ref(PART, part_id) for part_id in self.part_ids())]


class ObjectsInStore:
    def __init__(
        self, storage: Storage, clock: Clock, *, bytes_max: int = 100 * 1024 * 1024, part_bytes: int = _PART_BYTES
    ) -> None:
        self._storage = storage
        self._clock = clock
        self._bytes_max = bytes_max
        self._part_bytes = part_bytes

    async def put(self, partition: Partition, id: str, content: bytes) -> None:
        if len(content) > self._bytes_max:
            raise TooLarge(f"The file is larger than {self._bytes_max} bytes, the most that is kept.", field="content")
        # A tenth of a second for the largest: not on the event loop.
        digest = await asyncio.to_thread(_digest, content)
        for _ in range(_TRIES):
            head = await self._head(partition, id)
            if head is None or head.digest != digest:
                head = await self._replace(partition, id, content, digest, replaced=head)
            if head is not None:
                return await self._clear_others(partition, id, head)
        raise Conflict(f"The original {id} is replaced or deleted by somebody else at this moment: try again.")

    async def get(self, partition: Partition, id: str) -> bytes | None:
        for _ in range(_TRIES):
            head = await self._head(partition, id)
            if head is None:
                return None
            content = await self._read_parts(partition, head)
            if content is not None:
                if await asyncio.to_thread(_digest, content) != head.digest:
                    raise _damaged(id)
                return content
            if head == await self._head(partition, id):  # Nobody has replaced it meanwhile.
                raise _damaged(id)
        raise Conflict(f"The original {id} is replaced all the time: try again.")

    async def delete(self, partition: Partition, ids: Sequence[str]) -> None:
        for original in ids:
            head = await self._head(partition, original)
            await self._delete(partition, head.refs() if head else [])
            await self._clear(partition, Eq("of", original))

    async def drop(self, partition: Partition) -> None:
        query = PageQuery(partitions=(partition,), kind=HEAD, limit=_HEADS_AT_ONCE)
        while heads := (await self._storage.page(query)).records:
            for head in heads:
                await self._delete(partition, _head_of(head).refs())
        await self._clear(partition, EVERYTHING)

    async def _head(self, partition: Partition, id: str) -> _Head | None:
        found = await self._storage.find(partition, HEAD, [id])
        return _head_of(found[0]) if found else None

    async def _replace(
        self, partition: Partition, id: str, content: bytes, digest: str, *, replaced: _Head | None
    ) -> _Head | None:
        """The new head, or None when somebody else was faster."""
        head = _Head(self._clock.new_id("original-"), ceil(len(content) / self._part_bytes), digest)
        for first in range(0, head.parts, _PARTS_AT_ONCE):
            numbers = range(first, min(first + _PARTS_AT_ONCE, head.parts))
            puts = tuple(self._part(id, head, number, content) for number in numbers)
            await self._storage.commit(Changes(partition=partition, puts=puts))
        try:
            await self._write_head(partition, id, head, replaced=replaced)
        except Conflict:
            await self._delete(partition, head.refs())
            return None
        await self._delete(partition, replaced.refs() if replaced else [])
        return head

    def _part(self, id: str, head: _Head, number: int, content: bytes) -> Record:
        piece = content[number * self._part_bytes : (number + 1) * self._part_bytes]
        now = self._clock.now()
        return Record(
            kind=PART,
            id=head.part_ids()[number],
            created=now,
            updated=now,
            fields={"of": id, "token": head.token},
            body={"base64": b64encode(piece).decode("ascii")},
        )

    async def _write_head(self, partition: Partition, id: str, head: _Head, *, replaced: _Head | None) -> None:
        """Raises `Conflict` when a part is gone, or the head is not the one that was there before."""
        now = self._clock.now()
        body = {"parts": head.parts, "digest": head.digest}
        record = Record(kind=HEAD, id=head.token, unique_key=id, created=now, updated=now, body=body)
        old = () if replaced is None else (Ref(HEAD, replaced.token),)
        expects = tuple(Expectation(ref, 1) for ref in (*old, *head.refs()[1:]))
        await self._storage.commit(Changes(partition=partition, expects=expects, deletes=old, puts=(record,)))

    async def _read_parts(self, partition: Partition, head: _Head) -> bytes | None:
        """None when one of them is not there."""
        # Grows without being copied; joining 100 MB at the end would hold up the event loop.
        content = BytesIO()
        for first in range(0, head.parts, _PARTS_AT_ONCE):
            wanted = head.part_ids()[first : first + _PARTS_AT_ONCE]
            found = await self._storage.get(partition, PART, wanted)
            if len(found) < len(wanted):
                return None
            content.writelines(b64decode(part.body["base64"]) for part in found)
        return content.getvalue()

    async def _clear_others(self, partition: Partition, id: str, head: _Head) -> None:
        """What cut puts of this id have left, as long as the head is this one: no other can be visible then."""
        others = And((Eq("of", id), Not(Eq("token", head.token))))
        with suppress(Conflict):
            await self._clear(partition, others, expects=(Expectation(Ref(HEAD, head.token), 1),))

    async def _clear(self, partition: Partition, where: Condition, *, expects: tuple[Expectation, ...] = ()) -> None:
        """Delete the parts that meet the condition, each with the head that may have come meanwhile."""
        query = PageQuery(partitions=(partition,), kind=PART, where=where, limit=_PARTS_AT_ONCE)
        # A page brings whole parts: it is small, and only asked for when there are any.
        if (await self._storage.page(replace(query, limit=0))).count == 0:
            return
        while parts := (await self._storage.page(query)).records:
            heads = {Ref(HEAD, part.id.rpartition("/")[0]) for part in parts}
            deletes = (*heads, *(Ref(PART, part.id) for part in parts))
            await self._storage.commit(Changes(partition=partition, expects=expects, deletes=deletes))

    async def _delete(self, partition: Partition, refs: Sequence[Ref]) -> None:
        for first in range(0, len(refs), _REFS_AT_ONCE):
            deletes = tuple(refs[first : first + _REFS_AT_ONCE])
            await self._storage.commit(Changes(partition=partition, deletes=deletes))


def _head_of(record: Record) -> _Head:
    return _Head(record.id, **record.body)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _damaged(id: str) -> StorageUnavailable:
    return StorageUnavailable(f"The original {id} is damaged in the store: restore a backup, or upload it again.")
