"""Is what a model gave a vector that can be stored and compared?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from yiku.model.errors import EmbedderUnavailable
from yiku.model.records import Embedding


def unit_embedding(values: ArrayLike, *, model: str, dimensions: int) -> Embedding:
    """`values` at length one, or an `EmbedderUnavailable` that says what is wrong with them.

    Read-only, because a cached vector is handed to many. One bad vector that got through would poison every later
    search of its owner: a NaN compares with nothing, a long vector wins always.
    """
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise _unusable("something that is not a list of numbers") from error
    if vector.shape != (dimensions,):
        raise _unusable(f"a vector of shape {vector.shape} where {dimensions} dimensions were expected")
    if not np.isfinite(vector).all():
        raise _unusable("a vector that holds numbers which are not finite")
    largest = float(np.abs(vector).max(initial=0.0))
    if largest == 0.0:
        raise _unusable("a vector of zeros only")
    scaled = vector / largest  # Squares of very large or very small numbers would leave the range of a float.
    unit = (scaled / np.linalg.norm(scaled)).astype(np.float32)
    unit.setflags(write=False)
    return Embedding(model, unit)


def _unusable(what: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(f"The embedding model answered with {what}: check that it is an embedding model.")
