"""What is said of a source that cannot be reached, is too slow, or breaks off?"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import httpx

from yiku.model.errors import SourceUnavailable

_WHAT_HAPPENED: tuple[tuple[type[BaseException], str], ...] = (
    (ssl.SSLCertVerificationError, "shows a certificate that is not valid for it"),
    (ssl.SSLError, "does not speak TLS as it should"),
    (httpx.ConnectTimeout, "cannot be reached in time"),
    (httpx.ConnectError, "cannot be reached"),
    (httpx.TimeoutException, "has stopped sending"),
    (httpx.ProtocolError, "broke off, or sent something that is not HTTP"),
    (httpx.TransportError, "broke off"),
)
"""The first of these that stands anywhere among the causes counts."""


@contextmanager
def passing(host: str) -> Iterator[None]:
    """Whatever goes wrong on the way to `host` may be gone another time."""
    try:
        yield
    except httpx.TransportError as error:
        causes = list(_causes(error))
        what = next(what for kind, what in _WHAT_HAPPENED if any(isinstance(cause, kind) for cause in causes))
        raise SourceUnavailable(f"{host} {what}: check the address, or try again later.") from error


@asynccontextmanager
async def deadline(seconds: float, problem: str) -> AsyncIterator[None]:
    """Cancels the body after so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise SourceUnavailable(f"{problem} within {seconds:g} seconds: try again later.") from error


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        # The HTTP library raises what it met "from None", which leaves it in the context alone.
        error = error.__cause__ or error.__context__
