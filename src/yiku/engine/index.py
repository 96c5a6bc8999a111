"""What a search needs to know about all records of one kind in one partition, held in memory and kept up to date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from yiku.engine.columns import extended
from yiku.engine.features import TERM
from yiku.engine.postings import Postings, Segment
from yiku.engine.settings import SETTING, Settings, settings_of
from yiku.engine.snapshot import FeatureRow, News
from yiku.engine.surroundings import Surroundings
from yiku.engine.vectors import VectorBlock

NO_TEXT = -1
"""The length of a record without a text."""
NOBODY = -1
"""The speaker of a record without one."""
_DEAD_ROWS_MIN = 1_024
"""Below this, dead rows cost less than loading anew."""
_ADDED_AT_ONCE = 8_192
"""Rows: what is only needed to load an index shall not take several times the memory of the index."""

_NONE_PRESENT = np.empty(0, np.bool_)

VectorKind = tuple[str, int]
"""Model, and dimensions."""


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
    settings: Settings = field(default_factory=lambda: np.empty(0, SETTING))
    speakers: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    names: tuple[str, ...] = ()
    """Of the speakers: `names[speakers[row]]`; NOBODY where there is none."""
    surroundings: Surroundings = field(default_factory=lambda: Surroundings.of(np.empty(0, SETTING), _NONE_PRESENT))
    postings: Postings = field(default_factory=Postings)
    vectors: Mapping[VectorKind, VectorBlock] = field(default_factory=dict)

    def advanced(self, news: News) -> PartitionIndex:
        """The state after the news, which must begin where this one ends."""
        if news.newest == self.seen:
            return self
        state = replace(self._without(news.gone) if news.gone and self.used else self, seen=news.newest)
        for start in range(0, len(news.added), _ADDED_AT_ONCE):
            state = state._with(news.added[start : start + _ADDED_AT_ONCE])
        if not news.added and not news.gone:
            return state
        used = state.used
        return replace(state, surroundings=Surroundings.of(state.settings[:used], state.alive[:used]))

    @property
    def worn(self) -> bool:
        """Whether loading it anew would cost less than carrying its dead rows along."""
        dead = self.used - int(np.count_nonzero(self.alive[: self.used]))
        return dead > _DEAD_ROWS_MIN and dead * 2 > self.used

    @property
    def bytes_held(self) -> int:
        columns = (self.sequences, self.expires, self.lengths, self.alive, self.settings, self.speakers)
        around = self.surroundings.bytes_held
        blocks = sum(block.bytes_held for block in self.vectors.values())
        return 1_024 + sum(column.nbytes for column in columns) + around + self.postings.bytes_held + blocks

    def _without(self, gone: Sequence[int]) -> PartitionIndex:
        old = np.array(gone, np.int64)
        held = self.sequences[: self.used]
        rows = np.searchsorted(held, old)
        rows = rows[held[np.minimum(rows, self.used - 1)] == old]
        # A copy, because earlier states are still being read.
        alive = self.alive.copy()
        alive[rows] = False
        return replace(self, alive=alive)

    def _with(self, added: Sequence[FeatureRow]) -> PartitionIndex:
        sequences, expires, lengths, terms, models, scales, vectors, settings, speakers = zip(*added, strict=True)
        names = tuple(dict.fromkeys((*self.names, *(speaker for speaker in speakers if speaker is not None))))
        rows = np.arange(self.used, self.used + len(added))
        return replace(
            self,
            used=self.used + len(added),
            sequences=extended(self.sequences, self.used, np.array(sequences, np.int64)),
            expires=extended(self.expires, self.used, np.array(expires, np.int64)),
            lengths=extended(self.lengths, self.used, _lengths(lengths)),
            alive=extended(self.alive, self.used, np.ones(len(added), np.bool_)),
            settings=extended(self.settings, self.used, settings_of(settings)),
            speakers=extended(self.speakers, self.used, _speaker_numbers(speakers, names)),
            names=names,
            postings=_with_terms(self.postings, rows, terms),
            vectors=_with_vectors(self.vectors, rows, models, scales, vectors),
        )


def _lengths(stored: Sequence[int | None]) -> NDArray[np.int32]:
    return np.array([NO_TEXT if length is None else length for length in stored], np.int32)


def _speaker_numbers(speakers: Sequence[str | None], names: Sequence[str]) -> NDArray[np.int32]:
    numbers = {name: number for number, name in enumerate(names)}
    return np.array([NOBODY if speaker is None else numbers[speaker] for speaker in speakers], np.int32)


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
    models: Sequence[str | None],
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
