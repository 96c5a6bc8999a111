"""How passages of documents are put in order: words and vectors in a linear mix, or fused by rank where that is asked.

A passage stands for itself: there is no conversation around it, and nobody said it.

A passage in another script than the question shares no words with it, however well it answers. Among passages of its
own script that would count against it, so it is credited with the words that a fitting passage usually shares. What
script it is in is known once its row is read; so ranking has two steps, `pooled` and `settled`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from yiku.model.passage_relevance import chances
from yiku.model.ranking import scale
from yiku.model.records import Measured

WORD_SHARE = 0.5
"""The part of the order that words decide unless the caller says otherwise (seed 004: alpha)."""
NEAREST_SPREAD = 0.25
"""Cosines of a question and passages of one base lie within this."""
VECTOR_WEIGHT = 2.0
"""What the whole of that counts, where 1 is a perfect match of words, which few passages come near. If answers use the
words of the question, 1 did as well; where many passages repeat its words, 2 found the right one more often."""
FOREIGN_WORDS = 0.4
"""The part of a perfect match that a passage in another script is credited with; from 0.35 to 0.5 it makes little
difference."""
RANK_SOFTENING = 60
"""k of reciprocal rank fusion, as its authors chose it."""

Numbers = NDArray[np.float64]


class Fusion(Enum):
    MIX = "hybrid"
    WORDS = "lexical"
    VECTORS = "semantic"
    RANKS = "rrf"


@dataclass(frozen=True, slots=True)
class PassageOrder:
    """`word_share` is what words count in a mix, 0–1."""

    fusion: Fusion = Fusion.MIX
    word_share: float = WORD_SHARE


HYBRID = PassageOrder()


@dataclass(frozen=True, slots=True)
class PassageLegs:
    """How well words and vector fit, each from 0 to 1; `vector` is None where the passage or the question has none."""

    words: float
    vector: float | None


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """Hit number `hit`. The order follows `value`; `score` is the chance, from 0 to 1, that the passage answers.

    `foreign_score` is that chance if the passage is in another script than the question.
    """

    hit: int
    value: float
    score: float
    foreign_score: float
    legs: PassageLegs


def pooled(measured: Measured, order: PassageOrder, *, limit: int) -> list[RankedPassage]:
    """The best `limit` hits, best first, and in a mix as many of the nearest: what `settled` may put first."""
    if not len(measured):
        return []
    weights, best_possible = scale(measured.statistics)
    words, vectors = measured.words / (best_possible or 1.0), _vectors(measured)
    values = _values(words, vectors, order)
    placed = np.argsort(-values, kind="stable")[:limit]
    if order.fusion is Fusion.MIX:
        nearest = np.argsort(-np.nan_to_num(vectors), kind="stable")[:limit]
        placed = np.concatenate([placed, nearest[~np.isin(nearest, placed)]])
    placed = placed[np.isfinite(values[placed])]
    own, foreign = chances(measured, weights, words)
    return [
        RankedPassage(
            hit,
            float(values[hit]),
            float(own[hit]),
            float(foreign[hit]),
            PassageLegs(min(float(words[hit]), 1.0), vector),
        )
        for hit, vector in zip(placed.tolist(), map(_known, vectors[placed].tolist()), strict=True)
    ]


def settled(
    pool: Sequence[RankedPassage], is_foreign: Sequence[bool], order: PassageOrder
) -> list[tuple[int, RankedPassage]]:
    """The pool in its final order, each with its place in `pool`; scores never increase."""
    if order.fusion is Fusion.MIX:
        credit = order.word_share * FOREIGN_WORDS
        pool = [
            replace(ranked, value=ranked.value + credit, score=ranked.foreign_score) if foreign else ranked
            for ranked, foreign in zip(pool, is_foreign, strict=True)
        ]
    ordered = sorted(enumerate(pool), key=lambda placed: -placed[1].value)
    lowest, final = 1.0, []
    for place, ranked in ordered:
        lowest = min(lowest, ranked.score)
        final.append((place, replace(ranked, score=lowest)))
    return final


def _values(words: Numbers, vectors: Numbers, order: PassageOrder) -> Numbers:
    """What the order follows; -inf for hits that the asked leg did not find."""
    match order.fusion:
        case Fusion.WORDS:
            return np.where(words > 0, words, -np.inf)
        case Fusion.VECTORS:
            return np.where(np.isfinite(vectors), vectors, -np.inf)
        case Fusion.RANKS:
            return _by_ranks(words) + _by_ranks(np.nan_to_num(vectors))
        case Fusion.MIX:
            # Words are not stretched to the hits, nor made to saturate: that put a question about nothing in the base
            # in as firm an order as one that is answered, and ranked no set better.
            near = np.where(np.isfinite(vectors), vectors, _by_words(words))
            return order.word_share * words + (1 - order.word_share) * VECTOR_WEIGHT * near


def _vectors(measured: Measured) -> Numbers:
    """1 for the nearest hit, less by what others are further off; a linear scale, the same for every query."""
    cosines = measured.cosines
    if not np.isfinite(cosines).any():
        return np.full(len(cosines), np.nan)
    return np.asarray(np.clip(1 - (np.nanmax(cosines) - cosines) / NEAREST_SPREAD, 0, 1), np.float64)


def _by_words(words: Numbers) -> Numbers:
    """For passages whose vectors are still being made: as near as their words are good. Taken for far off they would
    stand behind every passage that has a vector, however well they answer."""
    best = float(words.max())
    return words / best if best else words


def _by_ranks(leg: Numbers) -> Numbers:
    ranks = np.empty(len(leg), np.int64)
    ranks[np.argsort(-leg, kind="stable")] = np.arange(1, len(leg) + 1)
    return np.where(leg > 0, 1 / (RANK_SOFTENING + ranks), 0.0)


def _known(value: float) -> float | None:
    return value if np.isfinite(value) else None
