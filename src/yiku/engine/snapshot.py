"""What a search asks of an engine: one state of the store, read by sequence numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from yiku.model.conditions import Condition
from yiku.model.scopes import Partition

FeatureRow = tuple[int, int, int | None, bytes, str | None, float | None, bytes | None, bytes | None, str | None]
"""Sequence number, expiry, length, terms, model, scale, int8 vector, setting and speaker of one record: see
`engine.features`."""

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


class Snapshot(Protocol):
    """All answers are about the same state, which is fixed by the first of them."""

    def news(self, seen: Mapping[Partition, int], kind: str) -> Mapping[Partition, News]:
        """By partition, what changed after the given sequence number. Partitions that do not exist are left out."""
        ...

    def matching(self, numbers: Sequence[int], kind: str, where: Condition) -> NDArray[np.int64]:
        """The sequence numbers of the records in these partitions that satisfy the condition."""
        ...

    def vectors(self, sequences: Sequence[int]) -> Mapping[int, NDArray[np.float32]]:
        """The vectors of these records, by sequence number; those that have one."""
        ...

    def rows(self, sequences: Sequence[int]) -> Sequence[StoredRow]:
        """The rows with these sequence numbers, in any order."""
        ...
