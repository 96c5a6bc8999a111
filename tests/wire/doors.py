"""What stands behind a door under test: a real engine, and a look at all that it holds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.documents import open_documents
from tests.engines import open_place
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders.hashed import HashedEmbedder
from yiku.model.limits import Limits
from yiku.model.scopes import DEFAULT_WORKSPACE
from yiku.ports import Clock, Embedder, Ports


@asynccontextmanager
async def ports_at(
    place: Path | str, *, limits: Limits | None = None, embedder: Embedder | None = None, clock: Clock | None = None
) -> AsyncIterator[Ports]:
    """A store at this place and, unless they are given, the usual limits, the hashed embedder and the real time."""
    clock, limits, embedder = clock or SystemClock(), limits or Limits(), embedder or HashedEmbedder()
    storage = await open_place(str(place), clock=clock, limits=limits)
    try:
        async with open_documents(storage, clock, embedder) as documents:
            yield Ports(storage=storage, embedder=embedder, clock=clock, documents=documents, limits=limits)
    finally:
        await embedder.close()
        await storage.close()


async def everything_stored(ports: Ports) -> list[tuple[int, str, str, str]]:
    """Every record of the workspace with its place in the order of its user's changes."""
    partitions = await ports.storage.partitions(DEFAULT_WORKSPACE, "")
    changes = [change for partition in partitions for change in await ports.storage.scan(partition)]
    return [(change.sequence, change.partition.owner, change.ref.kind, change.ref.id) for change in changes]
