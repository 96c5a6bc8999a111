"""How a search finds its candidates: both arms over the indexes, the exact cut, and the rows that come out."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

from yiku.adapters.sqlite.conditions import Filter
from yiku.adapters.sqlite.connections import rows_of, value_of
from yiku.adapters.sqlite.features import term_hashes
from yiku.adapters.sqlite.index import NO_TEXT, PartitionIndex
from yiku.adapters.sqlite.postings import Occurrences
from yiku.adapters.sqlite.records import COLUMNS, records_of, to_json
from yiku.adapters.sqlite.vectors import cosines
from yiku.model.conditions import EVERYTHING
from yiku.model.ranking import saturation, term_weights, typical_length
from yiku.model.records import CandidateQuery, Candidates, Embedding, Record, TermStatistics
from yiku.model.scopes import Partition
from yiku.model.tokens import QueryTerms

_MEASURED_EXTRA = 32
"""How many more than it may bring the vector arm measures exactly, because int8 puts near ones in a wrong order."""

_ROWS = f"SELECT {COLUMNS} FROM record WHERE sequence IN (SELECT value FROM json_each(?))"

_HALVES = "SELECT sequence, vector FROM half WHERE sequence IN (SELECT value FROM json_each(?))"

_IN_ORDER_OF_IDS = """
SELECT sequence FROM record WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY id, partition
"""

Rows = NDArray[np.int64]


def find_candidates(
    connection: apsw.Connection,
    indexes: Sequence[tuple[Partition, PartitionIndex]],
    query: CandidateQuery,
    *,
    now: int,
) -> Candidates:
    """Inside the read transaction that the indexes belong to."""
    view = _View([index for _, index in indexes], now)
    allowed = view.present & _matching(connection, view, query, now)
    statistics, occurrences = _looked_up(view, query.terms)
    by_words = _best_by_words(connection, view, statistics, occurrences, allowed, query.limit)
    by_vectors, measured = _best_by_vectors(connection, view, query, allowed, also=by_words)
    wanted = view.sequences[np.union1d(by_words, by_vectors)].tolist()
    found = rows_of(connection, _ROWS, (to_json(wanted),))
    rows = view.rows_of([row[0] for row in found])
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


def _matching(connection: apsw.Connection, view: _View, query: CandidateQuery, now: int) -> NDArray[np.bool_]:
    """Which rows satisfy the condition."""
    if query.where == EVERYTHING or not view.indexes:
        return np.ones(view.size, np.bool_)
    chosen = Filter([index.number for index in view.indexes], query.kind, query.where, now=now)
    # As one text: a wide condition holds for thousands of rows, and each would become an object or two.
    found = value_of(connection, f"SELECT group_concat(sequence) FROM record WHERE {chosen.sql}", chosen.bindings)
    if found is None:
        return np.zeros(view.size, np.bool_)
    return np.isin(view.sequences, np.fromstring(found, np.int64, sep=","))


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


def _best_by_words(
    connection: apsw.Connection,
    view: _View,
    statistics: TermStatistics,
    occurrences: Sequence[Occurrences],
    allowed: NDArray[np.bool_],
    limit: int,
) -> Rows:
    scores = np.zeros(view.size)
    typical = typical_length(statistics)
    # Summed in the order of the terms, as `ranking.word_score` does: equal scores are then equal to the last bit.
    for weight, found in zip(term_weights(statistics), occurrences, strict=True):
        lengths = view.lengths[found.rows].astype(np.float64)
        scores[found.rows] += weight * saturation(found.counts.astype(np.float64), lengths, typical)
    rows = np.flatnonzero((scores > 0) & allowed)
    return _best(connection, view, rows, scores[rows], limit)


def _best_by_vectors(
    connection: apsw.Connection,
    view: _View,
    query: CandidateQuery,
    allowed: NDArray[np.bool_],
    *,
    also: Rows,
) -> tuple[Rows, NDArray[np.float64]]:
    """The nearest rows, and for every row its cosine where it was measured (theirs and those of `also`), else NaN."""
    measured = np.full(view.size, np.nan)
    none = np.empty(0, np.int64)
    if query.embedding is None:
        return none, measured
    model = value_of(connection, "SELECT number FROM model WHERE name = ?", (query.embedding.model,))
    near = [none]
    comparable = np.zeros(view.size, np.bool_)
    nearness = np.zeros(view.size)
    for index, start in zip(view.indexes, view.starts, strict=False):
        block = index.vectors.get((model, len(query.embedding.values)))
        if block is not None:
            comparable[start + block.rows[: block.used]] = True
            rows, values = block.nearness(query.embedding.values, allowed[start : start + index.used])
            nearness[start + rows] = values
            near.append(start + rows)
    rows = np.concatenate(near)
    closest = _at_least(rows, nearness[rows], query.limit + _MEASURED_EXTRA)
    _measure(connection, view, np.union1d(closest, also[comparable[also]]), query.embedding, measured)
    return _best(connection, view, closest, measured[closest], query.limit), measured


def _measure(
    connection: apsw.Connection, view: _View, rows: Rows, embedding: Embedding, measured: NDArray[np.float64]
) -> None:
    """Write the exact cosines of these rows into `measured`."""
    found = rows_of(connection, _HALVES, (to_json(view.sequences[rows].tolist()),))
    if found:
        halves = np.frombuffer(b"".join(half for _, half in found), np.float16).reshape(len(found), -1)
        measured[view.rows_of([sequence for sequence, _ in found])] = cosines(embedding.values, halves)


def _at_least(rows: Rows, scores: NDArray[np.float64], limit: int) -> Rows:
    """The `limit` best and whatever equals the last of them."""
    if len(rows) <= limit:
        return rows
    last: float = np.partition(scores, -limit)[-limit]
    return rows[scores >= last]


def _best(connection: apsw.Connection, view: _View, rows: Rows, scores: NDArray[np.float64], limit: int) -> Rows:
    """The `limit` best; among those that equal the last of them the smallest ids."""
    if len(rows) <= limit or limit == 0:
        return rows[:limit]
    last: float = np.partition(scores, -limit)[-limit]
    certain, tied = rows[scores > last], rows[scores == last]
    wanted = limit - len(certain)
    if len(tied) > wanted:
        tied = _by_id(connection, view, tied)[:wanted]
    return np.concatenate([certain, tied])


def _by_id(connection: apsw.Connection, view: _View, rows: Rows) -> Rows:
    found = rows_of(connection, _IN_ORDER_OF_IDS, (to_json(view.sequences[rows].tolist()),))
    return view.rows_of([sequence for (sequence,) in found])


def _frequencies(rows: Rows, occurrences: Sequence[Occurrences]) -> NDArray[np.int64]:
    """For each row, how often each term stands in it."""
    table = np.zeros((len(rows), len(occurrences)), np.int64)
    for column, found in enumerate(occurrences):
        if len(found.rows):
            places = np.minimum(np.searchsorted(found.rows, rows), len(found.rows) - 1)
            table[:, column] = np.where(found.rows[places] == rows, found.counts[places], 0)
    return table
