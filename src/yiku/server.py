"""Where things meet: the only file that knows both the doors and what stands behind the ports."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from yiku import __version__
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import CachedQueries, HashedEmbedder, LocalEmbedder, OpenAICompatibleEmbedder
from yiku.adapters.sqlite import DATABASE_FILE, open_sqlite
from yiku.core.access import KeyRing
from yiku.core.work import run_worker
from yiku.model.errors import InvalidInput, Unavailable
from yiku.model.principal import Principal
from yiku.model.scopes import DEFAULT_WORKSPACE
from yiku.ports import Clock, Embedder, Ports, Storage
from yiku.settings import Settings
from yiku.wire.http import Edge, Refused, no_such_path, plain_refusal, send_json
from yiku.wire.opensearch_mcp import OpenSearchMcp

__all__ = ["DATABASE_FILE", "OPERATOR", "open_app", "open_ports", "working"]

OPERATOR = Principal(key_id="operator", workspace=DEFAULT_WORKSPACE, permissions=frozenset({"admin"}))
"""Who acts when no key is asked for: `auth=off`, and `yiku mcp` by the person who owns the data directory."""

CACHED_QUERIES = 256
"""Agents ask the same question of several doors and pages within a minute."""


@asynccontextmanager
async def open_ports(settings: Settings) -> AsyncIterator[Ports]:
    """The store and the embedder that the settings name, closed again at the end."""
    clock = SystemClock()
    embedder = _embedder(settings)
    try:
        storage = await _storage(settings, clock)
        try:
            yield Ports(storage=storage, embedder=embedder, clock=clock, limits=settings.limits)
        finally:
            await storage.close()
    finally:
        await embedder.close()


@asynccontextmanager
async def working(ports: Ports) -> AsyncIterator[None]:
    """A worker beside the body. At the end it gets a while to finish; what is cut off is claimed again later."""
    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(ports, stop))
    try:
        yield
    finally:
        stop.set()
        done, _ = await asyncio.wait({worker}, timeout=ports.limits.shutdown_deadline_s)
        if not done:
            worker.cancel()
        await asyncio.gather(worker, return_exceptions=not done)


@asynccontextmanager
async def open_app(settings: Settings, ports: Ports) -> AsyncIterator[Starlette]:
    """The web application with all its doors, and a worker behind it."""
    anonymous = OPERATOR if settings.auth == "off" else None
    hosts = (settings.host, *settings.allowed_hosts)
    keys = KeyRing(ports, configured=settings.api_key.get_secret_value() if settings.api_key else None)
    opensearch_mcp = OpenSearchMcp(ports, keys, allowed_hosts=hosts, anonymous=anonymous)
    edge = partial(Edge, allowed_hosts=hosts, new_id=lambda: ports.clock.new_id("req-"), render=plain_refusal)
    async with opensearch_mcp.running(), working(ports):
        app = Starlette(
            routes=[
                Route("/healthz", edge(_health(ports))),
                *opensearch_mcp.routes,
                Route("/{path:path}", edge(no_such_path)),
            ]
        )
        app.router.redirect_slashes = False
        yield app


def _health(ports: Ports) -> ASGIApp:
    """Alive, and the store answers."""

    async def health(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await ports.storage.queue_state()
        except Unavailable as error:
            headers = [("Retry-After", str(error.retry_after_s))]
            raise Refused(503, error.code, error.message, headers=headers) from error
        await send_json(send, 200, json.dumps({"status": "ok", "version": __version__}).encode())

    return health


async def _storage(settings: Settings, clock: Clock) -> Storage:
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


def _embedder(settings: Settings) -> Embedder:
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
