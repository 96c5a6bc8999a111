"""Which engines does the contract hold for, and how does a test open one?

Another engine is one more entry in `ENGINES`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from yiku.adapters.clocks import ManualClock
from yiku.adapters.sqlite import open_sqlite
from yiku.model.limits import Limits
from yiku.ports.storage import Storage

Opener = Callable[[Path, ManualClock, Limits], Awaitable[Storage]]

DEFAULT_LIMITS = Limits()


async def _open_sqlite(place: Path, clock: ManualClock, limits: Limits) -> Storage:
    return await open_sqlite(place / "data", clock=clock, limits=limits)


ENGINES: dict[str, Opener] = {"sqlite": _open_sqlite}


class Engine:
    """A fresh place for data. Each `open` gives one more storage on it, as another process would have."""

    def __init__(self, opener: Opener, place: Path, clock: ManualClock) -> None:
        self._opener = opener
        self._place = place
        self._clock = clock
        self._opened: list[Storage] = []

    async def open(self, limits: Limits = DEFAULT_LIMITS) -> Storage:
        storage = await self._opener(self._place, self._clock, limits)
        self._opened.append(storage)
        return storage

    async def close(self) -> None:
        for storage in self._opened:
            await storage.close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=ENGINES)
async def engine(request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock) -> AsyncIterator[Engine]:
    engine = Engine(ENGINES[request.param], tmp_path, clock)
    yield engine
    await engine.close()


@pytest.fixture
async def storage(engine: Engine) -> Storage:
    return await engine.open()
