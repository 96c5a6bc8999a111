"""What a search needs to know about all records of one kind in one partition, held in memory and kept up to date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from yiku.adapters.sqlite.columns import extended
from yiku.adapters.sqlite.connections import rows_of, value_of
from yiku.adapters.sqlite.features import TERM
from yiku.adapters.sqlite.postings import Postings, Segment
from yiku.adapters.sqlite.vectors import VectorBlock

NO_TEXT = -1
"""The length of a record without a text."""
_DEAD_ROWS_MIN = 1_024
"""Below this, dead rows cost less than loading anew."""

_NEW_ROWS = """
SELECT sequence, expires, length, terms, model, scale, vector FROM feature
WHERE partition = ? AND kind = ? AND sequence > ? ORDER BY sequence
"""

_GONE_ROWS = "SELECT old_sequence FROM tombstone WHERE partition = ? AND sequence > ? AND kind = ?"

VectorKind = tuple[int, int]
"""Number of the model, and dimensions."""


@dataclass(frozen=True, slots=True, eq=False)
class PartitionIndex:
    """A state of the index: all that was committed up to sequence number `seen`.

    A row of the index is a record; the first `used` entries of each column count. Sequences ascend. States share their
    columns with the states they came from, so only the newest may be refreshed, and by one thread at a time.
    """

    number: int
    kind: str
    seen: int = 0
    used: int = 0
    sequences: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    expires: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    lengths: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    alive: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    postings: Postings = field(default_factory=Postings)
    vectors: Mapping[VectorKind, VectorBlock] = field(default_factory=dict)

    def refreshed(self, connection: apsw.Connection) -> PartitionIndex:
        """The state that the open read transaction sees; it must not be older than `seen`."""
        newest = int(value_of(connection, "SELECT value FROM meta WHERE name = 'sequence'"))
        if newest == self.seen:
            return self
        # Tombstones are about rows that we hold: a first load meets none.
        gone = rows_of(connection, _GONE_ROWS, (self.number, self.seen, self.kind)) if self.used else []
        added = rows_of(connection, _NEW_ROWS, (self.number, self.kind, self.seen))
        state = replace(self._without(gone) if gone else self, seen=newest)
        state = state._with(added) if added else state
        dead = state.used - int(np.count_nonzero(state.alive[: state.used]))
        if dead > _DEAD_ROWS_MIN and dead * 2 > state.used:
            return PartitionIndex(self.number, self.kind).refreshed(connection)
        return state

    @property
    def bytes_held(self) -> int:
        columns = (self.sequences, self.expires, self.lengths, self.alive)
        blocks = sum(block.bytes_held for block in self.vectors.values())
        return 1_024 + sum(column.nbytes for column in columns) + self.postings.bytes_held + blocks

    def _without(self, gone: Sequence[tuple[int]]) -> PartitionIndex:
        old = np.array([sequence for (sequence,) in gone], np.int64)
        held = self.sequences[: self.used]
        rows = np.searchsorted(held, old)
        rows = rows[held[np.minimum(rows, self.used - 1)] == old]
        # A copy, because earlier states are still being read.
        alive = self.alive.copy()
        alive[rows] = False
        return replace(self, alive=alive)

    def _with(self, added: Sequence[tuple[Any, ...]]) -> PartitionIndex:
        sequences, expires, lengths, terms, models, scales, vectors = zip(*added, strict=True)
        rows = np.arange(self.used, self.used + len(added))
        return replace(
            self,
            used=self.used + len(added),
            sequences=extended(self.sequences, self.used, np.array(sequences, np.int64)),
            expires=extended(self.expires, self.used, np.array(expires, np.int64)),
            lengths=extended(self.lengths, self.used, _lengths(lengths)),
            alive=extended(self.alive, self.used, np.ones(len(added), np.bool_)),
            postings=_with_terms(self.postings, rows, terms),
            vectors=_with_vectors(self.vectors, rows, models, scales, vectors),
        )


def _lengths(stored: Sequence[int | None]) -> NDArray[np.int32]:
    return np.array([NO_TEXT if length is None else length for length in stored], np.int32)


def _with_terms(postings: Postings, rows: NDArray[np.int64], terms: Sequence[bytes]) -> Postings:
    entries = np.frombuffer(b"".join(terms), TERM)
    if not len(entries):
        return postings
    counts_a_row = np.array([len(blob) for blob in terms]) // TERM.itemsize
    entry_rows = np.repeat(rows.astype(np.int32), counts_a_row)
    return postings.extended(Segment.of(entries["term"].astype(np.uint64), entry_rows, entries["count"]))


def _with_vectors(
    blocks: Mapping[VectorKind, VectorBlock],
    rows: NDArray[np.int64],
    models: Sequence[int | None],
    scales: Sequence[float | None],
    vectors: Sequence[bytes | None],
) -> Mapping[VectorKind, VectorBlock]:
    places: defaultdict[VectorKind, list[int]] = defaultdict(list)
    for place, (model, vector) in enumerate(zip(models, vectors, strict=True)):
        if model is not None and vector is not None:
            places[model, len(vector)].append(place)
    grown = dict(blocks)
    for (model, dimensions), chosen in places.items():
        block = grown.get((model, dimensions)) or VectorBlock.empty(dimensions)
        matrix = np.frombuffer(b"".join(vectors[place] or b"" for place in chosen), np.int8)
        grown[model, dimensions] = block.extended(
            rows[chosen],
            np.array([scales[place] for place in chosen], np.float64),
            matrix.reshape(len(chosen), dimensions),
        )
    return grown
