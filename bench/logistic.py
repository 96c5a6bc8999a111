"""Logistic regression by Newton's method, and how well a score tells two kinds apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]

_PENALTY = 3.0
_STEPS = 50


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    coefficients: Numbers
    intercept: float

    def chances(self, measured: Numbers) -> Numbers:
        chances: Numbers = 1 / (1 + np.exp(-(measured @ self.coefficients + self.intercept)))
        return chances


def fitted(measured: Numbers, answered: Marks, weights: Numbers) -> Fit:
    """`measured` has a row an example; large coefficients are held back, on columns brought to one spread."""
    mean, spread = measured.mean(axis=0), measured.std(axis=0) + 1e-9
    columns = np.column_stack([(measured - mean) / spread, np.ones(len(measured))])
    penalty = np.append(np.full(measured.shape[1], _PENALTY), 0.0)
    solution = np.zeros(columns.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-(columns @ solution)))
        gradient = columns.T @ (weights * (chances - answered)) + penalty * solution
        curvature = (columns * (weights * chances * (1 - chances))[:, np.newaxis]).T @ columns + np.diag(penalty)
        solution -= np.linalg.solve(curvature, gradient)
    coefficients = solution[:-1] / spread
    return Fit(coefficients, float(solution[-1] - coefficients @ mean))


def area_under_curve(scores: Numbers, answered: Marks) -> float:
    """The chance that one that is answered scores above one that is not; ties count half."""
    yes, no = scores[answered], np.sort(scores[~answered])
    below = np.searchsorted(no, yes, "left") + np.searchsorted(no, yes, "right")
    return float(below.sum() / (2 * len(yes) * len(no)))
