"""How a search finds its candidates: both arms over the indexes, the exact cut, and the rows that come out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from yiku.engine.features import term_hashes
from yiku.engine.index import NO_TEXT, PartitionIndex
from yiku.engine.postings import Occurrences
from yiku.engine.records import records_of
from yiku.engine.snapshot import Snapshot, Stored
from yiku.engine.vectors import cosines
from yiku.model.conditions import EVERYTHING
from yiku.model.ranking import saturation, term_weights, typical_length
from yiku.model.records import CandidateQuery, Candidates, Embedding, Record, TermStatistics
from yiku.model.scopes import Partition
from yiku.model.tokens import QueryTerms

_TIED_EXTRA = 64
"""How many equal ones are fetched to be put in order here; of more, the database is asked for the order first."""
_MEASURED_EXTRA = 32
"""How many more than it may bring the vector arm measures exactly, because int8 puts near ones in a wrong order."""

Rows = NDArray[np.int64]


def find_candidates(
    snapshot: Snapshot, indexes: Sequence[tuple[Partition, PartitionIndex]], query: CandidateQuery, *, now: int
) -> Candidates:
    """What `Storage.candidates` answers; the indexes are those of the snapshot."""
    view = _View([index for _, index in indexes], now)
    allowed = view.present & _matching(snapshot, view, query)
    statistics, occurrences = _looked_up(view, query.terms)
    scores = _word_scores(view, statistics, occurrences)
    worded = _best_by_words(snapshot, view, scores, np.flatnonzero((scores > 0) & allowed), query.limit)
    near = _near(view, query, allowed)
    # In one trip, a few more than are kept: which of the near ones are the nearest only the exact vectors can tell, and
    # which of equal ones come first only the ids.
    stored = snapshot.stored(view.sequences[np.union1d(worded, near)].tolist(), with_halves=query.embedding is not None)
    measured = _measured(view, query.embedding, stored)
    places = view.rows_of([row[0] for row in stored.rows])
    order = _order_of_ids(view, places, stored)
    by_words = _best(worded, scores[worded], order, query.limit)
    by_vectors = _best(near, measured[near], order, query.limit)
    kept = np.flatnonzero(np.isin(places, np.union1d(by_words, by_vectors)))
    rows, found = places[kept], [stored.rows[place] for place in kept.tolist()]
    partitions = {index.number: partition for partition, index in indexes}

    def read(hits: Sequence[int]) -> list[tuple[Partition, Record]]:
        chosen = [found[hit] for hit in hits]
        return [(partitions[row[1]], record) for row, record in zip(chosen, records_of(chosen), strict=True)]

    return Candidates(
        ids=[row[3] for row in found],
        read=read,
        frequencies=_frequencies(rows, occurrences),
        lengths=np.maximum(view.lengths[rows], 0).astype(np.int64),
        cosines=measured[rows],
        statistics=statistics,
    )


def _order_of_ids(view: _View, places: Rows, stored: Stored) -> NDArray[np.int64]:
    """For each row that was fetched, its place by id and then by partition."""
    order = np.zeros(view.size, np.int64)
    in_order = sorted(range(len(places)), key=lambda hit: (stored.rows[hit][3], stored.rows[hit][1]))
    order[places[in_order]] = np.arange(len(places))
    return order


class _View:
    """The searched indexes laid end to end: one row number stands for one record of any of them."""

    def __init__(self, indexes: Sequence[PartitionIndex], now: int) -> None:
        self.indexes = indexes
        self.starts = np.cumsum([0, *(index.used for index in indexes)]).tolist()
        self.size: int = self.starts[-1]
        parts = indexes or [PartitionIndex(0, "")]
        self.sequences = np.concatenate([index.sequences[: index.used] for index in parts])
        self.lengths = np.concatenate([index.lengths[: index.used] for index in parts])
        self._by_sequence = np.argsort(self.sequences, kind="stable")
        # Expired rows are dead before anybody deletes them.
        self.present = np.concatenate(
            [index.alive[: index.used] & (index.expires[: index.used] > now) for index in parts]
        )

    def rows_of(self, sequences: Sequence[int]) -> Rows:
        """The rows of these records, which are all in the view."""
        rows: Rows = self._by_sequence[np.searchsorted(self.sequences, sequences, sorter=self._by_sequence)]
        return rows

    def comparable(self, embedding: Embedding) -> NDArray[np.bool_]:
        """Which rows have a vector of the same model and size."""
        marked = np.zeros(self.size, np.bool_)
        for index, start in zip(self.indexes, self.starts, strict=False):
            block = index.vectors.get((embedding.model, len(embedding.values)))
            if block is not None:
                marked[start + block.rows[: block.used]] = True
        return marked

    def find(self, terms: Sequence[str]) -> list[Occurrences]:
        """Where each term stands among the present rows."""
        hashes = term_hashes(terms)
        found = [index.postings.find(hashes) for index in self.indexes]
        return [self._together([part[place] for part in found]) for place in range(len(terms))]

    def _together(self, parts: Sequence[Occurrences]) -> Occurrences:
        empty = np.empty(0, np.int64)
        rows = np.concatenate([empty, *(part.rows + start for part, start in zip(parts, self.starts, strict=False))])
        counts = np.concatenate([empty, *(part.counts for part in parts)])
        present = self.present[rows]
        return Occurrences(rows[present], counts[present])


def _matching(snapshot: Snapshot, view: _View, query: CandidateQuery) -> NDArray[np.bool_]:
    """Which rows satisfy the condition."""
    if query.where == EVERYTHING or not view.indexes:
        return np.ones(view.size, np.bool_)
    found = snapshot.matching([index.number for index in view.indexes], query.kind, query.where)
    return np.isin(view.sequences, found)


def _looked_up(view: _View, terms: QueryTerms | None) -> tuple[TermStatistics, list[Occurrences]]:
    looked_up: tuple[str, ...] = () if terms is None else tuple(dict.fromkeys(terms.words + terms.lone_characters))
    occurrences = view.find(looked_up)
    if terms is not None and not any(len(found.rows) for found in occurrences[: len(terms.words)]):
        others = tuple(character for character in terms.characters if character not in looked_up)
        looked_up += others
        occurrences += view.find(others)
    lengths = view.lengths[view.present & (view.lengths != NO_TEXT)]
    statistics = TermStatistics(
        terms=looked_up,
        document_frequencies=tuple(len(found.rows) for found in occurrences),
        records=len(lengths),
        average_length=float(lengths.mean()) if len(lengths) else 0.0,
    )
    return statistics, occurrences


def _word_scores(view: _View, statistics: TermStatistics, occurrences: Sequence[Occurrences]) -> NDArray[np.float64]:
    scores = np.zeros(view.size)
    typical = typical_length(statistics)
    # Summed in the order of the terms, as `ranking.word_score` does: equal scores are then equal to the last bit.
    for weight, found in zip(term_weights(statistics), occurrences, strict=True):
        lengths = view.lengths[found.rows].astype(np.float64)
        scores[found.rows] += weight * saturation(found.counts.astype(np.float64), lengths, typical)
    return scores


def _best_by_words(snapshot: Snapshot, view: _View, scores: NDArray[np.float64], rows: Rows, limit: int) -> Rows:
    """The best rows, with those that equal the last of them while these are few."""
    best = _at_least(rows, scores[rows], limit)
    if len(best) <= limit + _TIED_EXTRA:
        return best
    last = scores[best].min()
    tied = best[scores[best] == last]
    in_order = view.rows_of(snapshot.in_order_of_ids(view.sequences[tied].tolist()))
    return np.concatenate([best[scores[best] > last], in_order[:limit]])


def _near(view: _View, query: CandidateQuery, allowed: NDArray[np.bool_]) -> Rows:
    """The rows that the int8 vectors put first: the nearest are among them."""
    none = np.empty(0, np.int64)
    if query.embedding is None:
        return none
    values = query.embedding.values
    near, nearness = [none], [np.empty(0)]
    for index, start in zip(view.indexes, view.starts, strict=False):
        block = index.vectors.get((query.embedding.model, len(values)))
        if block is not None:
            rows, measured = block.nearness(values, allowed[start : start + index.used])
            near.append(start + rows)
            nearness.append(measured)
    return _at_least(np.concatenate(near), np.concatenate(nearness), query.limit + _MEASURED_EXTRA)


def _measured(view: _View, embedding: Embedding | None, stored: Stored) -> NDArray[np.float64]:
    """For every row its exact cosine, or NaN where there is none to be had: no vector, or that of another model."""
    measured = np.full(view.size, np.nan)
    if embedding is None or not stored.halves:
        return measured
    comparable = view.comparable(embedding)
    rows = view.rows_of([sequence for sequence, _ in stored.halves])
    chosen = np.flatnonzero(comparable[rows])
    if len(chosen):
        halves = b"".join(stored.halves[place][1] for place in chosen.tolist())
        measured[rows[chosen]] = cosines(
            embedding.values, np.frombuffer(halves, np.float16).reshape(len(chosen), len(embedding.values))
        )
    return measured


def _at_least(rows: Rows, scores: NDArray[np.float64], limit: int) -> Rows:
    """The `limit` best and whatever equals the last of them."""
    if len(rows) <= limit or limit == 0:
        return rows[:limit]
    last: float = np.partition(scores, -limit)[-limit]
    return rows[scores >= last]


def _best(rows: Rows, scores: NDArray[np.float64], order: NDArray[np.int64], limit: int) -> Rows:
    """The `limit` best; among those that equal the last of them the first in `order`."""
    return rows[np.lexsort((order[rows], -scores))[:limit]]


def _frequencies(rows: Rows, occurrences: Sequence[Occurrences]) -> NDArray[np.int64]:
    """For each row, how often each term stands in it."""
    table = np.zeros((len(rows), len(occurrences)), np.int64)
    for column, found in enumerate(occurrences):
        if len(found.rows):
            places = np.minimum(np.searchsorted(found.rows, rows), len(found.rows) - 1)
            table[:, column] = np.where(found.rows[places] == rows, found.counts[places], 0)
    return table
