"""Change or delete one memory by its id."""

from __future__ import annotations

from dataclasses import replace

from yiku.core.memory.fingerprint import fingerprint
from yiku.core.memory.read import find_memory
from yiku.core.memory.records import MEMORY, index_text, memory_record
from yiku.model.errors import KeyTaken
from yiku.model.memories import Memory
from yiku.model.principal import Principal
from yiku.model.records import Changes, Expectation, Ref
from yiku.ports import Ports


async def update_memory(ports: Ports, principal: Principal, memory_id: str, text: str) -> Memory:
    """The memory with its new text; id, metadata and owner stay.

    Unlike an add this calls the embedder before it answers, so that the next search finds the new text and no longer
    the old one. Raises `Conflict` when the memory changed meanwhile, `EmbedderUnavailable` when it cannot be embedded.
    """
    principal.require("memory:write")
    memory = await find_memory(ports, principal, memory_id)
    changed = replace(
        memory,
        text=text,
        speaker=None,  # The new wording is the caller's, not the speaker's.
        updated=max(ports.clock.now(), memory.updated),
        fingerprint=fingerprint(text) if memory.fingerprint else None,
    )
    [embedding] = await ports.embedder.embed_passages([index_text(changed)])
    expects = (Expectation(Ref(MEMORY, memory_id), memory.version),)
    try:
        put = memory_record(changed, embedding)
        await ports.storage.commit(Changes(partition=memory.scope.partition, expects=expects, puts=(put,)))
    except KeyTaken:
        # Another memory says the same already. The caller asked for this wording here, so both stay.
        put = memory_record(replace(changed, fingerprint=None), embedding)
        await ports.storage.commit(Changes(partition=memory.scope.partition, expects=expects, puts=(put,)))
    return changed


async def delete_memory(ports: Ports, principal: Principal, memory_id: str) -> None:
    """Gone from every search and list when this returns. `NotFound` for an id that is not the caller's."""
    principal.require("memory:write")
    memory = await find_memory(ports, principal, memory_id)
    # Whatever the memory says by now, it was to go: a digest that relied on it will notice and decide again.
    await ports.storage.commit(Changes(partition=memory.scope.partition, deletes=(Ref(MEMORY, memory_id),)))
