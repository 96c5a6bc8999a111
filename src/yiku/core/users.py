"""The users of a workspace: how much there is of each, and how all of one goes away."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime

from yiku.core.audit import audited
from yiku.core.memory.records import EVENT, MEMORY, MESSAGE
from yiku.model.principal import Principal
from yiku.model.records import PageQuery, RecordPage
from yiku.model.scopes import Partition, user_of, user_partition
from yiku.ports import Ports


@dataclass(frozen=True, kw_only=True, slots=True)
class UserSummary:
    """`last_add` is when something was last added; None where no event is left of it."""

    user_id: str
    memories: int
    messages: int
    events: int
    last_add: datetime | None


async def list_users(ports: Ports, principal: Principal, *, after: str, limit: int) -> list[UserSummary]:
    """Users of the principal's workspace with their counts, by id; `after` is the last one of the page before."""
    principal.require("admin")
    nobody = user_partition(principal.workspace, "").owner
    begin = user_partition(principal.workspace, after).owner
    partitions = await ports.storage.partitions(principal.workspace, nobody, after=begin, limit=limit)
    return [await _summary(ports, partition) for partition in partitions]


async def delete_user(ports: Ports, principal: Principal, user_id: str) -> int:
    """Everything of this user, what still waits to be digested too. How many records there were.

    The audit log keeps the id of the user for its time: it must be able to say who was deleted.
    """
    principal.require("memory:write")
    principal.require_user(user_id)
    partition = user_partition(principal.workspace, user_id)
    if partition not in await ports.storage.partitions(principal.workspace, partition.owner, limit=1):
        return 0
    async with audited(ports, principal, "user.delete", workspace=principal.workspace, subject=user_id):
        return await ports.storage.drop(partition)


async def _summary(ports: Ports, partition: Partition) -> UserSummary:
    async def page(kind: str) -> RecordPage:
        return await ports.storage.page(PageQuery(partitions=(partition,), kind=kind, limit=1))

    memories, messages, events = await asyncio.gather(page(MEMORY), page(MESSAGE), page(EVENT))
    return UserSummary(
        user_id=user_of(partition),
        memories=memories.count,
        messages=messages.count,
        events=events.count,
        last_add=events.records[0].created if events.records else None,
    )
