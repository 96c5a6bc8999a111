"""What a score means: the chance that a store which holds this hit answers the question with it, from 0 to 1.

A logistic of a few measurements that say the same in every language and every size of store. Its coefficients come
from `python -m bench.calibration`, which fits them to questions asked of the right store and of somebody else's, on
madial_zh and lifebench_zh_a with the bundled model; so that 0.5 keeps what answers and drops what does not. With
another model cosines lie elsewhere, and the score is an order rather than a chance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yiku.model.records import Measured

MEAN_SHARE = 0.65
"""How much of the store's mean cosine is taken off each: unrelated texts lie at 0.78 in English stores and at 0.86 in
Chinese ones. All of it would be too much: in a store about one thing everything is near everything."""

USUAL_MEAN, IMAGINED = 0.82, 20
"""The mean of a store of a few records says nothing: so many imaginary ones, of usual nearness, are added to it."""

NAMES = ("words", "words around", "covered", "rare covered", "known", "then", "near", "near around")
"""Of the columns of `measurements`."""

COEFFICIENTS = (1.538, 4.095, 3.304, 7.989, -2.83, 1.173, 33.556, 53.618)
INTERCEPT = -29.925
NEAREST, FARTHEST = 0.45, 0.25
"""Beyond what was seen when the coefficients were fitted a vector says no more: it cannot outvote all words."""
AROUND_AGAINST = 0.05
"""At most so much further than the hit itself does its conversation count: two things said one after the other need not
belong together."""
FITTED_MEANS = (0.7, 0.95)
"""Where the mean cosine of a store lies with the model that the coefficients were fitted with."""
USUAL_DEVIATION, LEAST_DEVIATION = 0.02, 0.08
"""Of the fitted model, and of others."""
THE_SAME = 0.95
"""With any model such a cosine means the same text, or nearly."""
ANSWERED = 0.9
"""The least chance of what fills the slot that the question asks for: set, not fitted. Rules understood both, and the
words of such an answer may be none of the question's."""
UNKNOWN_NEAR = 0.345
"""For a hit without a vector, or a search by words alone: neither near nor far."""


def scores(measured: Measured, weights: NDArray[np.float64], best_possible: float) -> NDArray[np.float64]:
    """The score of every hit. `weights` are those of the terms, `best_possible` the word score of a perfect match."""
    logits = measurements(measured, weights, best_possible) @ np.array(COEFFICIENTS) + INTERCEPT
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-logits))
    return np.where(measured.is_answer, np.maximum(chances, ANSWERED), chances)


def measurements(measured: Measured, weights: NDArray[np.float64], best_possible: float) -> NDArray[np.float64]:
    """A row for each hit, a column for each of `NAMES`.

    `words` are parts of the perfect match; `covered` and `known` the parts of the question's weight that stand in the
    hit and anywhere in the store: a question of which the store knows every word, but no record most, is about
    something else. For `rare covered`, a word of twice the weight counts four times as much.
    """
    total, total_of_squares = float(weights.sum()) or 1.0, float((weights**2).sum()) or 1.0
    present = (measured.frequencies > 0) * weights
    somewhere = float(weights[np.array(measured.statistics.document_frequencies, np.int64) > 0].sum())
    records = measured.statistics.records
    own, around, mean = _on_the_fitted_scale(measured)
    usual = MEAN_SHARE * (records * mean + IMAGINED * USUAL_MEAN) / (records + IMAGINED)
    return np.column_stack(
        [
            measured.words / (best_possible or 1.0),
            np.maximum(measured.words, measured.words_around) / (best_possible or 1.0),
            present.sum(axis=1) / total,
            (present**2).sum(axis=1) / total_of_squares,
            np.full(len(measured), somewhere / total),
            measured.is_of_then,
            _near(own, usual),
            _near(np.fmax(around, own - AROUND_AGAINST), usual),
        ]
    )


def _on_the_fitted_scale(measured: Measured) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Cosines, those around, and their mean; of another model by how far they lie from their mean."""
    own, around, mean = measured.cosines, measured.cosines_around, measured.cosine_mean
    if FITTED_MEANS[0] <= mean <= FITTED_MEANS[1]:
        return own, around, mean
    stretch = USUAL_DEVIATION / max(measured.cosine_deviation, LEAST_DEVIATION)
    scaled = [
        np.where(cosines >= THE_SAME, cosines, USUAL_MEAN + (cosines - mean) * stretch) for cosines in (own, around)
    ]
    return scaled[0], scaled[1], USUAL_MEAN


def _near(cosines: NDArray[np.float64], usual: float) -> NDArray[np.float64]:
    return np.nan_to_num(np.clip(cosines - usual, FARTHEST, NEAREST), nan=UNKNOWN_NEAR)
