"""What became of an add."""

from __future__ import annotations

from dataclasses import replace

from yiku.core.memory.records import EVENT, event_of
from yiku.model.errors import NotFound
from yiku.model.memories import Event, EventState
from yiku.model.principal import Principal
from yiku.ports import Ports


async def event_status(ports: Ports, principal: Principal, event_id: str) -> Event:
    """The event as it stands; RUNNING while a worker holds its job. `NotFound` for an id that is not the caller's."""
    principal.require("memory:read")
    missing = NotFound(f"There is no event {event_id}: use the event_id that memory_add returned", field="event_id")
    located = await ports.storage.locate(principal.workspace, EVENT, event_id)
    if located is None:
        raise missing
    partition, record = located
    event = event_of(record, partition)
    principal.require_sight_of(event.scope.user_id, missing)
    if event.state is EventState.PENDING:
        job = await ports.storage.job(event_id)
        if job is not None and job.lease is not None:
            return replace(event, state=EventState.RUNNING)
    return event
