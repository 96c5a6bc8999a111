"""The verbs over the real engine in a temporary folder; only the clock and the embedder are doubles."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.adapters.sqlite import open_sqlite
from yiku.model.limits import Limits
from yiku.model.principal import Principal
from yiku.ports import Ports


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def ports(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Ports]:
    limits = Limits()
    storage = await open_sqlite(tmp_path / "data", clock=clock, limits=limits)
    yield Ports(storage=storage, embedder=HashedEmbedder(), clock=clock, limits=limits)
    await storage.close()


@pytest.fixture
def admin() -> Principal:
    return Principal(key_id="k", workspace="default", permissions=frozenset({"admin"}))
