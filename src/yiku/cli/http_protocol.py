"""How HTTP is read from a socket: by uvicorn's fast parser, with the bounds that it lacks.

uvicorn puts no bound on the head of a request or on the fields behind its last chunk (anybody could fill the memory
without a key), waits for ever for one to arrive, and loses the body of a request that offers another protocol, as
Java's client does with `Upgrade: h2c`. Its other parser, h11, bounds the head, but costs half a millisecond of
processor time a request.
"""

from __future__ import annotations

import asyncio
import re

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from yiku.backends import SystemClock
from yiku.wire.http import Refused, plain_refusal

HEAD_BYTES_MAX = 64 * 1024
"""Keys, ids and cookies fit many times."""
FRAME_BYTES_MAX = 512 * 1024
"""More than one read of the socket brings: what lies between bodies is some bytes a chunk."""

_OFFER = re.compile(rb"\r\nupgrade:", re.IGNORECASE)
_HIDDEN_OFFER = b"\r\nx-grade:"
"""A server may ignore an offer; hidden from the parser, it is. Of equal length, and never part of a JSON body."""


class BoundedProtocol(HttpToolsProtocol):
    head_deadline_s: float
    _reading = False
    """A request has begun and is not complete."""
    _head_bytes = 0
    """Of a head that has begun and is not complete; 0 otherwise."""
    _frame_bytes = 0
    """Of what is neither head nor body and has no end yet: a line about a chunk, or the fields after the last one."""
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        self._wait_at_most(self.head_deadline_s)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # A head that begins behind the end of another request shares these bytes with it.
        is_one_head = self._head_bytes > 0 or not self._reading
        self._frame_bytes += len(data)
        super().data_received(_OFFER.sub(_HIDDEN_OFFER, data))
        if self._head_bytes:
            self._head_bytes += len(data) if is_one_head else 0
            self._wait_at_most(self.head_deadline_s)
        if not self._reading or self._head_bytes:
            self._frame_bytes = 0
        if self._head_bytes > HEAD_BYTES_MAX and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")
        elif self._frame_bytes > FRAME_BYTES_MAX:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """To what no door will ever see."""
        self.transport.write(_refusal(msg))
        self.transport.close()

    def on_message_begin(self) -> None:
        self._reading = True
        self._head_bytes = 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head_bytes = 0
        self._stop_waiting()
        # The door has a deadline for the body, and answers; this one is for what no door reads any more.
        self._wait_at_most(2 * self.head_deadline_s)
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        self._frame_bytes = 0

    def on_body(self, body: bytes) -> None:
        self._frame_bytes = max(self._frame_bytes - len(body), 0)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._reading = False
        self._stop_waiting()
        super().on_message_complete()

    def _wait_at_most(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _refusal(message: str) -> bytes:
    request_id = SystemClock().new_id("req-")
    body = plain_refusal(Refused(400, "InvalidRequest", message), request_id)
    head = (
        "HTTP/1.1 400 Bad Request",
        "content-type: application/json",
        f"content-length: {len(body)}",
        f"x-request-id: {request_id}",
        "connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body


def protocol_with_deadline(seconds: float) -> type[BoundedProtocol]:
    """uvicorn makes a protocol for each connection from a class, so the deadline has to be part of one."""
    return type("BoundedProtocol", (BoundedProtocol,), {"head_deadline_s": seconds})
