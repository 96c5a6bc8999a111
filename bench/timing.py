"""How long do calls take: one after the other in turns, or started at a fixed rate?"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

Call = Callable[[int], Awaitable[object]]
"""Takes the number of the call."""


async def in_turns(count: int, calls: Sequence[Call]) -> list[list[float]]:
    """Milliseconds of `count` runs of each; in turns, so that whatever slows the machine down slows all of them."""
    values: list[list[float]] = [[] for _ in calls]
    for number in range(count):
        for call, taken in zip(calls, values, strict=True):
            start = time.perf_counter()
            await call(number)
            taken.append((time.perf_counter() - start) * 1000)
    return values


async def open_rate(seconds: float, call: Call, *, per_second: int) -> list[float]:
    """Start calls at a fixed rate whether or not earlier ones have ended; each is timed from when it was due."""
    begin = time.perf_counter()  # The clock of a uvloop counts in whole milliseconds.
    values: list[float] = []

    async def one(number: int) -> None:
        due = begin + number / per_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await call(number)
        values.append((time.perf_counter() - due) * 1000)

    async with asyncio.TaskGroup() as group:
        for number in range(int(seconds * per_second)):
            group.create_task(one(number))
    return values
