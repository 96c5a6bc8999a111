"""How near vectors are: int8 for the scan over all, float16 for the few that come out of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import simsimd
from numpy.typing import NDArray

from yiku.engine.columns import extended


@dataclass(frozen=True, slots=True, eq=False)
class VectorBlock:
    """The vectors of one model in a partition; `rows[i]` is the row that `matrix[i]` belongs to. `used` counts them."""

    used: int
    rows: NDArray[np.int64]
    scales: NDArray[np.float64]
    matrix: NDArray[np.int8]

    @classmethod
    def empty(cls, dimensions: int) -> VectorBlock:
        return cls(0, np.empty(0, np.int64), np.empty(0, np.float64), np.empty((0, dimensions), np.int8))

    def extended(self, rows: NDArray[np.int64], scales: NDArray[np.float64], matrix: NDArray[np.int8]) -> VectorBlock:
        return VectorBlock(
            self.used + len(rows),
            extended(self.rows, self.used, rows),
            extended(self.scales, self.used, scales),
            extended(self.matrix, self.used, matrix),
        )

    def nearness(
        self, query: NDArray[np.float32], allowed: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The allowed rows of this block and their approximate cosines, up to one factor."""
        small, _ = quantised(query)
        chosen = np.flatnonzero(allowed[self.rows[: self.used]])
        # Copying a few rows together is cheaper than measuring all; copying most of them is not.
        if len(chosen) * 4 < self.used:
            products = inner_products(small, self.matrix[chosen])
        else:
            products = inner_products(small, self.matrix[: self.used])[chosen]
        return self.rows[chosen], products * self.scales[chosen]

    @property
    def bytes_held(self) -> int:
        return self.rows.nbytes + self.scales.nbytes + self.matrix.nbytes


def quantised(values: NDArray[np.float32]) -> tuple[NDArray[np.int8], float]:
    """The vector as int8, and what to multiply it with to have it back.

    One scale for each vector: the components of a unit vector are small, and a common one would waste the bits.
    """
    scale = float(np.max(np.abs(values), initial=0.0)) / 127 or 1.0
    return np.rint(values / scale).astype(np.int8), scale


def cosines(query: NDArray[np.float32], halves: NDArray[np.float16]) -> NDArray[np.float64]:
    """The cosines of unit vectors; rounding to float16 must not take one beyond ±1."""
    return np.clip(inner_products(query.astype(np.float16), halves), -1.0, 1.0)


def inner_products(
    query: NDArray[np.int8] | NDArray[np.float16], matrix: NDArray[np.int8] | NDArray[np.float16]
) -> NDArray[np.float64]:
    """The one place that knows the kernel."""
    if not len(matrix):
        return np.empty(0, np.float64)
    products = simsimd.cdist(query[np.newaxis], np.ascontiguousarray(matrix), "inner")
    return np.array(products, np.float64).reshape(len(matrix))
