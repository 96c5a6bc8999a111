"""How HTTP is read from a socket: by h11, which bounds the head of a request, with a deadline for its arrival.

h11 rather than httptools: the faster parser puts no bound on a head (anybody could fill the memory), loses the body of
a request that offers an upgrade to HTTP/2, as Java's client does, and keeps the blanks behind header values. It costs
0.2 ms of processor time a request.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_BYTES_MAX = 64 * 1024
"""Keys, ids and cookies fit many times."""


class DeadlineProtocol(H11Protocol):
    """Closes connections whose next request does not begin to make sense in time; uvicorn waits for ever."""

    head_deadline_s: float
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._await_head()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_deadline_s, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


def protocol_with_deadline(seconds: float) -> type[DeadlineProtocol]:
    """uvicorn makes a protocol for each connection from a class, so the deadline has to be part of one."""
    return type("DeadlineProtocol", (DeadlineProtocol,), {"head_deadline_s": seconds})
