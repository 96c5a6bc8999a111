"""How hits are scored and put in order: BM25 over our own tokens, cosine, and their mix. Pure, so engines agree.

BM25 here is `Σ weight(term) · saturation(frequency)`. A store of one memory must behave, so document frequencies are
smoothed: `SMOOTHING_RECORDS` imaginary records are added, in which each term is as common as in ordinary text
(`tables/background.txt`). In a store of thousands they no longer matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from yiku.model.records import Candidates, TermStatistics
from yiku.model.tables import background_shares
from yiku.model.tokens import CHARACTER_MARK

FREQUENCY_SATURATION = 1.2
"""BM25's k1: how soon more of the same word stops counting."""
LENGTH_PENALTY = 0.4
"""BM25's b: how much a long record has to say to count as much as a short one."""
CHARACTER_WEIGHT = 0.25
"""A shared character says far less than a shared pair."""
SMOOTHING_RECORDS = 20
SMOOTHING_LENGTH = 20.0
"""The length of an imaginary record, in words."""
RARE_SHARE = 0.005
"""The background share of terms that the table does not list."""
WORD_SHARE = 0.35
"""The part of the order that words decide; vectors decide the rest."""
COSINE_UNRELATED = 0.78
COSINE_SAME = 0.94
"""Between these the cosine says something: e5 vectors of unrelated texts lie near the first, of equal ones past the
second (engines.md §11: raw cosine is an order, not a relevance)."""

_Number = TypeVar("_Number", float, NDArray[np.float64])


def term_weight(term: str, document_frequency: int, records: int) -> float:
    """How much one term tells: its smoothed inverse document frequency, always above 0."""
    smoothed = document_frequency + SMOOTHING_RECORDS * _background_share(term)
    rarity = math.log(1 + (records + SMOOTHING_RECORDS - smoothed + 0.5) / (smoothed + 0.5))
    return rarity * CHARACTER_WEIGHT if term.startswith(CHARACTER_MARK) else rarity


def term_weights(statistics: TermStatistics) -> list[float]:
    return [
        term_weight(term, frequency, statistics.records)
        for term, frequency in zip(statistics.terms, statistics.document_frequencies, strict=True)
    ]


def typical_length(statistics: TermStatistics) -> float:
    """The average number of words in a record, smoothed like the frequencies."""
    words = statistics.average_length * statistics.records + SMOOTHING_LENGTH * SMOOTHING_RECORDS
    return words / (statistics.records + SMOOTHING_RECORDS)


def saturation(frequency: _Number, length: _Number, typical: float) -> _Number:
    """From 0 (absent) towards 1 (often, in a short record); takes floats or arrays."""
    return frequency / (frequency + FREQUENCY_SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * length / typical))


def word_score(frequencies: Sequence[int], length: int, weights: Sequence[float], typical: float) -> float:
    """BM25 of one record; `frequencies` and `weights` go with the same terms."""
    return sum(
        weight * saturation(float(frequency), float(length), typical)
        for frequency, weight in zip(frequencies, weights, strict=True)
        if frequency
    )


@lru_cache(maxsize=65_536)
def _background_share(term: str) -> float:
    shares = background_shares()
    bare = term.removeprefix(CHARACTER_MARK)
    if bare in shares:
        return shares[bare]
    # A pair with a very common character in it is more common than one without: 我喜, 的茶.
    parts = [shares[character] for character in bare if character in shares] if not bare.isascii() else []
    return max(RARE_SHARE, 0.1 * max(parts, default=0.0))


@dataclass(frozen=True, slots=True)
class Ranked:
    """Hit number `hit` with its score and the two measurements it was made of; all three lie between 0 and 1."""

    hit: int
    score: float
    words: float
    vector: float


def rank(candidates: Candidates, *, limit: int) -> list[Ranked]:
    """The best `limit` hits, best first, with scores that never increase.

    **Order.** Both legs are stretched to 0–1 over this query's hits and mixed. That beat fusion by rank, and mixing
    without stretching, on every set we measured (docs/adr/0005). Ties go by id.

    **Score.** How well a hit fits in absolute terms, not against the other hits: the chance that words or vectors are
    right about it, if each were right by itself with the probability it states. It is not fitted to data yet. A hit
    never scores above one that is placed before it.
    """
    if not candidates.ids:
        return []
    words, best_possible = _word_scores(candidates)
    order = WORD_SHARE * _stretched(words) + (1 - WORD_SHARE) * _stretched(candidates.cosines)
    covered = np.clip(words / (best_possible or 1.0), 0, 1)
    near = np.clip((candidates.cosines - COSINE_UNRELATED) / (COSINE_SAME - COSINE_UNRELATED), 0, 1)
    near[np.isnan(near)] = 0.0
    placed = np.lexsort((np.array(candidates.ids), -order))[:limit]
    scores = np.minimum.accumulate((1 - (1 - covered) * (1 - near))[placed])
    columns = (placed.tolist(), scores.tolist(), covered[placed].tolist(), near[placed].tolist())
    return [Ranked(*row) for row in zip(*columns, strict=True)]


def _word_scores(candidates: Candidates) -> tuple[NDArray[np.float64], float]:
    """BM25 of every hit, and that of a record of usual length which has each term once."""
    weights = np.array(term_weights(candidates.statistics))
    typical = typical_length(candidates.statistics)
    lengths = candidates.lengths[:, np.newaxis].astype(np.float64)
    scores: NDArray[np.float64] = (
        saturation(candidates.frequencies.astype(np.float64), lengths, typical) * weights
    ).sum(axis=1)
    return scores, float(weights.sum()) / (1 + FREQUENCY_SATURATION)


def _stretched(measured: NDArray[np.float64]) -> NDArray[np.float64]:
    """From 0 (the worst hit, or not measured) to 1 (the best); all 0 where the hits do not differ."""
    stretched = np.zeros_like(measured)
    known = ~np.isnan(measured)
    values = measured[known]
    if len(values) and (spread := values.max() - values.min()):
        stretched[known] = (values - values.min()) / spread
    return stretched
