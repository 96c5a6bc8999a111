"""What is counted and logged about every request, whichever door it came to: never its body or its key."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = structlog.get_logger()

OTHER = "other"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Observed:
    """Wraps the whole application. `doors` gives the name of a door by the beginning of its paths."""

    def __init__(
        self, app: ASGIApp, *, doors: Mapping[str, str], registry: CollectorRegistry, log_requests: bool
    ) -> None:
        self._app = app
        self._doors = doors
        # Asked of the metrics once: each time they would look under a lock. Doors and statuses are few.
        self._series = cache(lambda door, status: (self._requests.labels(door, status), self._seconds.labels(door)))
        self._log_requests = log_requests
        self._requests = Counter(
            "yiku_requests_total", "Requests that were answered.", ("door", "status"), registry=registry
        )
        self._seconds = Histogram(
            "yiku_request_seconds",
            "From the head of a request to the end of its answer.",
            ("door",),
            buckets=_SECONDS,
            registry=registry,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Heard(send)
        begun = time.perf_counter()
        try:
            await self._app(scope, receive, answer)
        finally:
            self._count(scope, answer, time.perf_counter() - begun)

    def _count(self, scope: Scope, answer: _Heard, seconds: float) -> None:
        door = next((name for start, name in self._doors.items() if scope["path"].startswith(start)), OTHER)
        # A client that went away before the answer began has none.
        status = str(answer.status or "none")
        requests, durations = self._series(door, status)
        requests.inc()
        durations.observe(seconds)
        if self._log_requests:
            log.info(
                "request",
                method=scope["method"],
                # As it was sent: what is encoded in it cannot do anything to a terminal.
                path=scope["raw_path"].decode("latin-1"),
                client=(scope["client"] or ("unknown",))[0],
                status=status,
                ms=round(seconds * 1000, 1),
                request_id=answer.request_id,
            )


class _Heard:
    """`send`, listening in on the head of the answer."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status: int | None = None
        self.request_id: str | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.request_id = next(
                (value.decode() for name, value in message.get("headers", ()) if name == b"x-request-id"), None
            )
        await self._send(message)
