"""What comes in, and how far an import is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from yiku.model.records import Embedding, Record, Ref, Setting
from yiku.model.scopes import Partition


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrival:
    """A record on its way in; None when it was deleted since. `again`: the newer state of one that came before."""

    partition: Partition
    ref: Ref
    record: Record | None
    again: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Flat, on the way from one process to another: nested as they are, dataclasses take four times as long."""
        return _rebuilt, (self.partition, self.ref.kind, self.ref.id, self.again, *_flat(self.record))


def _flat(record: Record | None) -> tuple[Any, ...]:
    if record is None:
        return ()
    setting, embedding = record.setting, record.embedding
    return (
        tuple(getattr(record, name) for name in _OF_RECORD),
        None if setting is None else tuple(getattr(setting, name) for name in _OF_SETTING),
        None if embedding is None else (embedding.model, embedding.values.tobytes()),
    )


def _rebuilt(partition: Partition, kind: str, id: str, again: bool, *flat: Any) -> Arrival:
    return Arrival(
        partition=partition, ref=Ref(kind, id), record=_record(kind, id, *flat) if flat else None, again=again
    )


def _record(kind: str, id: str, own: tuple[Any, ...], setting: tuple[Any, ...] | None, vector: Any) -> Record:
    return Record(
        kind=kind,
        id=id,
        **dict(zip(_OF_RECORD, own, strict=True)),
        setting=None if setting is None else Setting(**dict(zip(_OF_SETTING, setting, strict=True))),
        embedding=None if vector is None else Embedding(vector[0], np.frombuffer(vector[1], np.float32)),
    )


_OF_RECORD = ("body", "created", "updated", "fields", "unique_key", "text", "expires", "ready")
_OF_SETTING = Setting.__slots__


@dataclass(frozen=True, kw_only=True, slots=True)
class Received:
    """How far an import is. `kept` were here before and stay as they are; `requeued` adds are digested here.

    `documents` are to be read in here.
    `waiting_elsewhere` adds still wait in this store where they came from, and cannot be digested twice.
    `complete` is False while it goes on, and at the end of a file that was cut.
    """

    stored: int = 0
    kept: int = 0
    embedded: int = 0
    requeued: int = 0
    waiting_elsewhere: int = 0
    documents: int = 0
    complete: bool = False
