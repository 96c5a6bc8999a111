"""For whoever runs the server: is it alive, is it ready, and how is it doing?

`/livez` answers as long as the process does; a supervisor restarts what does not. `/readyz` (and `/healthz`) answers
well while requests can be served, so that a load balancer sends them elsewhere otherwise. `/metrics` is for Prometheus
and wants an admin key: how much a team remembers is nobody else's business.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from yiku import __version__
from yiku.core.access import KeyRing
from yiku.model.errors import YikuError
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.callers import caller_of
from yiku.wire.http import only_reading, send_body, send_json
from yiku.wire.refusals import refusal

_ALIVE = json.dumps({"status": "ok", "version": __version__}).encode()


def operation_routes(
    ports: Ports,
    keys: KeyRing,
    registry: CollectorRegistry,
    *,
    edge: Callable[[ASGIApp], ASGIApp],
    anonymous: Principal | None,
) -> list[Route]:
    """The paths of this page, each wrapped in `edge`."""
    ready = edge(only_reading(_Ready(ports)))
    return [
        Route("/livez", edge(only_reading(_alive))),
        Route("/readyz", ready),
        Route("/healthz", ready),
        Route("/metrics", edge(only_reading(_Metrics(ports, keys, registry, anonymous)))),
    ]


async def _alive(scope: Scope, receive: Receive, send: Send) -> None:
    await send_json(send, 200, _ALIVE)


class _Ready:
    """The store answers. An embedder that is down is no reason to go elsewhere: adds wait, searches use words."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._ports.storage.queue_state()
        except YikuError as error:
            raise refusal(error) from error
        await send_json(send, 200, _ALIVE)


class _Metrics:
    def __init__(self, ports: Ports, keys: KeyRing, registry: CollectorRegistry, anonymous: Principal | None) -> None:
        self._ports = ports
        self._keys = keys
        self._registry = registry
        self._anonymous = anonymous
        self._waiting = Gauge("yiku_queue_waiting", "Jobs that wait.", registry=registry)
        self._running = Gauge("yiku_queue_running", "Jobs that are being worked on.", registry=registry)
        self._age = Gauge(
            "yiku_queue_oldest_age_seconds", "How long the oldest waiting job has waited.", registry=registry
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        principal = await caller_of(scope, self._keys, self._anonymous)
        try:
            principal.require("admin")
            state = await self._ports.storage.queue_state()
        except YikuError as error:
            raise refusal(error) from error
        self._waiting.set(state.waiting)
        self._running.set(state.running)
        self._age.set(state.oldest_age_s)
        await send_body(send, 200, generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)
