"""Read memories by id or by exact conditions, without ranking."""

from __future__ import annotations

from yiku.core.memory.records import MEMORY, memory_of
from yiku.core.memory.sight import seen
from yiku.core.memory.validity import current
from yiku.model.conditions import And
from yiku.model.errors import InvalidInput, NotFound
from yiku.model.memories import ListMemories, Memory, MemoryPage
from yiku.model.principal import Principal
from yiku.model.records import PageQuery
from yiku.ports import Ports


async def get_memory(ports: Ports, principal: Principal, memory_id: str) -> Memory:
    """`NotFound` for an id that does not exist or is not the caller's: the two look alike."""
    principal.require("memory:read")
    return await find_memory(ports, principal, memory_id)


async def find_memory(ports: Ports, principal: Principal, memory_id: str) -> Memory:
    """The memory with this id, whatever the caller wants to do with it."""
    missing = NotFound(f"There is no memory {memory_id}: search or list to find the ids there are", field="memory_id")
    partition, record = await seen(ports, principal, MEMORY, memory_id, missing)
    return memory_of(record, partition)


async def list_memories(ports: Ports, principal: Principal, query: ListMemories) -> MemoryPage:
    """One page, newest first, with the exact count of all that match."""
    principal.require("memory:read")
    principal.require_user(query.scope.user_id)
    offset = (query.page - 1) * query.page_size
    if offset >= ports.limits.page_window:
        raise InvalidInput(
            f"page × page_size reaches past the first {ports.limits.page_window} memories: narrow the filters instead",
            field="page",
        )
    partition = query.scope.partition
    page = await ports.storage.page(
        PageQuery(
            partitions=(partition,),
            kind=MEMORY,
            where=And((query.where, current(now=ports.clock.now(), as_of=query.as_of))),
            offset=offset,
            limit=min(query.page_size, ports.limits.page_window - offset),
        )
    )
    return MemoryPage(page.count, tuple(memory_of(record, partition) for record in page.records))
