"""Does a record that comes in keep the bounds that the doors keep?

A file may have been written by anybody: what no door would take must not get in through an import either. What an add
makes of what the doors take (a dialogue kept as one memory, metadata merged over repeats) is let through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from yiku.core.memory.merging import METADATA_KEPT
from yiku.core.memory.records import EVENT, MEMORY, MESSAGE, event_of, memory_of, message_of, setting_of
from yiku.core.transfer.knowledge_bounds import OF_BASE, OF_LIBRARY
from yiku.model.conditions import field_values
from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.memories import Event, Memory
from yiku.model.messages import ROLES, Message
from yiku.model.metadata import Metadata, check_metadata, check_scalar
from yiku.model.records import Body, Embedding, Record, Setting
from yiku.model.scopes import Partition, is_base, library_partition
from yiku.model.texts import check_identifier, check_text

_LENGTH_ERROR_MAX = 0.01
"""Of a unit vector that was rounded to float16."""

_Check = Callable[[Record, Partition, Limits], Setting | None]
"""Raises what is wrong; gives back where the record stands among others, when it does."""


def check_record(record: Record, partition: Partition, limits: Limits) -> Setting | None:
    """Readable as what it claims to be, within bounds, and fit for every store; else an error that says why not.

    Gives the setting that exports leave out. `InvalidInput` has the reason; a `KeyError`, `TypeError`, `ValueError` or
    the like means that it is not complete.
    """
    setting = _checks_of(partition)[record.kind](record, partition, limits)
    check_identifier(record.id, field="its id", bytes_max=limits.user_id_bytes)
    if record.unique_key is not None:
        check_identifier(record.unique_key, field="its key", bytes_max=limits.user_id_bytes)
    if record.text is not None:
        check_text(record.text, field="its text", bytes_max=_memory_bytes(limits))
    for name in record.fields:
        for value in field_values(record.fields, name):
            check_scalar(value, field=f"its field {name}", bytes_max=limits.metadata_bytes)
    return setting


@lru_cache(maxsize=1_024)
def _checks_of(partition: Partition) -> Mapping[str, _Check]:
    if is_base(partition):
        return OF_BASE
    return OF_LIBRARY if partition == library_partition(partition.workspace) else CHECKS


def check_vector(embedding: Embedding, *, model: str, dimensions: int) -> None:
    """Of the model in use: comparable with its vectors. One of another model is made anew and never stored."""
    if embedding.model != model:
        return
    if len(embedding.values) != dimensions:
        raise InvalidInput(f"its vector has {len(embedding.values)} dimensions; those of {model} have {dimensions}")
    if not abs(float(np.dot(embedding.values, embedding.values)) - 1) <= 2 * _LENGTH_ERROR_MAX:
        raise InvalidInput("its vector does not have the length 1")


def _check_memory(record: Record, partition: Partition, limits: Limits) -> Setting:
    _require_lists(record.body, "agent_ids", "run_ids", "evidence", "repeated_metadata")
    memory = memory_of(record, partition)
    check_text(memory.text, field="its text", bytes_max=_memory_bytes(limits))
    if memory.speaker is not None:
        check_identifier(memory.speaker, field="its speaker", bytes_max=limits.user_id_bytes)
    _check_names((*memory.agent_ids, *memory.run_ids, *memory.evidence), limits)
    _check_memory_metadata(memory, limits)
    for revision in memory.revisions:
        check_text(revision.text, field="an earlier text", bytes_max=_memory_bytes(limits))
        _check_metadata(revision.metadata, _merged(limits, METADATA_KEPT))
    return setting_of(memory)


def _check_memory_metadata(memory: Memory, limits: Limits) -> None:
    if len(memory.repeated_metadata) > METADATA_KEPT:
        raise InvalidInput(f"it was repeated with more than {METADATA_KEPT} different metadata")
    for metadata in memory.repeated_metadata:
        _check_metadata(metadata, limits)
    _check_metadata(memory.metadata, _merged(limits, 1 + len(memory.repeated_metadata)))


def _merged(limits: Limits, several: int) -> Limits:
    """What was told in several adds has the keys of all of them."""
    if several == 1:
        return limits
    return replace(
        limits,
        metadata_bytes=several * limits.metadata_bytes,
        metadata_keys=several * limits.metadata_keys,
        metadata_values=several * limits.metadata_values,
    )


def _check_event(record: Record, partition: Partition, limits: Limits) -> None:
    _require_lists(record.body, "message_ids", "decisions")
    event: Event = event_of(record, partition)
    if len(event.message_ids) > limits.messages_per_add:
        raise InvalidInput(f"it has {len(event.message_ids)} messages; the limit is {limits.messages_per_add}")
    _check_names((event.scope.agent_id, event.scope.run_id, *event.message_ids), limits)
    _check_metadata(event.metadata, limits)


def _check_message(record: Record, partition: Partition, limits: Limits) -> None:
    message: Message = message_of(record)
    if message.role not in ROLES:
        raise InvalidInput(f"its role is none of {', '.join(ROLES)}")
    if message.name is not None:
        check_identifier(message.name, field="its name", bytes_max=limits.user_id_bytes)
    check_text(message.content, field="its content", bytes_max=limits.message_bytes)


CHECKS: Mapping[str, _Check] = {
    MEMORY: _check_memory,
    EVENT: _check_event,
    MESSAGE: _check_message,
}
"""What a record must be readable as, by its kind, and how large that may be."""


def _memory_bytes(limits: Limits) -> int:
    """Of a memory kept as given: all messages of an add, each led by who said it; or one that was written by hand."""
    return max(limits.memory_bytes, limits.add_bytes + limits.messages_per_add * (limits.user_id_bytes + 3))


def _check_names(names: Iterable[str | None], limits: Limits) -> None:
    for name in names:
        if name is not None:
            check_identifier(name, field="an identifier in it", bytes_max=limits.user_id_bytes)


def _check_metadata(metadata: Metadata, limits: Limits) -> None:
    if not isinstance(metadata, dict):
        raise TypeError("no metadata")
    if metadata:
        check_metadata(metadata, limits, field="its metadata")


def _require_lists(body: Body, *names: str) -> None:
    """A text would be taken for a list of its characters."""
    for name in names:
        if not isinstance(body[name], list):
            raise TypeError(f"{name} is no list")
