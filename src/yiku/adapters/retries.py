"""When is a failed request sent again, and after which pause?

Exponential pauses with full jitter: many workers that failed at the same moment must not come back at the same moment.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from yiku.model.errors import Unavailable

Result = TypeVar("Result")

_FIRST_PAUSE_S = 0.5
_PAUSE_S_MAX = 20.0
"""Also the most that a server may ask of us: whoever waits behind this call has a deadline."""


class PassingFailure(Exception):
    """A failure that may be gone in a moment. `pause_s` is what the server asked for, if it did."""

    def __init__(self, message: str, *, pause_s: float | None = None) -> None:
        self.message = message
        self.pause_s = pause_s
        super().__init__(message)


@dataclass(frozen=True, kw_only=True, slots=True)
class Retries:
    attempts: int
    unavailable: type[Unavailable]
    """What is raised in the end."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    chance: Callable[[], float] = random.random

    async def run(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """What `attempt` returns, or `unavailable` with the message of its last failure."""
        failures = 0
        while True:
            try:
                return await attempt()
            except PassingFailure as failure:
                failures += 1
                pause_s = self._pause_s(failures, failure.pause_s)
                if failures >= self.attempts:
                    raise self.unavailable(failure.message, retry_after_s=max(1, math.ceil(pause_s))) from failure
                await self.sleep(pause_s)

    def _pause_s(self, failures: int, asked_s: float | None) -> float:
        if asked_s is not None:
            return min(asked_s, _PAUSE_S_MAX)
        return self.chance() * min(math.ldexp(_FIRST_PAUSE_S, failures - 1), _PAUSE_S_MAX)


def seconds_asked(retry_after: str | None) -> float | None:
    """The value of a Retry-After header, seconds or a date; None when there is none that makes sense."""
    if retry_after is None:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        moment = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if moment.tzinfo is None:  # RFC 9110 dates are GMT; `-0000` is read as a date without a zone.
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
