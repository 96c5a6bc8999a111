"""What does a test of the contract get: an engine, and as many storages on one place as it opens."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.engines import open_place
from yiku.adapters.clocks import ManualClock
from yiku.model.limits import Limits
from yiku.ports.storage import Storage

DEFAULT_LIMITS = Limits()


class Engine:
    """A fresh place for data. Each `open` gives one more storage on it, as another process would have."""

    def __init__(self, place: str, clock: ManualClock) -> None:
        self._place = place
        self._clock = clock
        self._opened: list[Storage] = []

    async def open(self, limits: Limits = DEFAULT_LIMITS) -> Storage:
        storage = await open_place(self._place, clock=self._clock, limits=limits)
        self._opened.append(storage)
        return storage

    async def close(self) -> None:
        for storage in self._opened:
            await storage.close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def engine(place: str, clock: ManualClock) -> AsyncIterator[Engine]:
    engine = Engine(place, clock)
    yield engine
    await engine.close()


@pytest.fixture
async def storage(engine: Engine) -> Storage:
    return await engine.open()
