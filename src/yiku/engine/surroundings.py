"""Which records stand near which in a conversation, and sums over such neighbourhoods.

A record and up to `ranking.REACH` others on either side, in the order in which they were made, as long as they are of
one thread and were told close together: a nearer one counts more (`ranking.neighbour_weight`). A record that belongs to
no conversation stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from yiku.engine.settings import Settings
from yiku.engine.times import MICROSECONDS_A_SECOND
from yiku.model.ranking import REACH, TOGETHER_S, neighbour_weight

Numbers = NDArray[np.float64]

_TOGETHER = round(TOGETHER_S * MICROSECONDS_A_SECOND)


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """`order` are the rows so that neighbours stand side by side; `places` is its inverse. `together[d - 1][i]` tells
    whether the rows at the places `i` and `i + d` belong to one neighbourhood."""

    order: NDArray[np.int64]
    places: NDArray[np.int64]
    together: tuple[NDArray[np.bool_], ...]

    @classmethod
    def of(cls, settings: Settings, present: NDArray[np.bool_]) -> Surroundings:
        """Those of the rows with these settings; the others are neighbours of nobody."""
        order = np.lexsort((settings["created"], settings["thread"], ~present))
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        thread, told = settings["thread"][order], settings["told"][order]
        joinable = present[order] & (thread != 0)
        near = (np.diff(told) <= _TOGETHER) & (np.diff(told) >= -_TOGETHER)
        next_to = joinable[:-1] & joinable[1:] & (thread[:-1] == thread[1:]) & near
        together = [next_to]
        for distance in range(2, REACH + 1):
            # Whoever stands further off is reached through those between.
            together.append(together[-1][:-1] & next_to[distance - 1 :] if len(together[-1]) else together[-1])
        return cls(order, places, tuple(together))

    @classmethod
    def side_by_side(cls, parts: Sequence[Surroundings]) -> Surroundings:
        """Of several indexes laid end to end: nobody has neighbours in another."""
        if len(parts) == 1:
            return parts[0]
        starts = np.cumsum([0, *(len(part.order) for part in parts)]).tolist()
        shifted = list(zip(parts, starts, strict=False))
        size = starts[-1]
        together = []
        for distance in range(1, REACH + 1):
            joined = np.zeros(max(0, size - distance), np.bool_)
            for part, start in shifted:
                found = part.together[distance - 1]
                joined[start : start + len(found)] = found
            together.append(joined)
        return cls(
            np.concatenate([np.empty(0, np.int64), *(part.order + start for part, start in shifted)]),
            np.concatenate([np.empty(0, np.int64), *(part.places + start for part, start in shifted)]),
            tuple(together),
        )

    @property
    def are_empty(self) -> bool:
        """Whether every record stands alone."""
        return not self.together[0].any()

    @property
    def bytes_held(self) -> int:
        return self.order.nbytes + self.places.nbytes + sum(joined.nbytes for joined in self.together)

    def summed(self, values: Numbers) -> Numbers:
        """For each row, the weighted sum of a value over its neighbourhood, itself included."""
        ordered = values[self.order]
        sums = ordered.copy()
        for distance, joined in enumerate(self.together, start=1):
            if len(joined):
                weight = neighbour_weight(distance)
                sums[distance:] += weight * np.where(joined, ordered[:-distance], 0.0)
                sums[:-distance] += weight * np.where(joined, ordered[distance:], 0.0)
        return sums[self.places]

    def spread(self, rows: NDArray[np.int64], values: Numbers) -> tuple[NDArray[np.int64], NDArray[np.int64], Numbers]:
        """What some rows have, shared with their neighbours: from which entry, to which row, and how much of it."""
        places, entries = self.places[rows], np.arange(len(rows))
        sources, targets, shares = [entries], [places], [values]
        for distance, joined in enumerate(self.together, start=1):
            weight = neighbour_weight(distance)
            padded = np.append(joined, np.zeros(distance, np.bool_))
            after = np.flatnonzero(padded[places])
            before = np.flatnonzero(padded[places - distance] & (places >= distance))
            sources += [after, before]
            targets += [places[after] + distance, places[before] - distance]
            shares += [weight * values[after], weight * values[before]]
        return np.concatenate(sources), self.order[np.concatenate(targets)], np.concatenate(shares)
