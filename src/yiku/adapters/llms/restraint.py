"""When must a model be left alone? When it was asked enough this minute, and when it does not answer anyway."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil

from yiku.model.errors import LlmUnavailable

_WINDOW_S = 60.0
_FAILURES_IN_A_ROW = 3
_LEFT_ALONE_S = 30.0


class CallBudget:
    """At most so many calls within any minute; 0 is no bound."""

    def __init__(self, per_minute: int, monotonic: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._monotonic = monotonic
        self._calls: deque[float] = deque(maxlen=per_minute)

    def spend(self) -> None:
        """Count one call, or raise `LlmUnavailable` with the time until there is room for it."""
        if not self._per_minute:
            return
        now = self._monotonic()
        if len(self._calls) == self._per_minute and now - self._calls[0] < _WINDOW_S:
            wait_s = max(1, ceil(self._calls[0] + _WINDOW_S - now))
            raise LlmUnavailable(
                f"The language model has been called {self._per_minute} times within a minute, which is the bound set"
                f" (llm_calls_per_minute): next in {wait_s} seconds.",
                retry_after_s=wait_s,
            )
        self._calls.append(now)


class Breaker:
    """After some failures in a row nobody waits for the model for a while: each would wait out its whole deadline.

    When the while is over, calls go through again, and the first failure begins another.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._failures = 0
        self._open_until = 0.0

    @contextmanager
    def guarding(self) -> Iterator[None]:
        """A call of the model goes into the body."""
        left_s = self._open_until - self._monotonic()
        if left_s > 0:
            raise LlmUnavailable(
                "The language model has not answered several times in a row: it is left alone for a moment.",
                retry_after_s=ceil(left_s),
            )
        try:
            yield
        except (LlmUnavailable, asyncio.CancelledError):  # Whoever waits for it cancels it at the deadline.
            self._failures += 1
            if self._failures >= _FAILURES_IN_A_ROW:
                self._open_until = self._monotonic() + _LEFT_ALONE_S
            raise
        self._failures = 0
