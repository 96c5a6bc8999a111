"""What stands behind the ports: the store, the embedder and the clock that the settings name, and the worker.

Apart from `server`, so that commands which only need a store do not load every door.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import CachedQueries, HashedEmbedder, LocalEmbedder, OpenAICompatibleEmbedder
from yiku.adapters.sqlite import DATABASE_FILE, open_sqlite
from yiku.adapters.sqlite.backup import copy_database, verified_copy
from yiku.core.work import run_worker
from yiku.model.errors import InvalidInput
from yiku.model.principal import Principal
from yiku.model.retention import FOR_EVER, Retention
from yiku.model.scopes import DEFAULT_WORKSPACE
from yiku.ports import Clock, Embedder, Ports, Storage
from yiku.settings import Settings

__all__ = [
    "DATABASE_FILE",
    "OPERATOR",
    "SystemClock",
    "copy_database",
    "database_time",
    "make_embedder",
    "open_ports",
    "open_storage",
    "verified_copy",
    "working",
]

OPERATOR = Principal(key_id="operator", workspace=DEFAULT_WORKSPACE, permissions=frozenset({"admin"}))
"""Who acts when no key is asked for: `auth=off`, and commands of the person who owns the data."""

CACHED_QUERIES = 256
"""Agents ask the same question of several doors and pages within a minute."""


@asynccontextmanager
async def open_ports(settings: Settings) -> AsyncIterator[Ports]:
    """The store and the embedder that the settings name, closed again at the end."""
    clock = SystemClock()
    embedder = make_embedder(settings)
    try:
        storage = await open_storage(settings, clock)
        try:
            yield Ports(storage=storage, embedder=embedder, clock=clock, limits=settings.limits)
        finally:
            await storage.close()
    finally:
        await embedder.close()


@asynccontextmanager
async def working(ports: Ports, retention: Retention = FOR_EVER) -> AsyncIterator[None]:
    """A worker beside the body. At the end it gets a while to finish; what is cut off is claimed again later."""
    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(ports, stop, retention))
    try:
        yield
    finally:
        stop.set()
        done, _ = await asyncio.wait({worker}, timeout=ports.limits.shutdown_deadline_s)
        if not done:
            worker.cancel()
        await asyncio.gather(worker, return_exceptions=not done)


async def open_storage(settings: Settings, clock: Clock) -> Storage:
    """The store alone."""
    if settings.database_url is None:
        return await open_sqlite(
            settings.data_dir, clock=clock, limits=settings.limits, cache_bytes=settings.cache_bytes
        )
    try:
        # Only those who use it have its driver installed.
        from yiku.adapters.postgres import open_postgres
    except ModuleNotFoundError as error:
        raise InvalidInput(
            f"YIKU_DATABASE_URL needs packages that are not installed ({error.name}): pip install 'yiku[postgres]'",
            field="YIKU_DATABASE_URL",
        ) from error
    return await open_postgres(
        settings.database_url.get_secret_value(),
        clock=clock,
        limits=settings.limits,
        cache_bytes=settings.cache_bytes,
        connections=settings.database_connections,
    )


async def database_time(settings: Settings) -> datetime | None:
    """What time the database server has; None for SQLite, which has none of its own."""
    if settings.database_url is None:
        return None
    from yiku.adapters.postgres.server_time import server_time  # As above.

    return await server_time(settings.database_url.get_secret_value(), deadline_s=settings.limits.storage_deadline_s)


def make_embedder(settings: Settings) -> Embedder:
    """The embedder alone; nothing is loaded before it is asked."""
    match settings.embedder:
        case "local":
            inner: Embedder = LocalEmbedder(
                text_characters=settings.embedder_characters,
                passage_tokens=settings.embedder_tokens,
                threads=settings.embedder_threads,
                query_deadline_s=settings.limits.query_embed_deadline_s,
                passages_deadline_s=settings.limits.embed_deadline_s,
            )
        case "openai_compatible":
            assert settings.embedder_url and settings.embedder_model  # Checked by the settings.
            inner = OpenAICompatibleEmbedder(
                base_url=settings.embedder_url,
                api_key=settings.embedder_key.get_secret_value() if settings.embedder_key else None,
                model=settings.embedder_model,
                text_characters=settings.embedder_characters,
                dimensions=settings.embedder_dimensions,
                batch_size=settings.embedder_batch,
                query_prefix=settings.embedder_query_prefix,
                passage_prefix=settings.embedder_passage_prefix,
                query_deadline_s=settings.limits.query_embed_deadline_s,
                passages_deadline_s=settings.limits.embed_deadline_s,
            )
        case "hashed":
            inner = HashedEmbedder()
    return CachedQueries(inner, CACHED_QUERIES)
