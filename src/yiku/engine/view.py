"""The indexes that one search looks at, laid end to end: one row number stands for one record of any of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from yiku.engine.features import term_hashes
from yiku.engine.index import NOBODY, PartitionIndex
from yiku.engine.postings import Occurrences
from yiku.engine.surroundings import Surroundings
from yiku.model.naming import mentions
from yiku.model.records import Embedding
from yiku.model.tokens import fold

_Scalar = TypeVar("_Scalar", bound=np.generic)

Rows = NDArray[np.int64]
Marks = NDArray[np.bool_]


class View:
    """Columns of all rows, in the order of the indexes; `present` are the records that exist at the time `now`."""

    def __init__(self, indexes: Sequence[PartitionIndex], now: int) -> None:
        self._indexes = indexes
        self._starts: list[int] = np.cumsum([0, *(index.used for index in indexes)]).tolist()
        self.size = self._starts[-1]
        parts = indexes or [PartitionIndex(0, "")]
        self.sequences = _end_to_end([index.sequences[: index.used] for index in parts])
        self.lengths = _end_to_end([index.lengths[: index.used] for index in parts])
        self.settings = _end_to_end([index.settings[: index.used] for index in parts])
        self.surroundings = Surroundings.side_by_side([index.surroundings for index in parts])
        # Expired rows are dead before anybody deletes them.
        self.present = _end_to_end([index.alive[: index.used] & (index.expires[: index.used] > now) for index in parts])

    @property
    def numbers(self) -> list[int]:
        """Of the partitions."""
        return [index.number for index in self._indexes]

    def newest_first(self, rows: Rows) -> Rows:
        """Of records made at the same moment, the one that was stored later comes first.

        Rows of one partition ascend in the order of storing, and partitions by their names: the same on every engine.
        """
        return rows[np.lexsort((-rows, -self.settings["created"][rows]))]

    def find(self, terms: Sequence[str]) -> list[Occurrences]:
        """Where each term stands among the present rows."""
        hashes = term_hashes(terms)
        found = [index.postings.find(hashes) for index in self._indexes]
        return [self._together([part[place] for part in found]) for place in range(len(terms))]

    def cosines(self, embedding: Embedding) -> NDArray[np.float64]:
        """Of each present row that has a vector of the same model and size; NaN for the others."""
        measured = np.full(self.size, np.nan)
        for index, start in zip(self._indexes, self._starts, strict=False):
            block = index.vectors.get((embedding.model, len(embedding.values)))
            if block is not None:
                measured[start + block.rows[: block.used]] = block.cosines(embedding.values)
        measured[~self.present] = np.nan
        return measured

    def said_by(self, asked: str) -> tuple[Marks, frozenset[str]]:
        """The rows whose speaker the question names, and the names of all speakers."""
        marked, folded = np.zeros(self.size, np.bool_), fold(asked)
        for index, start in zip(self._indexes, self._starts, strict=False):
            named = [number for number, name in enumerate(index.names) if mentions(name, folded)]
            if named:
                speakers = index.speakers[: index.used]
                marked[start : start + index.used] = (speakers != NOBODY) & np.isin(speakers, named)
        return marked, frozenset(name for index in self._indexes for name in index.names)

    def _together(self, parts: Sequence[Occurrences]) -> Occurrences:
        empty = np.empty(0, np.int64)
        rows = np.concatenate([empty, *(part.rows + start for part, start in zip(parts, self._starts, strict=False))])
        counts = np.concatenate([empty, *(part.counts for part in parts)])
        present = self.present[rows]
        return Occurrences(rows[present], counts[present])


def _end_to_end(parts: Sequence[NDArray[_Scalar]]) -> NDArray[_Scalar]:
    """Most searches look at one index, and need no copy of it."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
