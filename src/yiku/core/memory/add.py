"""Take messages in: one durable commit, and an answer before any model is called."""

from __future__ import annotations

from yiku.core.memory.records import event_record, message_record
from yiku.model.jobs import NewJob
from yiku.model.memories import EVENT_PREFIX, MESSAGE_PREFIX, AddMemories, Event, EventState
from yiku.model.principal import Principal
from yiku.model.records import Changes
from yiku.ports import Ports

DIGEST = "digest"
"""The kind of job that makes memories of an add. Its id is the event's, its lane the user's partition."""


async def add_memories(ports: Ports, principal: Principal, command: AddMemories) -> Event:
    """The pending event. When this returns, the messages survive anything; what they become is decided by `digest`.

    Raises `QueueFull` when too many adds wait already.
    """
    principal.require("memory:write")
    principal.require_user(command.scope.user_id)
    now = ports.clock.now()
    message_ids = tuple(ports.clock.new_id(MESSAGE_PREFIX) for _ in command.messages)
    event = Event(
        id=ports.clock.new_id(EVENT_PREFIX),
        scope=command.scope,
        state=EventState.PENDING,
        created=now,
        updated=now,
        message_ids=message_ids,
        infer=command.infer,
        metadata=command.metadata,
        anchor=command.anchor,
    )
    messages = tuple(
        message_record(message, id=message_id, event=event)
        for message_id, message in zip(message_ids, command.messages, strict=True)
    )
    await ports.storage.commit(
        Changes(
            partition=command.scope.partition,
            puts=(event_record(event), *messages),
            enqueues=(digest_job(event),),
        )
    )
    return event


def digest_job(event: Event) -> NewJob:
    """One lane a user: adds reconcile in the order in which they came."""
    partition = event.scope.partition
    return NewJob(id=event.id, kind=DIGEST, lane=f"{DIGEST}:{partition.workspace}:{partition.owner}", payload={})
