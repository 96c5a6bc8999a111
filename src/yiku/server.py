"""Where things meet: the only file that knows both the doors and what stands behind the ports."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from urllib.parse import urlsplit

from prometheus_client import CollectorRegistry, ProcessCollector
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp

from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import CachedQueries, HashedEmbedder, LocalEmbedder, OpenAICompatibleEmbedder
from yiku.adapters.sqlite import DATABASE_FILE, open_sqlite
from yiku.adapters.sqlite.backup import copy_database, verified_copy
from yiku.core.access import KeyRing
from yiku.core.rates import Rates
from yiku.core.work import run_worker
from yiku.model.errors import InvalidInput
from yiku.model.principal import Principal
from yiku.model.retention import FOR_EVER, Retention
from yiku.model.scopes import DEFAULT_WORKSPACE
from yiku.ports import Clock, Embedder, Ports, Storage
from yiku.settings import Settings, settings_in_force
from yiku.wire.admin import PATH as ADMIN_PATH
from yiku.wire.admin import Admin, SettingResult
from yiku.wire.http import Edge, no_such_path, plain_refusal
from yiku.wire.observed import Observed
from yiku.wire.opensearch_mcp import PATH as MCP_PATH
from yiku.wire.opensearch_mcp import OpenSearchMcp
from yiku.wire.opensearch_rest import PREFIXES as REST_PREFIXES
from yiku.wire.opensearch_rest import OpenSearchRest
from yiku.wire.operation import operation_routes

__all__ = [
    "DATABASE_FILE",
    "OPERATOR",
    "SystemClock",
    "copy_database",
    "database_time",
    "make_embedder",
    "open_app",
    "open_ports",
    "open_storage",
    "verified_copy",
    "working",
]

OPERATOR = Principal(key_id="operator", workspace=DEFAULT_WORKSPACE, permissions=frozenset({"admin"}))
"""Who acts when no key is asked for: `auth=off`, and `yiku mcp` by the person who owns the data directory."""

DOORS = {MCP_PATH: "opensearch_mcp", ADMIN_PATH: "admin"} | dict.fromkeys(REST_PREFIXES, "opensearch_rest")
"""The names of the doors in metrics, by the beginning of their paths."""

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


@asynccontextmanager
async def open_app(settings: Settings, ports: Ports) -> AsyncIterator[ASGIApp]:
    """The web application with all its doors, and a worker behind it."""
    anonymous = OPERATOR if settings.auth == "off" else None
    # A page that may call us from a browser may do so under its own name.
    origins = (urlsplit(origin).hostname or "" for origin in settings.cors_origins)
    hosts = (settings.host, *settings.allowed_hosts, *origins)
    keys = _key_ring(settings, ports)
    opensearch_mcp = OpenSearchMcp(ports, keys, allowed_hosts=hosts, anonymous=anonymous)
    opensearch_rest = OpenSearchRest(ports, keys, allowed_hosts=hosts, anonymous=anonymous)
    admin = Admin(ports, keys, settings=_shown(settings), allowed_hosts=hosts, anonymous=anonymous)
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    edge = partial(Edge, allowed_hosts=hosts, new_id=lambda: ports.clock.new_id("req-"), render=plain_refusal)
    async with opensearch_mcp.running(), working(ports, settings.retention), keys.watch.running():
        app = Starlette(
            routes=[
                *operation_routes(ports, keys, registry, edge=edge, anonymous=anonymous),
                *opensearch_mcp.routes,
                *opensearch_rest.routes,
                *admin.routes,
                Route("/{path:path}", edge(no_such_path)),
            ]
        )
        app.router.redirect_slashes = False
        yield _seen_from_outside(app, settings, registry)


def _key_ring(settings: Settings, ports: Ports) -> KeyRing:
    """The keys of the store and the one that the settings name, as often as the settings allow."""
    rates = Rates(per_key=settings.key_requests_per_minute, per_user=settings.user_requests_per_minute)
    configured = settings.api_key.get_secret_value() if settings.api_key else None
    return KeyRing(ports, configured=configured, rates=rates)


def _shown(settings: Settings) -> list[SettingResult]:
    return [{"name": name, "value": value, "source": source} for name, value, source in settings_in_force(settings)]


def _seen_from_outside(app: ASGIApp, settings: Settings, registry: CollectorRegistry) -> ASGIApp:
    """What lies around all doors. Browsers ask for permission without a key, so CORS answers before any door does."""
    if settings.cors_origins:
        app = CORSMiddleware(
            app,
            allow_origins=settings.cors_origins,
            allow_methods=("GET", "POST", "PUT", "DELETE"),
            allow_headers=("*",),
            expose_headers=("X-Request-Id", "Retry-After", "WWW-Authenticate"),
        )
    return Observed(app, doors=DOORS, registry=registry, log_requests=settings.log_requests)


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
