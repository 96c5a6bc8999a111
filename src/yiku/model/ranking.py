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

from yiku.model import relevance
from yiku.model.records import Measured, TermStatistics
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
AROUND_SHARE = 0.7
"""The part that the conversation around a record decides. A turn says little without those beside it: "Yes, last week"
answers a question that names the thing. Whoever stands alone is their own surroundings."""
LITTLE_SAID = 1.0
"""A difference in word scores below this, which is less than one word of its own makes, is not stretched to the whole:
"the" alone decides nothing."""
LITTLE_NEARER = 0.05
"""Likewise of cosines: between two texts that are both unrelated to the question nothing is decided."""
WHOM_BONUS = 0.15
"""For what was said by those whom the question is about; 1 is the whole distance from the worst hit to the best."""
THEN_BONUS = 0.15
"""For what is of the time that the question names."""
ANSWER_BONUS = 1.0
"""For what fills the slot that the question asks for: no likeness of words or vectors says as much."""

REACH = 3
"""How many records on either side belong to the surroundings of one."""
TOGETHER_S = 3_600.0
"""Neighbours told further apart are of two conversations."""
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


def scale(statistics: TermStatistics) -> tuple[NDArray[np.float64], float]:
    """The weights of the terms, and the word score of a record of usual length that has each of them once."""
    weights = np.array(term_weights(statistics), np.float64)
    return weights, float(weights.sum()) / (1 + FREQUENCY_SATURATION)


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


def neighbour_weight(distance: int) -> float:
    """What a neighbour counts beside the record itself: less the further off it stands, and nothing past `REACH`."""
    return 1 - distance / (REACH + 1)


@dataclass(frozen=True, slots=True)
class Legs:
    """What made the place of one hit: parts of its order value, which add up to it."""

    words: float
    words_around: float
    vector: float
    vector_around: float
    whom: float
    then: float
    answer: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """Hit number `hit`, its score between 0 and 1, and what its place was made of."""

    hit: int
    score: float
    legs: Legs


def rank(measured: Measured, *, limit: int) -> list[Ranked]:
    """The best `limit` hits, best first, with scores that never increase.

    **Order.** Words and vectors, each of the record itself and of the conversation around it, are stretched to 0–1
    over this query's hits and mixed; those by whom and of when it asks get a bonus, and those that fill the slot it
    asks for a larger one. That beat fusion by rank, and mixing without stretching, on every set we measured
    (docs/adr/0005). Ties go to the newer record.

    **Score.** How well a hit fits in absolute terms, not against the other hits: see `model.relevance`. A hit never
    scores above one that is placed before it.
    """
    if not len(measured):
        return []
    weights, best_possible = scale(measured.statistics)
    legs = _legs(measured)
    placed = np.argsort(-legs.sum(axis=0), kind="stable")[:limit]
    scores = np.minimum.accumulate(relevance.scores(measured, weights, best_possible)[placed])
    return [
        Ranked(hit, score, Legs(*parts))
        for hit, score, parts in zip(placed.tolist(), scores.tolist(), legs[:, placed].T.tolist(), strict=True)
    ]


def _legs(measured: Measured) -> NDArray[np.float64]:
    """A row for each leg of `Legs`, a column for each hit."""
    own = 1 - AROUND_SHARE
    word_scale = max(_spread(measured.words), LITTLE_SAID)
    cosine_scale = max(_spread(measured.cosines), LITTLE_NEARER)
    return np.array(
        [
            own * WORD_SHARE * _stretched(measured.words, word_scale),
            AROUND_SHARE * WORD_SHARE * _stretched(measured.words_around, word_scale),
            own * (1 - WORD_SHARE) * _stretched(measured.cosines, cosine_scale),
            AROUND_SHARE * (1 - WORD_SHARE) * _stretched(measured.cosines_around, cosine_scale),
            WHOM_BONUS * measured.is_by_whom,
            THEN_BONUS * measured.is_of_then,
            ANSWER_BONUS * measured.is_answer,
        ]
    )


def _spread(own: NDArray[np.float64]) -> float:
    """From the worst hit to the best, by what they say themselves: around hits of one conversation stands nearly the
    same, and those small differences must not decide."""
    known = own[~np.isnan(own)]
    return float(known.max() - known.min()) if len(known) else 0.0


def _stretched(measured: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Upwards from 0 (the worst hit, or not measured), where `scale` becomes 1; all 0 where the hits do not differ."""
    stretched = np.zeros_like(measured)
    known = ~np.isnan(measured)
    if known.any() and scale:
        stretched[known] = (measured[known] - measured[known].min()) / scale
    return stretched
