"""Where things meet: the only file that knows both the doors and what stands behind the ports."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from urllib.parse import urlsplit

from prometheus_client import CollectorRegistry, ProcessCollector
from starlette.applications import Starlette
from starlette.types import ASGIApp

from yiku.backends import OPERATOR, working
from yiku.core.access import KeyRing
from yiku.core.rates import Rates
from yiku.ports import Ports
from yiku.settings import Settings, settings_in_force
from yiku.wire.admin import PATH as ADMIN_PATH
from yiku.wire.admin import Admin, SettingResult
from yiku.wire.cors import Cors
from yiku.wire.http import Below, Edge, no_such_path, plain_refusal
from yiku.wire.knowledge_mcp import PATH as KNOWLEDGE_MCP_PATH
from yiku.wire.knowledge_mcp import KnowledgeMcp
from yiku.wire.knowledge_rest import PATH as KNOWLEDGE_REST_PATH
from yiku.wire.knowledge_rest import KnowledgeRest
from yiku.wire.observed import Observed
from yiku.wire.opensearch_mcp import PATH as MCP_PATH
from yiku.wire.opensearch_mcp import OpenSearchMcp
from yiku.wire.opensearch_rest import PREFIXES as REST_PREFIXES
from yiku.wire.opensearch_rest import OpenSearchRest
from yiku.wire.operation import operation_routes

DOORS = {
    MCP_PATH: "opensearch_mcp",
    ADMIN_PATH: "admin",
    KNOWLEDGE_MCP_PATH: "knowledge_mcp",
    KNOWLEDGE_REST_PATH: "knowledge_rest",
} | dict.fromkeys(REST_PREFIXES, "opensearch_rest")
"""The names of the doors in metrics, by the beginning of their paths."""


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
    knowledge_mcp = KnowledgeMcp(
        ports, keys, allowed_hosts=hosts, anonymous=anonymous, listed=settings.knowledge_tool == "listed"
    )
    knowledge_rest = KnowledgeRest(ports, keys, allowed_hosts=hosts, anonymous=anonymous)
    admin = Admin(ports, keys, settings=_shown(settings), allowed_hosts=hosts, anonymous=anonymous)
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    edge = partial(Edge, allowed_hosts=hosts, new_id=lambda: ports.clock.new_id("req-"), render=plain_refusal)
    async with (
        opensearch_mcp.running(),
        knowledge_mcp.running(),
        working(ports, settings.retention),
        keys.watch.running(),
    ):
        app = Starlette(
            routes=[
                *operation_routes(ports, keys, registry, edge=edge, anonymous=anonymous),
                *opensearch_mcp.routes,
                *opensearch_rest.routes,
                *knowledge_mcp.routes,
                *knowledge_rest.routes,
                *admin.routes,
                Below(("",), edge(no_such_path)),
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
    """What lies around all doors. Browsers ask for permission without a key, so what may be granted is before them."""
    if settings.cors_origins:
        app = Cors(
            app,
            allow_origins=settings.cors_origins,
            allow_methods=("GET", "POST", "PUT", "DELETE"),
            allow_headers=("*",),
            expose_headers=("X-Request-Id", "Retry-After", "WWW-Authenticate"),
        )
    return Observed(app, doors=DOORS, registry=registry, log_requests=settings.log_requests)
