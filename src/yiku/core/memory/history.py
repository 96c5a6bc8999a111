"""What a memory said before it was corrected, and the other values that its slot has had.

What was corrected lives in the memory itself: a correction and the words it replaces are one record, written or deleted
together, exported and restored together. So it must stay small. A value that changed over time is a memory of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from yiku.core.memory.read import find_memory
from yiku.core.memory.records import MEMORY, memory_of, slot_field
from yiku.core.memory.timeline import in_time
from yiku.model.conditions import Eq
from yiku.model.memories import Memory, Revision
from yiku.model.metadata import canonical_json
from yiku.model.principal import Principal
from yiku.model.records import PageQuery, Record
from yiku.ports import Ports

REVISIONS_KEPT = 20
"""More than anybody corrects by hand; an agent that rewrites a memory every day shall not make it grow for ever."""
REVISIONS_BYTES = 64 * 1024
"""Searches read the whole record: with its history it is at most about twice as large as without."""
VALUES_SHOWN = 100
"""The latest ones: nobody moves house more often."""


def revised(before: Memory, after: Memory) -> Memory:
    """`after`, remembering what `before` said if that differs."""
    if (before.text, before.metadata) == (after.text, after.metadata):
        return after
    told = (*before.revisions, Revision(text=before.text, metadata=before.metadata, replaced=after.updated))
    kept = told[-REVISIONS_KEPT:]
    while kept and sum(_size(revision) for revision in kept) > REVISIONS_BYTES:
        kept = kept[1:]
    dropped = before.revisions_dropped + len(told) - len(kept)
    return replace(after, revisions=kept, revisions_dropped=dropped)


@dataclass(frozen=True, slots=True)
class History:
    """A memory with its corrections, and all that has answered the same question, itself among it, in time."""

    memory: Memory
    values: tuple[Memory, ...]


async def memory_history(ports: Ports, principal: Principal, memory_id: str) -> History:
    """`NotFound` for an id that does not exist or is not the caller's."""
    principal.require("memory:read")
    memory = await find_memory(ports, principal, memory_id)
    partition = memory.scope.partition
    if memory.slot is None:
        linked = [*memory.supersedes, *((memory.superseded_by,) if memory.superseded_by else ())]
        records: Iterable[Record] = await ports.storage.get(partition, MEMORY, linked) if linked else ()
    else:
        where = Eq("slot", slot_field(memory.slot.key))
        query = PageQuery(partitions=(partition,), kind=MEMORY, where=where, limit=VALUES_SHOWN)
        records = (await ports.storage.page(query)).records
    values = {memory.id: memory} | {record.id: memory_of(record, partition) for record in records}
    return History(memory, tuple(sorted(values.values(), key=in_time)))


def _size(revision: Revision) -> int:
    return len(revision.text.encode()) + len(canonical_json(revision.metadata).encode())
