"""Bring in what mem0 exports: the answer of its `get_all`, of the open-source library or of the platform.

Documented at docs.mem0.ai (Get Memory; Exporting memories): a list of `{id, memory, user_id, agent_id, app_id, run_id,
metadata, created_at, updated_at, hash}`, alone or as `results` beside a count; the library adds `actor_id` and `role`,
the platform `categories`. Platform answers are paged.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from yiku.core.audit import audited
from yiku.core.memory.fingerprint import fingerprint
from yiku.core.memory.records import MEMORY, memory_record
from yiku.core.transfer.arrivals import Arrival, Received
from yiku.core.transfer.receive import Receiver, in_batches, receive_all
from yiku.model.errors import InvalidInput
from yiku.model.memories import MEMORY_PREFIX, Memory
from yiku.model.metadata import OWNER_KEYS, check_metadata
from yiku.model.principal import Principal
from yiku.model.records import Ref
from yiku.model.scopes import Scope
from yiku.model.texts import check_identifier, check_text
from yiku.model.times import parse_timestamp
from yiku.ports import Ports

_AT_ONCE = 64
_KEPT_AS_METADATA = ("categories", "app_id", "actor_id", "role")
"""What mem0 knows and Yiku has no place of its own for."""


async def import_mem0(
    ports: Ports, principal: Principal, document: object, *, into_user: str | None = None
) -> AsyncGenerator[Received]:
    """Store the memories of a mem0 export under `m-<their id>`; doing it again changes nothing.

    `into_user` takes them all, whatever they say; without it each must name its user. An entry that cannot be taken in
    ends the import with an `InvalidInput` that names it; those before it are stored.
    """
    principal.require("admin")
    memories, complete = _listed(document)
    receiver = Receiver(ports)
    arrivals = _arrivals(ports, principal.workspace, memories, into_user)
    subject = into_user or ""
    async with audited(ports, principal, "data.import", workspace=principal.workspace, subject=subject):
        async for received in receive_all(receiver, in_batches(arrivals, _AT_ONCE)):
            yield received
        yield await receiver.finish(complete=complete)


def _listed(document: object) -> tuple[list[Any], bool]:
    """The entries, and whether the file says that there are no more on another page."""
    more = isinstance(document, Mapping) and document.get("next")
    named = ("results", "memories")
    held = next((document[n] for n in named if n in document), None) if isinstance(document, Mapping) else document
    if not isinstance(held, list):
        raise InvalidInput("The file is no mem0 export: expected a list of memories, or an object with 'results'")
    return held, not more


def _arrivals(ports: Ports, workspace: str, entries: list[Any], into_user: str | None) -> Iterator[Arrival]:
    for number, entry in enumerate(entries, 1):
        yield _arrival(ports, workspace, number, entry, into_user)


def _arrival(ports: Ports, workspace: str, number: int, entry: object, into_user: str | None) -> Arrival:
    try:
        if not isinstance(entry, Mapping):
            raise InvalidInput("it is no object")
        memory = _memory(ports, workspace, entry, into_user)
    except InvalidInput as error:
        raise InvalidInput(
            f"Entry {number} cannot be imported: {error.message}. Those before it were imported; mend or remove it, and"
            " run the same import again"
        ) from error
    record = memory_record(memory, None)
    return Arrival(partition=memory.scope.partition, ref=Ref(MEMORY, memory.id), record=record)


def _memory(ports: Ports, workspace: str, entry: Mapping[str, Any], into_user: str | None) -> Memory:
    text = entry.get("memory")
    if not isinstance(text, str):
        raise InvalidInput("its memory is no text")
    check_text(text, field="its memory", bytes_max=ports.limits.memory_bytes)
    user_id = into_user or _identifier(ports, entry, "user_id")
    if user_id is None:
        raise InvalidInput("it has no user_id: say whose it is with --into-user")
    agent_id, run_id = _identifier(ports, entry, "agent_id"), _identifier(ports, entry, "run_id")
    created = _moment(entry, "created_at") or ports.clock.now()
    return Memory(
        id=_memory_id(entry, user_id, text),
        scope=Scope(workspace=workspace, user_id=user_id, agent_id=agent_id, run_id=run_id),
        text=text,
        created=created,
        updated=_moment(entry, "updated_at") or created,
        metadata=_metadata(ports, entry),
        agent_ids=(agent_id,),
        run_ids=(run_id,),
        fingerprint=fingerprint(text),
    )


def _memory_id(entry: Mapping[str, Any], user_id: str, text: str) -> str:
    """The same at every import: mem0's own id where it is one, else made of what the entry says."""
    try:
        return f"{MEMORY_PREFIX}{UUID(str(entry.get('id')))}"
    except ValueError:
        digest = sha256(repr((entry.get("id"), user_id, text)).encode()).digest()
        return f"{MEMORY_PREFIX}{UUID(bytes=digest[:16], version=4)}"


def _identifier(ports: Ports, entry: Mapping[str, Any], name: str) -> str | None:
    value = entry.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInput(f"its {name} is no text")
    return check_identifier(value, field=name, bytes_max=ports.limits.user_id_bytes)


def _moment(entry: Mapping[str, Any], name: str) -> datetime | None:
    value = entry.get(name)
    return None if value is None else parse_timestamp(value, field=f"its {name}")


def _metadata(ports: Ports, entry: Mapping[str, Any]) -> dict[str, Any]:
    given = entry.get("metadata") or {}
    if not isinstance(given, Mapping):
        raise InvalidInput("its metadata is no object")
    beside = {name: entry[name] for name in _KEPT_AS_METADATA if entry.get(name)}
    # Whose memory it is stands beside the metadata here, never inside.
    metadata = {name: value for name, value in {**beside, **given}.items() if name not in OWNER_KEYS}
    check_metadata(metadata, ports.limits, field="its metadata")
    return metadata
