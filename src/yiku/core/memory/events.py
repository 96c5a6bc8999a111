"""What became of an add."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from yiku.core.memory.reconcile import DELETED
from yiku.core.memory.records import EVENT, MEMORY, event_of
from yiku.core.memory.sight import seen
from yiku.model.errors import NotFound
from yiku.model.memories import Decision, Event, EventState
from yiku.model.principal import Principal
from yiku.ports import Ports


async def event_status(ports: Ports, principal: Principal, event_id: str) -> Event:
    """The event as it stands; RUNNING while a worker holds its job. `NotFound` for an id that is not the caller's."""
    principal.require("memory:read")
    missing = NotFound(f"There is no event {event_id}: use the event_id that the add returned", field="event_id")
    partition, record = await seen(ports, principal, EVENT, event_id, missing)
    event = event_of(record, partition)
    if event.decisions:
        return await _without_deleted(ports, event)
    if event.state is EventState.PENDING:
        job = await ports.storage.job(event_id)
        if job is not None and job.lease is not None:
            return replace(event, state=EventState.RUNNING)
    return event


async def _without_deleted(ports: Ports, event: Event) -> Event:
    """What was deleted must not be read here either: its words leave the decision, which stays."""
    ids = dict.fromkeys(
        named for decision in event.decisions for named in (decision.memory_id, decision.old_id) if named
    )
    kept = {record.id for record in await ports.storage.get(event.scope.partition, MEMORY, list(ids))}
    return replace(event, decisions=tuple(_shown(decision, kept) for decision in event.decisions))


def _shown(decision: Decision, kept: AbstractSet[str]) -> Decision:
    if decision.memory_id is not None and decision.memory_id not in kept:
        decision = replace(decision, text=DELETED)
    if decision.old_id is not None and decision.old_id not in kept:
        decision = replace(decision, old_text=DELETED)
    return decision
