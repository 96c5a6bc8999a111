"""Delete the memories of a user that meet a condition, all in one transaction."""

from __future__ import annotations

from contextlib import suppress

from yiku.core.audit import audited
from yiku.core.memory.records import MEMORY
from yiku.model.errors import Conflict, TooLarge
from yiku.model.memories import DeleteMemories
from yiku.model.principal import Principal
from yiku.model.records import Changes, Expectation, PageQuery, Ref
from yiku.ports import Ports

READ_AT_ONCE = 1_000
"""Records that are held in memory together: all that is wanted of them is their ids and versions."""
TRIES_AFTER_CONFLICT = 5


async def delete_memories(ports: Ports, principal: Principal, query: DeleteMemories, *, dry_run: bool) -> int:
    """How many memories are gone, or, in a dry run, would be. Deleting none is no error.

    All or nothing: more than `Limits.page_window` are refused, because one transaction holds up every other. Raises
    `Conflict` when the memories kept changing meanwhile.
    """
    principal.require("memory:write")
    principal.require_user(query.scope.user_id)
    if dry_run:
        return (await ports.storage.page(_page(query, offset=0, limit=0))).count
    async with audited(
        ports, principal, "memory.delete_by_filter", workspace=query.scope.workspace, subject=query.scope.user_id
    ):
        return await _delete(ports, query)


async def _delete(ports: Ports, query: DeleteMemories) -> int:
    for _ in range(TRIES_AFTER_CONFLICT):
        with suppress(Conflict):  # One of them changed and may not meet the condition any more: look again.
            return await _delete_once(ports, query)
    raise Conflict("The memories kept changing while they were being deleted: try again")


async def _delete_once(ports: Ports, query: DeleteMemories) -> int:
    doomed = await _matching(ports, query)
    if doomed:
        expects = tuple(Expectation(ref, version) for ref, version in doomed.items())
        await ports.storage.commit(Changes(partition=query.scope.partition, expects=expects, deletes=tuple(doomed)))
    return len(doomed)


async def _matching(ports: Ports, query: DeleteMemories) -> dict[Ref, int]:
    """All that match, with their versions."""
    most, found = ports.limits.page_window, dict[Ref, int]()
    for offset in range(0, most, READ_AT_ONCE):
        page = await ports.storage.page(_page(query, offset=offset, limit=READ_AT_ONCE))
        if page.count > most:
            raise TooLarge(
                f"filters match {page.count} memories; at most {most} are deleted at once: narrow them", field="filters"
            )
        found |= {Ref(MEMORY, record.id): record.version for record in page.records}
        if len(page.records) < READ_AT_ONCE:
            break
    return found


def _page(query: DeleteMemories, *, offset: int, limit: int) -> PageQuery:
    return PageQuery(partitions=(query.scope.partition,), kind=MEMORY, where=query.where, offset=offset, limit=limit)
