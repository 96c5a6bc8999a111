"""In which rows a term stands, and how often: immutable segments, merged as they grow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MERGE_RATIO = 4
"""A segment at most so many times larger than the next is merged with it: few segments, and little copying a write."""
_MERGED_MAX = 4_000_000
"""No segment gets more entries by merging: sorting takes some fifty bytes for each, and as much time again."""


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Where one term stands: rows in ascending order, and the count in each."""

    rows: NDArray[np.int64]
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Term `terms[i]` stands in `rows[offsets[i]:offsets[i + 1]]`; terms ascend, and the rows of each too."""

    terms: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: NDArray[np.uint16]

    @classmethod
    def of(cls, terms: NDArray[np.uint64], rows: NDArray[np.int32], counts: NDArray[np.uint16]) -> Segment:
        """From entries in the order of their rows, which is kept within a term."""
        order, ascending = _ascending(terms)
        starts = np.flatnonzero(np.concatenate([[True], ascending[1:] != ascending[:-1]])[: len(ascending)])
        return cls(ascending[starts], np.append(starts, len(terms)), rows[order], counts[order])

    def merged(self, later: Segment) -> Segment:
        return Segment.of(
            np.concatenate([self._entry_terms(), later._entry_terms()]),
            np.concatenate([self.rows, later.rows]),
            np.concatenate([self.counts, later.counts]),
        )

    def _entry_terms(self) -> NDArray[np.uint64]:
        return np.repeat(self.terms, np.diff(self.offsets))


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Segments in the order of their rows."""

    segments: tuple[Segment, ...] = ()

    def extended(self, later: Segment) -> Postings:
        segments = list(self.segments)
        while segments and _worth_merging(len(segments[-1].rows), len(later.rows)):
            later = segments.pop().merged(later)
        return Postings((*segments, later))

    def find(self, terms: NDArray[np.uint64]) -> list[Occurrences]:
        """For each term, in order."""
        parts: list[list[tuple[NDArray[np.int32], NDArray[np.uint16]]]] = [[] for _ in terms]
        for segment in self.segments:
            places = np.searchsorted(segment.terms, terms)
            for number, place in enumerate(places.tolist()):
                if place < len(segment.terms) and segment.terms[place] == terms[number]:
                    span = slice(segment.offsets[place], segment.offsets[place + 1])
                    parts[number].append((segment.rows[span], segment.counts[span]))
        return [_joined(found) for found in parts]

    @property
    def bytes_held(self) -> int:
        return sum(
            part.terms.nbytes + part.offsets.nbytes + part.rows.nbytes + part.counts.nbytes for part in self.segments
        )


def _worth_merging(earlier: int, later: int) -> bool:
    return earlier <= _MERGE_RATIO * later and earlier + later <= _MERGED_MAX


_HALF = np.uint64(32)
_LATER_HALF = np.uint64(2**32 - 1)


def _ascending(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """What a stable argsort gives, and the hashes in that order: several times as fast.

    numpy sorts numbers much faster than it sorts places by numbers, so the first half of each hash and its place are
    sorted as one number. Different hashes with the same first half are few, and sorted once more.
    """
    packed = np.arange(len(hashes), dtype=np.uint64)
    packed |= hashes & ~_LATER_HALF
    packed.sort()
    order = (packed & _LATER_HALF).astype(np.int64)
    packed >>= _HALF
    ascending = hashes[order]
    mixed = packed[1:][(packed[1:] == packed[:-1]) & (ascending[1:] != ascending[:-1])]
    for half in np.unique(mixed):
        places = slice(np.searchsorted(packed, half), np.searchsorted(packed, half, side="right"))
        order[places] = order[places][np.lexsort((order[places], ascending[places]))]
        ascending[places] = hashes[order[places]]
    return order, ascending


def _joined(parts: list[tuple[NDArray[np.int32], NDArray[np.uint16]]]) -> Occurrences:
    if not parts:
        return Occurrences(np.empty(0, np.int64), np.empty(0, np.int64))
    rows = np.concatenate([rows for rows, _ in parts]).astype(np.int64)
    return Occurrences(rows, np.concatenate([counts for _, counts in parts]).astype(np.int64))
