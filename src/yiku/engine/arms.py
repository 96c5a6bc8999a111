"""The two arms of a search: how well words and vectors of every record fit, alone and with what is around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from yiku.engine.postings import Occurrences
from yiku.engine.snapshot import Snapshot
from yiku.engine.view import Marks, Rows, View
from yiku.model.ranking import saturation, term_weights, typical_length
from yiku.model.records import CandidateQuery, Embedding, TermStatistics

Numbers = NDArray[np.float64]

MEASURED_EXACTLY = 192
"""Rows, at least: the ten nearest of a hundred thousand are among so many by bytes."""
_TERMS_AT_ONCE = 32
"""Their counts in all records stand in memory together."""


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """A measurement of every row: its own, and that of the conversation around it. NaN where it found nothing."""

    own: Numbers
    around: Numbers

    @property
    def mean(self) -> float:
        """Of what is measured; 0 where nothing is."""
        known = self.own[np.isfinite(self.own)]
        return float(known.mean()) if len(known) else 0.0

    @property
    def deviation(self) -> float:
        known = self.own[np.isfinite(self.own)]
        return float(known.std()) if len(known) else 0.0

    def best(self, view: View, allowed: Marks, limit: int) -> Rows:
        """The best `limit` of the allowed rows by either, newer ones first among equals."""
        return np.union1d(_best(view, self.own, allowed, limit), _best(view, self.around, allowed, limit))


def word_arm(view: View, statistics: TermStatistics, occurrences: Sequence[Occurrences]) -> Arm:
    """`ranking.word_score` by the statistics of all records that were searched."""
    said = _Said.of(occurrences, np.array(term_weights(statistics)))
    typical = typical_length(statistics)
    lengths = np.where(view.present, np.maximum(view.lengths, 0), 0).astype(np.float64)
    own = _summed(view.size, said, lengths, typical)
    if view.surroundings.are_empty:
        return Arm(_above_nothing(own), _above_nothing(own))
    return Arm(_above_nothing(own), _above_nothing(_words_around(view, said, lengths, typical)))


def vector_arm(view: View, embedding: Embedding | None) -> Arm:
    """Cosines; around a record the weighted mean of those in its neighbourhood."""
    if embedding is None:
        nothing = np.full(view.size, np.nan)
        return Arm(nothing, nothing)
    own = view.cosines(embedding)
    if view.surroundings.are_empty:
        return Arm(own, own)
    known = np.isfinite(own)
    sums = view.surroundings.summed(np.where(known, own, 0.0))
    shares = view.surroundings.summed(known.astype(np.float64))
    return Arm(own, np.where(known, sums / np.maximum(shares, 1.0), np.nan))


def exact_arm(view: View, bytewise: Arm, allowed: Marks, snapshot: Snapshot, query: CandidateQuery) -> Arm:
    """The same, with the nearest rows measured on their vectors as they were given."""
    if query.embedding is None:
        return bytewise
    nearest = _best(view, bytewise.own, allowed, max(query.limit, MEASURED_EXACTLY))
    vectors = snapshot.vectors(view.sequences[nearest].tolist())
    own = bytewise.own.copy()
    for row, sequence in zip(nearest.tolist(), view.sequences[nearest].tolist(), strict=True):
        own[row] = np.clip(float(vectors[sequence] @ query.embedding.values), -1.0, 1.0)
    return Arm(own, own if view.surroundings.are_empty else bytewise.around)


@dataclass(frozen=True, slots=True, eq=False)
class _Said:
    """Entries, ordered by term: which term, in which row, how often. `weights` are those of the terms."""

    terms: NDArray[np.int64]
    rows: Rows
    counts: Numbers
    weights: Numbers

    @classmethod
    def of(cls, occurrences: Sequence[Occurrences], weights: Numbers) -> _Said:
        none = [np.empty(0, np.int64)]
        return cls(
            np.repeat(np.arange(len(occurrences)), [len(found.rows) for found in occurrences]),
            np.concatenate(none + [found.rows for found in occurrences]),
            np.concatenate(none + [found.counts for found in occurrences]).astype(np.float64),
            weights,
        )

    def parts(self, terms_at_once: int) -> Iterator[_Said]:
        for first in range(0, len(self.weights), terms_at_once):
            begin, end = np.searchsorted(self.terms, [first, first + terms_at_once])
            yield _Said(
                self.terms[begin:end] - first,
                self.rows[begin:end],
                self.counts[begin:end],
                self.weights[first : first + terms_at_once],
            )


def _summed(size: int, said: _Said, lengths: Numbers, typical: float) -> Numbers:
    """BM25 of each row. Summed in the order of the terms, as `ranking.word_score` does: equal scores are then equal to
    the last bit."""
    parts = said.weights[said.terms] * saturation(said.counts, lengths[said.rows], typical)
    return np.bincount(said.rows, parts, size).astype(np.float64)


def _words_around(view: View, said: _Said, lengths: Numbers, typical: float) -> Numbers:
    """The neighbourhood as if it were one record, in which what stands further off is said less often."""
    surroundings = view.surroundings
    # The usual length of what stands around, each as often as it counts.
    shares = surroundings.summed(view.present.astype(np.float64))
    typical_around = surroundings.summed(lengths) / np.maximum(shares, 1.0)
    around = np.zeros(view.size)
    for part in said.parts(_TERMS_AT_ONCE):
        entries, rows, counts = surroundings.spread(part.rows, part.counts)
        table = np.bincount(part.terms[entries] * view.size + rows, counts, len(part.weights) * view.size)
        touched = np.flatnonzero(table)
        terms, reached = np.divmod(touched, view.size)
        spoken = _Said(terms, reached, table[touched].astype(np.float64), part.weights)
        around = around + _summed(view.size, spoken, typical_around, typical)
    # A record that has no text of its own is not found by the words of others.
    return np.where(view.present & (view.lengths >= 0), around, 0.0)


def _above_nothing(scores: Numbers) -> Numbers:
    return np.where(scores > 0, scores, np.nan)


def _best(view: View, measured: Numbers, allowed: Marks, limit: int) -> Rows:
    rows = np.flatnonzero(allowed & np.isfinite(measured))
    if len(rows) > limit > 0:
        last: float = np.partition(measured[rows], -limit)[-limit]
        rows = rows[measured[rows] >= last]
    newest = view.newest_first(rows)
    return newest[np.argsort(-measured[newest], kind="stable")[:limit]]
