"""Arrays that grow at their end while others read their beginning."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Scalar = TypeVar("_Scalar", bound=np.generic)


def extended(column: NDArray[_Scalar], used: int, more: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """A column that begins with `column[:used]`, followed by `more`.

    It is the same array while there is room: whoever holds an older state never looks past their own `used`. Only the
    newest state of a column may be extended, and by one thread.
    """
    needed = used + len(more)
    if needed > len(column):
        room = needed if used == 0 else max(needed, used * 3 // 2)
        shape: tuple[Any, ...] = (room, *column.shape[1:])
        larger = np.empty(shape, column.dtype)
        larger[:used] = column[:used]
        column = larger
    column[used:needed] = more
    return column
