"""Which cells of a sheet are merged, and what stands in those that show nothing of their own?

A merged cell keeps its value in its first place only. Here it is given to all of them, so that every row says what it
belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yiku.model.parsed import Cell

_HEADER_ROWS_MAX = 4


@dataclass(frozen=True, slots=True)
class Merge:
    """A rectangle of cells, counted from 0, its last row and column included."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def is_wide(self) -> bool:
        return self.right > self.left


def filled(rows: Sequence[Sequence[Cell]], merges: Sequence[Merge]) -> list[list[Cell]]:
    grid = [list(row) for row in rows]
    for merge in merges:
        if merge.top < len(grid) and merge.left < len(grid[merge.top]):
            value = grid[merge.top][merge.left]
            for row in grid[merge.top : merge.bottom + 1]:
                inside = row[merge.left : merge.right + 1]
                row[merge.left : merge.right + 1] = [value] * len(inside)
    return grid


def header_rows(place: int, merges: Sequence[Merge]) -> int:
    """How many rows the names of columns take up that begin in row `place`: a name over several columns has names below
    it, and one over several rows stands beside them."""
    heights = [merge.bottom - place + 1 for merge in merges if merge.top == place]
    if any(merge.is_wide for merge in merges if merge.top == place):
        heights.append(2)
    return min(max(heights, default=1), _HEADER_ROWS_MAX)


def without_rows(merges: Sequence[Merge], kept: Sequence[int]) -> list[Merge]:
    """The same merges once only the rows `kept` are left, as those rows are counted then."""
    places = {row: place for place, row in enumerate(kept)}
    found = []
    for merge in merges:
        rows = (
            [places[row] for row in range(merge.top, merge.bottom + 1) if row in places] if merge.top in places else []
        )
        if rows:
            found.append(Merge(rows[0], merge.left, rows[-1], merge.right))
    return found
