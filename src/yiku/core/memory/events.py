"""What became of an add."""

from __future__ import annotations

from dataclasses import replace

from yiku.core.memory.records import EVENT, MEMORY, event_of
from yiku.core.memory.sight import seen
from yiku.model.errors import NotFound
from yiku.model.memories import Event, EventState
from yiku.model.principal import Principal
from yiku.ports import Ports

DELETED = "(deleted)"


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
    ids = [decision.memory_id for decision in event.decisions if decision.memory_id]
    kept = {record.id for record in await ports.storage.get(event.scope.partition, MEMORY, ids)}
    return replace(
        event,
        decisions=tuple(
            decision if decision.memory_id is None or decision.memory_id in kept else replace(decision, text=DELETED)
            for decision in event.decisions
        ),
    )
