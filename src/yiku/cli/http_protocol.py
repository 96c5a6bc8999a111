"""How HTTP is read from a socket: by uvicorn's fast parser, with the bounds that it lacks.

uvicorn puts no bound on the head of a request (anybody could fill the memory without a key), waits for ever for one to
arrive, and loses the body of a request that offers HTTP/2 by `Upgrade: h2c`, as Java's client does. Its other parser,
h11, bounds the head, but costs half a millisecond of processor time a request.
"""

from __future__ import annotations

import asyncio
import re

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES_MAX = 64 * 1024
"""Keys, ids and cookies fit many times."""

_HTTP_2_OFFER = re.compile(rb"\r\nupgrade:(?=[ \t]*h2c)", re.IGNORECASE)
_HIDDEN_OFFER = b"\r\nx-grade:"
"""A server may ignore the offer; hidden from the parser, it is. Of equal length, and never part of a JSON body."""


class BoundedProtocol(HttpToolsProtocol):
    head_deadline_s: float
    _head_bytes = 0
    """Of a head that has begun and is not complete; 0 otherwise."""
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(_HTTP_2_OFFER.sub(_HIDDEN_OFFER, data))
        if self._head_bytes:
            self._head_bytes += len(data)
            self._await_head()
            if self._head_bytes > HEAD_BYTES_MAX and not self.transport.is_closing():
                self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        self._head_bytes = 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head_bytes = 0
        self._stop_waiting()
        super().on_headers_complete()

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_deadline_s, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


def protocol_with_deadline(seconds: float) -> type[BoundedProtocol]:
    """uvicorn makes a protocol for each connection from a class, so the deadline has to be part of one."""
    return type("BoundedProtocol", (BoundedProtocol,), {"head_deadline_s": seconds})
