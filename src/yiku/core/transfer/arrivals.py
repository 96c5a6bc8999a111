"""What comes in, and how far an import is."""

from __future__ import annotations

from dataclasses import dataclass

from yiku.model.records import Record, Ref
from yiku.model.scopes import Partition


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrival:
    """A record on its way in; None when it was deleted since. `again`: the newer state of one that came before.

    `size` is about how many bytes it takes.
    """

    partition: Partition
    ref: Ref
    record: Record | None
    again: bool = False
    size: int = 0


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
