"""How HTTP is read from a socket: by uvicorn's fast parser, with the bounds that it lacks.

uvicorn puts no bound on the head of a request or on the fields behind its last chunk (anybody could fill the memory
without a key), waits for ever for one to arrive, and loses the body of a request that offers another protocol, as
Java's client does with `Upgrade: h2c`. Its other parser, h11, bounds the head, but costs half a millisecond of
processor time a request.
"""

from __future__ import annotations

import asyncio
import re

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from yiku.backends import SystemClock
from yiku.wire.http import Refused, plain_refusal, send_json

HEAD_BYTES_MAX = 64 * 1024
"""Keys, ids and cookies fit many times."""
FRAME_BYTES_MAX = 512 * 1024
"""More than one read of the socket brings: what lies between bodies is some bytes a chunk."""

_OFFER = re.compile(rb"\r\nupgrade:", re.IGNORECASE)
_HIDDEN_OFFER = b"\r\nx-grade:"
"""A server may ignore an offer; hidden from the parser, it is. Of equal length."""
_HEAD_ENDS = b"\r\n\r\n"
_DIGITS_MOST = 20
_AROUND_A_FIELD = len(": \r\n")
_NOT_HTTP = (400, "Bad Request", "InvalidRequest")
_TOO_LARGE = (431, "Request Header Fields Too Large", "RequestHeaderFieldsTooLarge")
_SAID_OF_A_LARGE_HEAD = f"The address and the headers of the request are larger than {HEAD_BYTES_MAX} bytes together"


class BoundedProtocol(HttpToolsProtocol):
    head_deadline_s: float
    _reading = False
    """A request has begun and is not complete."""
    _head_bytes = 0
    """Of a head that has begun and is not complete; 0 otherwise."""
    _fields_bytes = 0
    """Of the address and the headers that the parser has handed over: a head in one read is never seen incomplete."""
    _head_tail = b""
    """The last bytes of a head that is not complete: its end may come in two reads."""
    _body_left = 0
    """Of a body that announced its length."""
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
        while data and not self.transport.is_closing():
            piece = self._next_piece(data)
            self._received(piece)
            data = data[len(piece) :]

    def _next_piece(self, data: bytes) -> bytes:
        """What of it belongs to the head, or to the body of known length, that it begins in."""
        if self._reading and not self._head_bytes:
            return data[: self._body_left] if self._body_left > 0 else data
        before = self._head_tail
        end = (before + data).find(_HEAD_ENDS)
        if end < 0:
            self._head_tail = (before + data)[1 - len(_HEAD_ENDS) :]
            return data
        self._head_tail = b""
        return data[: end + len(_HEAD_ENDS) - len(before)]

    def _received(self, data: bytes) -> None:
        is_one_head = self._head_bytes > 0 or not self._reading
        self._frame_bytes += len(data)
        # An offer stands in a head; a body, which may be a file, stays as it was sent.
        super().data_received(_OFFER.sub(_HIDDEN_OFFER, data) if is_one_head else data)
        if self._head_bytes:
            self._head_bytes += len(data) if is_one_head else 0
            self._wait_at_most(self.head_deadline_s)
        if not self._reading or self._head_bytes:
            self._frame_bytes = 0
        if self._head_bytes > HEAD_BYTES_MAX and not self.transport.is_closing():
            self._end_with(_refusal(*_TOO_LARGE, _SAID_OF_A_LARGE_HEAD))
        elif self._frame_bytes > FRAME_BYTES_MAX:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """To what no door will ever see."""
        self._end_with(_refusal(*_NOT_HTTP, msg))

    def on_message_begin(self) -> None:
        self._reading = True
        self._head_bytes = 1
        self._fields_bytes = self._body_left = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._fields_bytes += len(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields_bytes += len(name) + len(value) + _AROUND_A_FIELD
        if name.lower() == b"content-length" and value.isdigit():
            self._body_left = int(value[:_DIGITS_MOST])
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._head_bytes = 0
        self._stop_waiting()
        # The door has a deadline for the body, and answers; this one is for what no door reads any more.
        self._wait_at_most(2 * self.head_deadline_s)
        if self._fields_bytes <= HEAD_BYTES_MAX:
            super().on_headers_complete()
        else:
            self._refuse_in_turn()

    def on_chunk_header(self) -> None:
        self._frame_bytes = 0

    def on_body(self, body: bytes) -> None:
        self._frame_bytes = max(self._frame_bytes - len(body), 0)
        self._body_left -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._reading = False
        self._stop_waiting()
        super().on_message_complete()

    def _refuse_in_turn(self) -> None:
        """Answer like a door, after the requests before this one on the connection, which may still be under way."""
        doors = self.app
        self.app = _refuse_large_head
        self.url = b"/"  # The parser refuses to take apart a very long one, with another status.
        super().on_headers_complete()
        self.app = doors

    def _end_with(self, answer: bytes) -> None:
        self.transport.write(answer)
        self.transport.close()

    def _wait_at_most(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


async def _refuse_large_head(scope: Scope, receive: Receive, send: Send) -> None:
    """In place of the doors, which never see the request."""
    status, _, code = _TOO_LARGE
    request_id = SystemClock().new_id("req-")
    body = plain_refusal(Refused(status, code, _SAID_OF_A_LARGE_HEAD), request_id)
    await send_json(send, status, body, headers=[("x-request-id", request_id), ("connection", "close")])


def _refusal(status: int, phrase: str, code: str, message: str) -> bytes:
    request_id = SystemClock().new_id("req-")
    body = plain_refusal(Refused(status, code, message), request_id)
    head = (
        f"HTTP/1.1 {status} {phrase}",
        "content-type: application/json",
        f"content-length: {len(body)}",
        f"x-request-id: {request_id}",
        "connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body


def protocol_with_deadline(seconds: float) -> type[BoundedProtocol]:
    """uvicorn makes a protocol for each connection from a class, so the deadline has to be part of one."""
    return type("BoundedProtocol", (BoundedProtocol,), {"head_deadline_s": seconds})
