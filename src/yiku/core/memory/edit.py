"""Change or delete one memory by its id."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from yiku.core.audit import audited
from yiku.core.memory.fingerprint import fingerprint
from yiku.core.memory.history import revised
from yiku.core.memory.read import find_memory
from yiku.core.memory.records import MEMORY, index_text, memory_record
from yiku.model.errors import Conflict, KeyTaken
from yiku.model.limits import Limits
from yiku.model.memories import ChangeMemory, Memory
from yiku.model.metadata import Metadata, check_metadata, time_anchor
from yiku.model.principal import Principal
from yiku.model.records import Changes, Embedding, Expectation, Ref
from yiku.ports import Ports

TRIES_AFTER_CONFLICT = 64
"""Of many changes at the same moment one gets through at each try: so many find room beside each other."""


async def update_memory(ports: Ports, principal: Principal, memory_id: str, change: ChangeMemory) -> Memory:
    """The memory with the change made; id and owner stay, and what it said before is kept in its history.

    Unlike an add this calls the embedder before it answers, so that the next search finds the new text and no longer
    the old one. A change does not say which state it is for, so where another came first it is decided again on what
    is there now. Raises `Conflict` when that goes on and on, `EmbedderUnavailable` when it cannot be embedded.
    """
    principal.require("memory:write")
    embedded: dict[str, Embedding] = {}
    for _ in range(TRIES_AFTER_CONFLICT):
        memory = await find_memory(ports, principal, memory_id)
        now = max(ports.clock.now(), memory.updated)
        changed = revised(memory, _changed(memory, change, now, ports.limits))
        text = index_text(changed)
        if text not in embedded:
            # The store gives no vectors back, so a text is embedded again even where only metadata changed.
            [embedded[text]] = await ports.embedder.embed_passages([text])
        try:
            return await _put(ports, memory, changed, embedded[text])
        except Conflict:
            continue
    raise Conflict("This memory kept changing while it was to be changed: try again")


async def _put(ports: Ports, memory: Memory, changed: Memory, embedding: Embedding) -> Memory:
    """Store the change of exactly this state of the memory."""
    expects = (Expectation(Ref(MEMORY, memory.id), memory.version),)
    try:
        put = memory_record(changed, embedding)
        await ports.storage.commit(Changes(partition=memory.scope.partition, expects=expects, puts=(put,)))
    except KeyTaken:
        # Another memory says the same already. The caller asked for this wording here, so both stay.
        put = memory_record(replace(changed, fingerprint=None), embedding)
        await ports.storage.commit(Changes(partition=memory.scope.partition, expects=expects, puts=(put,)))
    return changed


def _changed(memory: Memory, change: ChangeMemory, now: datetime, limits: Limits) -> Memory:
    changed = replace(memory, updated=now)
    if change.lifetime is not None:
        changed = replace(changed, expires=change.lifetime.end(now))
    if change.text is not None:
        changed = replace(
            changed,
            text=change.text,
            speaker=None,  # The new wording is the caller's, not the speaker's.
            slot=None,  # What question it answers now is for nobody to guess.
            fingerprint=fingerprint(change.text) if memory.fingerprint else None,
        )
    if change.metadata is None:
        return changed
    metadata = check_metadata(_merged(memory.metadata, change.metadata), limits)
    return replace(
        changed,
        metadata=metadata,
        anchor=time_anchor(metadata) if "timestamp" in change.metadata else memory.anchor,
        # A filter must no longer find the memory by what the caller has just corrected.
        repeated_metadata=tuple(
            {key: value for key, value in told.items() if key not in change.metadata}
            for told in memory.repeated_metadata
        ),
    )


def _merged(metadata: Metadata, change: Metadata) -> Metadata:
    return {key: value for key, value in {**metadata, **change}.items() if key not in change or value is not None}


async def delete_memory(ports: Ports, principal: Principal, memory_id: str) -> None:
    """Gone from every search and list when this returns. `NotFound` for an id that is not the caller's."""
    principal.require("memory:write")
    memory = await find_memory(ports, principal, memory_id)
    async with audited(ports, principal, "memory.delete", workspace=principal.workspace, subject=memory_id):
        # Whatever the memory says by now, it was to go: a digest that relied on it will notice and decide again.
        await ports.storage.commit(Changes(partition=memory.scope.partition, deletes=(Ref(MEMORY, memory_id),)))
