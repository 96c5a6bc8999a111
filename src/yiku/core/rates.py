"""How often somebody may ask: token buckets, with the time given from outside."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from math import ceil

WINDOW_S = 60.0
NAMES_MAX = 10_000
"""Buckets that are remembered. The ones that were left alone the longest are full again, or nearly so."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """Requests a minute; 0 is no bound."""

    per_key: int = 0
    per_user: int = 0


class TokenBuckets:
    """A bucket a name: it holds a minute's requests, fills evenly, and each request takes one. 0 a minute: no bound.

    What is remembered of a bucket is the moment at which it will be full (the "generic cell rate algorithm"): one
    number, and nothing to be done while nobody asks.
    """

    def __init__(self, per_minute: int) -> None:
        self._interval_s = WINDOW_S / per_minute if per_minute else 0.0
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()

    def take(self, name: Hashable, now_s: float) -> int:
        """Take one request. 0 when there was one, otherwise the seconds until there is."""
        if not self._interval_s:
            return 0
        # A clock that was put back must not leave anybody waiting for longer than a window.
        full_at = min(max(self._full_at.get(name, now_s), now_s), now_s + WINDOW_S)
        self._full_at[name] = full_at
        wait_s = full_at + self._interval_s - WINDOW_S - now_s
        if wait_s > 1e-6:  # Sums of intervals are not exact; a microsecond is nobody's advantage.
            return ceil(wait_s)
        self._full_at[name] = full_at + self._interval_s
        self._full_at.move_to_end(name)
        if len(self._full_at) > NAMES_MAX:
            self._full_at.popitem(last=False)
        return 0
