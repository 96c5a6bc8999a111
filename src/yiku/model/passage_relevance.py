"""What the score of a passage means: the chance that this base answers the question with it, from 0 to 1.

Two logistics of a few measurements that say the same in every language and size of base: one for passages in the script
of the question, and one for those in another, of which only the vector says anything. Their coefficients come from
`python -m bench.knowledge_calibration`, which fits them to the questions of XQuAD, Chinese and English, of one language
and across, and to the same questions with the passage that answers them taken out of the base; 0.5 tells the two apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yiku.model.records import Measured

USUAL_MEAN, USUAL_DEVIATION, IMAGINED = 0.64, 0.033, 20
"""Mean and deviation of the cosines of a few passages say nothing: so many imaginary ones are added to them."""
UNKNOWN_NEAR = 4.0
"""For a passage without a vector, or a search by words alone: neither near nor far."""

NAMES = ("words", "covered", "known", "near")
"""Of the columns of `measurements`."""
COEFFICIENTS = (-1.458, 12.963, -6.149, 1.008)
INTERCEPT = -3.702
FOREIGN_NEAR = 1.506
FOREIGN_INTERCEPT = -5.533

Numbers = NDArray[np.float64]


def chances(measured: Measured, weights: Numbers, words: Numbers) -> tuple[Numbers, Numbers]:
    """Of every hit: if it is in the script of the question, and if it is in another. `weights` are those of the terms,
    `words` the parts of a perfect match."""
    columns = measurements(measured, weights, words)
    own = columns @ np.array(COEFFICIENTS) + INTERCEPT
    return _logistic(own), _logistic(FOREIGN_NEAR * columns[:, 3] + FOREIGN_INTERCEPT)


def measurements(measured: Measured, weights: Numbers, words: Numbers) -> Numbers:
    """A row for each hit, a column for each of `NAMES`.

    `covered` and `known` are the parts of the question's weight that stand in the passage and anywhere in the base: a
    question of which the base knows every word, but no passage most, is about something else. `near` is by how many
    deviations the passage lies nearer than passages of this base usually do.
    """
    total = float(weights.sum()) or 1.0
    frequencies = np.array(measured.statistics.document_frequencies, np.int64)
    known = float(weights[frequencies > 0].sum()) / total
    covered = ((measured.frequencies > 0) * weights).sum(axis=1) / total
    return np.column_stack([words, covered, np.full(len(words), known), _near(measured)])


def _near(measured: Measured) -> Numbers:
    passages = measured.statistics.records
    mean = (passages * measured.cosine_mean + IMAGINED * USUAL_MEAN) / (passages + IMAGINED)
    spread = passages * measured.cosine_deviation**2 + IMAGINED * USUAL_DEVIATION**2
    deviation = float(np.sqrt(spread / (passages + IMAGINED)))
    return np.nan_to_num((measured.cosines - mean) / deviation, nan=UNKNOWN_NEAR)


def _logistic(logits: Numbers) -> Numbers:
    limited = np.clip(logits, -60, 60)
    return np.asarray(1 / (1 + np.exp(-limited)), np.float64)
