"""What a search asks of an engine: one state of the store, read by sequence numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from yiku.model.conditions import Condition
from yiku.model.scopes import Partition

FeatureRow = tuple[int, int, int | None, bytes, str | None, float | None, bytes | None]
"""Sequence number, expiry, length, terms, model, scale and int8 vector of one record: see `engine.features`."""

StoredRow = Sequence[Any]
"""The columns of `engine.records.COLUMNS`, in that order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class News:
    """What became of the records of one kind in one partition since they were last read.

    `added` ascends by sequence number; `gone` are the numbers of rows that were deleted or replaced. `newest` is the
    number that this state goes up to.
    """

    number: int
    newest: int
    added: Sequence[FeatureRow]
    gone: Sequence[int]


@dataclass(frozen=True, slots=True)
class Stored:
    """Rows in any order, and for those that have one the vector as float16, by sequence number."""

    rows: Sequence[StoredRow]
    halves: Sequence[tuple[int, bytes]]


class Snapshot(Protocol):
    """All answers are about the same state, which is fixed by the first of them."""

    def news(self, seen: Mapping[Partition, int], kind: str) -> Mapping[Partition, News]:
        """By partition, what changed after the given sequence number. Partitions that do not exist are left out."""
        ...

    def matching(self, numbers: Sequence[int], kind: str, where: Condition) -> NDArray[np.int64]:
        """The sequence numbers of the records in these partitions that satisfy the condition."""
        ...

    def stored(self, sequences: Sequence[int], *, with_halves: bool) -> Stored:
        """The rows with these sequence numbers."""
        ...

    def in_order_of_ids(self, sequences: Sequence[int]) -> Sequence[int]:
        """These sequence numbers, by the ids of their records and then by partition."""
        ...
