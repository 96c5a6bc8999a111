"""How a search finds its candidates: the hits of both arms, what is measured of them, and the rows that were chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from yiku.engine.arms import exact_arm, vector_arm, word_arm
from yiku.engine.index import NO_TEXT, PartitionIndex
from yiku.engine.postings import Occurrences
from yiku.engine.records import records_of
from yiku.engine.snapshot import Snapshot
from yiku.engine.times import NEVER, microseconds
from yiku.engine.view import Marks, Rows, View
from yiku.model.conditions import EVERYTHING
from yiku.model.records import CandidateQuery, Choose, Chosen, Measured, PlacedT, TermStatistics
from yiku.model.scopes import Partition
from yiku.model.tokens import QueryTerms, index_terms


def find_candidates(
    snapshot: Snapshot,
    indexes: Sequence[tuple[Partition, PartitionIndex]],
    query: CandidateQuery,
    choose: Choose[PlacedT],
    *,
    now: int,
) -> list[Chosen[PlacedT]]:
    """What `Storage.candidates` answers; the indexes are those of the snapshot."""
    view = View([index for _, index in indexes], now)
    allowed = view.present & _holding(view, query) & _matching(snapshot, view, query)
    statistics, occurrences = _looked_up(view, query.terms)
    words, vectors = word_arm(view, statistics, occurrences), vector_arm(view, query.embedding)
    if query.exact:
        vectors = exact_arm(view, vectors, allowed, snapshot, query)
    # Words alone are asked for what holds them, and the conversation only puts that in order.
    worded = allowed if query.embedding is not None else allowed & np.isfinite(words.own)
    answers = _answers(snapshot, view, query) & allowed
    arms = (words.best(view, worded, query.limit), vectors.best(view, allowed, query.limit))
    answering = view.newest_first(np.flatnonzero(answers))[: query.limit]
    hits = view.newest_first(np.unique(np.concatenate([*arms, answering])))
    places = choose(
        Measured(
            statistics=statistics,
            frequencies=_frequencies(hits, occurrences),
            words=np.nan_to_num(words.own[hits]),
            words_around=np.nan_to_num(words.around[hits]),
            cosines=vectors.own[hits],
            cosines_around=vectors.around[hits],
            is_by_whom=_by_whom(view, query)[hits],
            is_of_then=_of_then(view, query)[hits],
            is_answer=answers[hits],
            cosine_mean=vectors.mean,
            cosine_deviation=vectors.deviation,
        )
    )
    partitions = {index.number: partition for partition, index in indexes}
    return _chosen(snapshot, view.sequences[hits[[place.hit for place in places]]].tolist(), places, partitions)


def _chosen(
    snapshot: Snapshot, sequences: Sequence[int], places: Sequence[PlacedT], partitions: Mapping[int, Partition]
) -> list[Chosen[PlacedT]]:
    if not places:
        return []
    rows = {row[0]: row for row in snapshot.rows(sequences)}
    in_order = [rows[sequence] for sequence in sequences]
    return [
        Chosen(place, partitions[row[1]], record)
        for place, row, record in zip(places, in_order, records_of(in_order), strict=True)
    ]


def _matching(snapshot: Snapshot, view: View, query: CandidateQuery) -> Marks:
    """Which rows satisfy the condition."""
    if query.where == EVERYTHING or not view.size:
        return np.ones(view.size, np.bool_)
    return np.isin(view.sequences, snapshot.matching(view.numbers, query.kind, query.where))


def _answers(snapshot: Snapshot, view: View, query: CandidateQuery) -> Marks:
    """Which rows answer the question by what they are."""
    if query.answers is None or not view.size:
        return np.zeros(view.size, np.bool_)
    marked = np.isin(view.sequences, snapshot.matching(view.numbers, query.kind, query.answers))
    return marked & (view.settings["until"] != NEVER) if query.past_answers else marked


def _holding(view: View, query: CandidateQuery) -> Marks:
    """Which rows say something that holds at the time asked for."""
    held = np.ones(view.size, np.bool_)
    if query.since_by is not None:
        held &= view.settings["since"] <= microseconds(query.since_by)
    if query.until_after is not None:
        held &= view.settings["until"] > microseconds(query.until_after)
    return held


def _looked_up(view: View, terms: QueryTerms | None) -> tuple[TermStatistics, list[Occurrences]]:
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


def _by_whom(view: View, query: CandidateQuery) -> Marks:
    """Said by somebody whom the question names; or about one of its people, whom no record was said by."""
    marked, speakers = view.said_by(query.asked)
    for name in set(query.people) - speakers:
        terms = tuple(index_terms(name))
        found = [set(occurrences.rows.tolist()) for occurrences in view.find(terms)]
        marked[sorted(set.intersection(*found)) if found else []] = True
    return marked


def _of_then(view: View, query: CandidateQuery) -> Marks:
    begins, ends = view.settings["begins"], view.settings["ends"]
    marked = np.zeros(view.size, np.bool_)
    for start, end in query.periods:
        first, last = microseconds(start), microseconds(end)
        # A moment begins and ends at once.
        marked |= (begins < last) & ((ends > first) | (begins >= first))
    marked &= begins != 0
    return marked


def _frequencies(rows: Rows, occurrences: Sequence[Occurrences]) -> NDArray[np.int64]:
    """For each row, how often each term stands in it."""
    table = np.zeros((len(rows), len(occurrences)), np.int64)
    for column, found in enumerate(occurrences):
        if len(found.rows):
            places = np.minimum(np.searchsorted(found.rows, rows), len(found.rows) - 1)
            table[:, column] = np.where(found.rows[places] == rows, found.counts[places], 0)
    return table
