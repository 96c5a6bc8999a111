"""How workers of this process learn at once that jobs may have become claimable."""

from __future__ import annotations

import asyncio

_POLL_S = 0.5
"""The work of other processes, and leases and delays that run out, announce themselves to nobody."""


class JobSignal:
    """Stays set until somebody found nothing to claim, so no wake-up is lost between a claim and the wait after it."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._times_set = 0

    @property
    def times_set(self) -> int:
        return self._times_set

    def set(self) -> None:
        self._times_set += 1
        self._event.set()

    def nothing_found(self, *, since: int) -> None:
        """A claim that began when `times_set` was `since` came back empty."""
        if since == self._times_set:
            self._event.clear()

    async def wait(self, timeout_s: float) -> None:
        try:
            async with asyncio.timeout(min(timeout_s, _POLL_S)):
                await self._event.wait()
        except TimeoutError:
            return
