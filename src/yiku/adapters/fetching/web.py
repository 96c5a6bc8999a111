"""How is a file fetched from the web without being led into a network of ours, and without waiting for ever?

Every hop is judged by itself: its host is looked up once, all of its addresses are judged, and the connection goes to
one of them, while `Host` and the certificate are those of the name. A connection serves one request, so that none made
for one name is used for another at the same address. No cookies, no proxies, nothing but a GET.
"""

from __future__ import annotations

import asyncio
import math
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from io import BytesIO

import httpx

from yiku.adapters.fetching.addresses import AddressGuard, Resolver, refusal
from yiku.adapters.fetching.bounds import FetchBounds
from yiku.adapters.fetching.file_names import name_of
from yiku.adapters.fetching.unpacking import unpacking
from yiku.adapters.fetching.urls import refused, web_url
from yiku.adapters.fetching.weather import deadline, passing
from yiku.adapters.retries import seconds_asked
from yiku.model.errors import DocumentUnreadable, InvalidInput, SourceUnavailable
from yiku.ports.fetcher import Fetched

_ADDRESSES_MAX = 3
"""Of one host, tried one after the other."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GOOD = frozenset({200, 203})
_MISSING = frozenset({404, 410})
_PASSING = frozenset({408, 425, 429})
_PAUSE_S_MAX = 3_600
"""The most that a server may ask of us before we come back."""
_HEADERS = {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "yiku", "Connection": "close"}


class Web:
    def __init__(self, guard: AddressGuard, resolver: Resolver, tls: ssl.SSLContext, bounds: FetchBounds) -> None:
        self._guard = guard
        self._resolver = resolver
        self._tls = tls
        self._bounds = bounds

    def check(self, url: httpx.URL) -> None:
        """Raises `InvalidInput` for an address that is written out and may never be asked."""
        if not self._guard.permits_name(url.host):
            raise refused(f"cannot be fetched: {refusal(url.host).rstrip('.')}")

    async def fetch(self, asked: httpx.URL) -> Fetched:
        url = asked
        async with deadline(self._bounds.total_s, f"{asked.host} did not send the whole file"):
            for _ in range(self._bounds.redirects_max + 1):
                async with self._answer(url) as answer:
                    if answer.status_code not in _REDIRECTS:
                        _check_status(answer, url.host)
                        content = await self._content(answer)
                        return Fetched(content, name_of(answer.headers, asked=asked, answered=url))
                    url = _next_url(answer, url)
        raise DocumentUnreadable(
            f"{asked.host} redirects more than {self._bounds.redirects_max} times: give the address of the file"
            " itself.",
            reason="refused",
        )

    @asynccontextmanager
    async def _answer(self, url: httpx.URL) -> AsyncIterator[httpx.Response]:
        """The answer to a GET, of which only the head was read."""
        port = url.port or (443 if url.scheme == "https" else 80)
        async with deadline(self._bounds.connect_s, f"The address of {url.host} was not found"):
            addresses = await self._guard.addresses_of(url.raw_host.decode("ascii"), port, self._resolver)
        with passing(url.host):
            async with httpx.AsyncHTTPTransport(verify=self._tls, trust_env=False) as transport:
                answer = await self._connected(transport, url, addresses[:_ADDRESSES_MAX])
                try:
                    yield answer
                finally:
                    await answer.aclose()

    async def _connected(
        self, transport: httpx.AsyncHTTPTransport, url: httpx.URL, addresses: Sequence[str]
    ) -> httpx.Response:
        *others, last = addresses
        for address in others:
            try:
                return await transport.handle_async_request(self._request(url, address))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await transport.handle_async_request(self._request(url, last))

    def _request(self, url: httpx.URL, address: str) -> httpx.Request:
        timeouts = {
            "connect": self._bounds.connect_s,
            "read": self._bounds.silence_s,
            "write": self._bounds.silence_s,
            "pool": self._bounds.connect_s,
        }
        return httpx.Request(
            "GET",
            url.copy_with(host=address),
            headers={**_HEADERS, "Host": url.netloc.decode("ascii")},
            extensions={"timeout": timeouts, "sni_hostname": url.raw_host.decode("ascii").rstrip(".")},
        )

    async def _content(self, answer: httpx.Response) -> bytes:
        """The body, counted as it comes and as it is unpacked: compressed bytes need not yield any plain ones."""
        if int(answer.headers.get("content-length", "0")) > self._bounds.bytes_max:
            raise self._bounds.too_large()
        packing = unpacking(answer.headers.get("content-encoding", ""))
        # Grows without being copied; joining 100 MB at the end would hold up the event loop.
        content = BytesIO()
        async for chunk in answer.aiter_raw():
            for piece in packing.pieces(chunk):
                content.write(piece)
                if max(content.tell(), answer.num_bytes_downloaded) > self._bounds.bytes_max:
                    raise self._bounds.too_large()
                await asyncio.sleep(0)
        content.write(packing.rest())
        return content.getvalue()


def _check_status(answer: httpx.Response, host: str) -> None:
    status = answer.status_code
    if status in _GOOD:
        return
    if status in _PASSING or status >= 500:
        pause_s = seconds_asked(answer.headers.get("retry-after")) or 1
        raise SourceUnavailable(
            f"{host} is overloaded or broken (HTTP {status}): try again later.",
            retry_after_s=max(1, math.ceil(min(pause_s, _PAUSE_S_MAX))),
        )
    if status in _MISSING:
        raise DocumentUnreadable(f"{host} has no such file (HTTP {status}): check the address.", reason="missing")
    raise DocumentUnreadable(
        f"{host} does not give this file to everybody (HTTP {status}): give an address that needs no login, or upload"
        " the file.",
        reason="refused",
    )


def _next_url(answer: httpx.Response, url: httpx.URL) -> httpx.URL:
    """Where a redirect leads; only the web, and never from https to http."""
    try:
        found = web_url(str(url.join(answer.headers.get("location", ""))))
    except (httpx.InvalidURL, InvalidInput) as error:
        raise _bad_redirect(url.host, "to something that is no address of the web") from error
    if url.scheme == "https" and found.scheme != "https":
        raise _bad_redirect(url.host, "from https to http")
    return found


def _bad_redirect(host: str, problem: str) -> DocumentUnreadable:
    return DocumentUnreadable(f"{host} redirects {problem}: give the address of the file itself.", reason="refused")
