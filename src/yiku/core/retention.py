"""Forget messages and events that are older than the settings allow.

By looking for what is old, and not by an expiry written down at the time, so that a setting that changes holds for what
was there before. One process at a time looks through all workspaces; each commit is small, so that adds go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict
from datetime import datetime, timedelta

import structlog

from yiku.core.memory.records import EVENT, MESSAGE
from yiku.core.workspaces import list_workspaces
from yiku.model.conditions import EVERYTHING, Condition, Eq, Not
from yiku.model.errors import Conflict, KeyTaken
from yiku.model.memories import EventState
from yiku.model.principal import Principal
from yiku.model.records import Changes, Expectation, PageQuery, Record, Ref
from yiku.model.retention import Retention
from yiku.model.scopes import DEFAULT_WORKSPACE, SYSTEM_PARTITION, Partition
from yiku.ports import Ports

log = structlog.get_logger()

_TURN = "retention_turn"
EVERY = timedelta(hours=1)
"""How often old things are looked for; they were kept for days, so an hour more is no matter."""
_AT_ONCE = 200
_PARTITIONS_AT_ONCE = 100
_WORKSPACES_AT_ONCE = 100
_SWEEPER = Principal(key_id="retention", workspace=DEFAULT_WORKSPACE, permissions=frozenset({"admin"}))
_PENDING: Condition = Eq("state", EventState.PENDING.value)


async def forget_when_due(ports: Ports, retention: Retention, stop: asyncio.Event) -> int:
    """Forget what is old, unless a process has done so within the hour, or is doing it. How many records went.

    Ends early when `stop` is set; the next turn takes up the rest.
    """
    turn = _Turn(ports)
    if retention.is_for_ever or not await turn.take():
        return 0
    forgotten = 0
    async for partition in _partitions(ports):
        if stop.is_set():
            break
        await turn.keep()
        forgotten += await _forget_old(ports, partition, retention)
    if forgotten:
        log.info("forgotten", records=forgotten, **asdict(retention))
    return forgotten


class _Turn:
    """Whose turn it is: a record with a unique key, which nobody else can take before it expires."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._id = ports.clock.new_id("turn-")
        self._taken: datetime | None = None

    async def take(self) -> bool:
        """Whether it is ours now. Nobody gets it for an hour, us included: that is how often old things are sought."""
        now = self._ports.clock.now()
        record = Record(
            kind=_TURN, id=self._id, unique_key=_TURN, created=now, updated=now, expires=now + EVERY, body={}
        )
        try:
            await self._ports.storage.commit(Changes(partition=SYSTEM_PARTITION, puts=(record,)))
        except KeyTaken:
            return False
        self._taken = now
        return True

    async def keep(self) -> None:
        """While the work lasts longer than half the time that we have, take it for longer."""
        if self._taken is not None and self._ports.clock.now() - self._taken > EVERY / 2:
            await self.take()


async def _forget_old(ports: Ports, partition: Partition, retention: Retention) -> int:
    """The old messages and finished events of one user. What still waits to be digested stays whole."""
    now = ports.clock.now()
    forgotten = 0
    if retention.message_days:
        before = now - timedelta(days=retention.message_days)
        pending = await _oldest(ports, partition, EVENT, _PENDING, limit=1)
        # The messages of an add are as old as its event, and a digest needs them.
        needed = min([before, *(event.created for event in pending)])
        forgotten += await _forget(ports, partition, MESSAGE, EVERYTHING, needed)
    if retention.event_days:
        before = now - timedelta(days=retention.event_days)
        forgotten += await _forget(ports, partition, EVENT, Not(_PENDING), before)
    return forgotten


async def _forget(ports: Ports, partition: Partition, kind: str, where: Condition, before: datetime) -> int:
    forgotten = 0
    while old := [record for record in await _oldest(ports, partition, kind, where) if record.created < before]:
        # An event that is tried again at this moment is not finished any more, and stays.
        expects = tuple(Expectation(Ref(kind, record.id), record.version) for record in old)
        deletes = tuple(Ref(kind, record.id) for record in old)
        try:
            await ports.storage.commit(Changes(partition=partition, expects=expects, deletes=deletes))
        except Conflict:
            continue
        forgotten += len(old)
    return forgotten


async def _oldest(
    ports: Ports, partition: Partition, kind: str, where: Condition, *, limit: int = _AT_ONCE
) -> tuple[Record, ...]:
    query = PageQuery(partitions=(partition,), kind=kind, where=where, ascending=True, limit=limit)
    return (await ports.storage.page(query)).records


async def _partitions(ports: Ports) -> AsyncIterator[Partition]:
    async for workspace in _workspaces(ports):
        after = ""
        while found := await ports.storage.partitions(workspace, "user:", after=after, limit=_PARTITIONS_AT_ONCE):
            for partition in found:
                yield partition
            after = found[-1].owner


async def _workspaces(ports: Ports) -> AsyncIterator[str]:
    page = 1
    while found := (await list_workspaces(ports, _SWEEPER, page=page, page_size=_WORKSPACES_AT_ONCE)).workspaces:
        for workspace in found:
            yield workspace.name
        page += 1
