"""Take messages in: one durable commit, and an answer before any model is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from yiku.core.memory.masking import without_secrets
from yiku.core.memory.once import add_key, content_digest, message_key
from yiku.core.memory.records import EVENT, MESSAGE, event_of, event_record, message_record
from yiku.model.errors import Conflict, KeyTaken
from yiku.model.jobs import NewJob
from yiku.model.memories import EVENT_PREFIX, MESSAGE_PREFIX, AddMemories, Event, EventState
from yiku.model.principal import Principal
from yiku.model.records import Changes, Record
from yiku.ports import Ports

DIGEST = "digest"
"""The kind of job that makes memories of an add. Its id is the event's, its lane the user's partition."""
TRIES_AFTER_CONFLICT = 5
OTHER_CONTENT = "This idempotency key was used for an add of other messages: use a new one"


async def add_memories(ports: Ports, principal: Principal, command: AddMemories) -> Event:
    """The pending event. When this returns, the messages survive anything; what they become is decided by `digest`.

    An add that came before (`once`) is answered with its event, whatever has become of that; one that failed is taken
    in anew. Messages that came before are not digested again. Raises `QueueFull` when too many adds wait already,
    `Conflict` when the idempotency key was used for something else.
    """
    principal.require("memory:write")
    principal.require_user(command.scope.user_id)
    command = replace(command, messages=await without_secrets(command.messages))
    for _ in range(TRIES_AFTER_CONFLICT):
        event, messages = _drafted(ports, command, await _known_messages(ports, command))
        try:
            await ports.storage.commit(
                Changes(
                    partition=command.scope.partition,
                    puts=(event_record(event), *messages),
                    enqueues=(digest_job(event),),
                )
            )
            return event
        except KeyTaken as taken:
            first = await _first(ports, command, taken)
            if first is not None:
                return first
    raise Conflict("The same messages kept arriving at the same moment")


def _drafted(ports: Ports, command: AddMemories, known: Mapping[str, str]) -> tuple[Event, list[Record]]:
    """The event, and those of its messages that are new; `known` are the ids of stored messages by their keys."""
    now = ports.clock.now()
    ids: list[str] = []
    repeats: list[int] = []
    new: dict[str, int] = {}
    held = dict(known)
    for position, message in enumerate(command.messages):
        key = message_key(message, command.scope) if command.infer else None
        if key is not None and key in held:
            repeats.append(position)
            ids.append(held[key])
            continue
        ids.append(ports.clock.new_id(MESSAGE_PREFIX))
        new[ids[-1]] = position
        if key is not None:
            held[key] = ids[-1]
    event = Event(
        id=ports.clock.new_id(EVENT_PREFIX),
        scope=command.scope,
        state=EventState.PENDING,
        created=now,
        updated=now,
        message_ids=tuple(ids),
        repeats=tuple(repeats),
        infer=command.infer,
        metadata=command.metadata,
        anchor=command.anchor,
        expires=command.lifetime.end(now),
        key=add_key(command),
        content=content_digest(command) if command.idempotency_key is not None else None,
    )
    return event, [
        message_record(command.messages[position], id=message_id, event=event) for message_id, position in new.items()
    ]


async def _known_messages(ports: Ports, command: AddMemories) -> dict[str, str]:
    """The ids of those messages that came before, by their keys. Without ids of the caller's nothing is asked."""
    keys = [message_key(message, command.scope) for message in command.messages] if command.infer else []
    wanted = [key for key in dict.fromkeys(keys) if key is not None]
    if not wanted:
        return {}
    records = await ports.storage.find(command.scope.partition, MESSAGE, wanted)
    return {str(record.unique_key): record.id for record in records}


async def _first(ports: Ports, command: AddMemories, taken: KeyTaken) -> Event | None:
    """The event that holds the key; None when it was a message that somebody stored at this moment."""
    if taken.kind != EVENT:
        return None
    for record in await ports.storage.get(command.scope.partition, EVENT, [taken.holder_id]):
        first = event_of(record, command.scope.partition)
        if first.content is not None and first.content != content_digest(command):
            raise Conflict(OTHER_CONTENT)
        return first
    return None


def digest_job(event: Event) -> NewJob:
    """One lane a user: adds reconcile in the order in which they came."""
    partition = event.scope.partition
    return NewJob(id=event.id, kind=DIGEST, lane=f"{DIGEST}:{partition.workspace}:{partition.owner}", payload={})
