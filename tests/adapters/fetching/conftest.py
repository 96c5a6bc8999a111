"""What does a test of fetching get: a server on the loopback address, and a fetcher that may ask it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.adapters.fetching.wild_server import Names, WildServer, wild_server
from yiku.adapters.fetching import FetchBounds, GuardedFetcher

LOOPBACK = "127.0.0.1"
SMALL = FetchBounds(bytes_max=10_000, connect_s=2, silence_s=5, total_s=10)


@pytest.fixture
async def wild() -> AsyncIterator[WildServer]:
    async with wild_server() as server:
        yield server


@pytest.fixture
def names() -> Names:
    """`files.example` is our server."""
    return Names(files_example=[[LOOPBACK]])


@pytest.fixture
def fetcher(names: Names) -> GuardedFetcher:
    return GuardedFetcher(allowed_networks=[LOOPBACK], resolver=names, bounds=SMALL)
