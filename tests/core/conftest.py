"""The verbs over each real engine in turn; only the clock and the embedder are doubles."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.documents import open_documents
from tests.engines import open_place
from yiku.adapters.clocks import ManualClock
from yiku.adapters.embedders import HashedEmbedder
from yiku.model.limits import Limits
from yiku.model.principal import Principal
from yiku.ports import Ports


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def ports(place: str, clock: ManualClock) -> AsyncIterator[Ports]:
    limits = Limits()
    storage = await open_place(place, clock=clock, limits=limits)
    embedder = HashedEmbedder()
    async with open_documents(storage, clock, embedder) as documents:
        yield Ports(storage=storage, embedder=embedder, clock=clock, documents=documents, limits=limits)
    await storage.close()


@pytest.fixture
def admin() -> Principal:
    return Principal(key_id="k", workspace="default", permissions=frozenset({"admin"}))
