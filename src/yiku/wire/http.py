"""What every HTTP door shares: request ids, Host and Origin, keys, bounded bodies, and the last catch.

Pure ASGI: Starlette's `BaseHTTPMiddleware` breaks streams that a client abandons. A door wraps its own application in
an `Edge` and says how its refusals look; the application raises `Refused` wherever it wants to.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
from collections.abc import AsyncGenerator, Callable, Collection, Iterable
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

import structlog
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = structlog.get_logger()

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
KEY_PARAMETERS = frozenset(
    {"key", "api_key", "apikey", "api-key", "x-api-key", "x_api_key", "token", "access_token", "auth", "authorization"}
)
READING = ("GET", "HEAD")
REQUEST_ID = "yiku.request_id"
"""Where an `Edge` leaves the request's id in the ASGI scope."""

_HOSTS_KEPT = 256
"""A server is called by few names; to take one apart costs more than the rest of the check."""
_SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Refused(Exception):
    """A request that is answered with an HTTP error; the door renders it in its own shape."""

    def __init__(self, status: int, code: str, message: str, *, headers: Iterable[tuple[str, str]] = ()) -> None:
        self.status = status
        self.code = code
        self.message = message
        self.headers = tuple(headers)
        super().__init__(message)


Render = Callable[[Refused, str], bytes]
"""The JSON body of a refusal, given the request id."""


class Edge:
    """Wraps a door: nothing reaches it from a foreign web page, and nothing leaves it without a request id."""

    def __init__(
        self, app: ASGIApp, *, allowed_hosts: Iterable[str], new_id: Callable[[], str], render: Render
    ) -> None:
        self._app = app
        self._hosts = LOOPBACK_HOSTS | {host.lower() for host in allowed_hosts}
        self._new_id = new_id
        self._render = render

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        request_id = headers.get("x-request-id", "")
        if not _SANE_REQUEST_ID.fullmatch(request_id):
            request_id = self._new_id()
        answer = _Answer(send, request_id)
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                _check_origin(headers, self._hosts)
                await self._app({**scope, REQUEST_ID: request_id}, receive, answer)
            except Refused as refused:
                await self._refuse(answer, refused)
            except ClientDisconnect:
                return
            except Exception:
                log.exception("request_failed", method=scope["method"], path=scope["path"])
                await self._refuse(answer, _unexpected(request_id))

    async def _refuse(self, answer: _Answer, refused: Refused) -> None:
        # Half an answer cannot be taken back: the server closes the connection, which the client sees as an error.
        if not answer.started:
            body = self._render(refused, answer.request_id)
            await send_json(answer, refused.status, body, headers=refused.headers)


class _Answer:
    """`send`, with the request id on every response, and knowing whether one has begun."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self.request_id = request_id
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = [*message.get("headers", ()), (b"x-request-id", self.request_id.encode())]
            message = {**message, "headers": headers}
        await self._send(message)


def _unexpected(request_id: str) -> Refused:
    # What went wrong stands in the log: exception texts show paths, data and other people's input.
    return Refused(500, "InternalError", f"Something went wrong in the server. Its log has more under {request_id}.")


def _check_origin(headers: Headers, hosts: frozenset[str]) -> None:
    """A page on any site can send requests to localhost, and can point its own name there: both are stopped here.

    An address instead of a name is fine: only names can be pointed elsewhere.
    """
    host = _host_name(f"//{headers.get('host', '')}")
    if host not in hosts and not _is_address(host):
        raise Refused(
            421,
            "HostNotAllowed",
            "This server does not answer under the name in the Host header: add it to the allowed hosts",
        )
    origin = headers.get("origin")
    if origin is not None and _host_name(origin) not in hosts | {host}:
        raise Refused(403, "OriginNotAllowed", "Requests from this web page are not allowed: its origin is not listed")


@lru_cache(maxsize=_HOSTS_KEPT)
def _host_name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:  # for instance a bracket that never closes
        return None


@lru_cache(maxsize=_HOSTS_KEPT)
def _is_address(host: str | None) -> bool:
    try:
        ipaddress.ip_address(host or "")
    except ValueError:
        return False
    return True


class Below(BaseRoute):
    """Every path that begins with one of some prefixes, line breaks and all: a path of Starlette's stops at those."""

    def __init__(self, prefixes: tuple[str, ...], app: ASGIApp) -> None:
        self._prefixes = prefixes
        self._app = app

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        matched = scope["type"] == "http" and scope["path"].startswith(self._prefixes)
        return (Match.FULL if matched else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


def only_reading(app: ASGIApp) -> ASGIApp:
    """The application, for GET and HEAD; other methods are refused."""

    async def reading(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in READING:
            allowed = ", ".join(READING)
            raise Refused(405, "MethodNotAllowed", f"This path takes {allowed}", headers=[("Allow", allowed)])
        await app(scope, receive, send)

    return reading


async def no_such_path(scope: Scope, receive: Receive, send: Send) -> None:
    """Where no door is. JSON, also under /.well-known: clients that look there choke on anything else."""
    raise Refused(404, "NotFound", "There is nothing at this path")


def plain_refusal(refused: Refused, request_id: str) -> bytes:
    """How refusals look outside of any dialect."""
    return json.dumps({"code": refused.code, "message": refused.message, "request_id": request_id}).encode()


def bearer_key(scope: Scope, *, schemes: Collection[str] = ("bearer",)) -> str | None:
    """The API key of a request, or None when it has none. `schemes` are what may stand before it, in lower case.

    A key in the address is refused even beside a good header: addresses end up in logs and histories.
    """
    if scope["query_string"] and _has_key(scope["query_string"].decode("latin-1")):
        raise Refused(400, "InvalidParameter", "Send the API key as 'Authorization: Bearer <key>', never in the URL")
    scheme, _, key = header_of(scope, b"authorization").strip().partition(" ")
    return (key.strip() or None) if scheme.lower() in schemes else None


def header_of(scope: Scope, name: bytes) -> str:
    """The first header of this name, in lower case; empty when there is none. Thrice as fast as Starlette's."""
    for held, value in scope["headers"]:
        if held == name:
            return str(value, "latin-1")
    return ""


def _has_key(query: str) -> bool:
    return any(name.lower() in KEY_PARAMETERS for name, _ in parse_qsl(query, keep_blank_values=True))


def check_json_content(scope: Scope) -> None:
    """Only JSON that says so: other types can be sent by a web page without asking the browser for permission."""
    media_type = header_of(scope, b"content-type").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Refused(415, "UnsupportedMediaType", "Send JSON with the header 'Content-Type: application/json'")


async def read_body(scope: Scope, receive: Receive, *, bytes_max: int, deadline_s: float) -> bytes:
    """The whole body; never holds more than `bytes_max` of it, whatever the client announces, nor waits for ever."""
    _check_announced(scope, bytes_max)
    parts: list[bytes] = []
    size, more = 0, True
    try:
        async with asyncio.timeout(deadline_s):
            while more:
                part, more = await _part_of_body(receive)
                size += len(part)
                _check_size(size, bytes_max)
                parts.append(part)
    except TimeoutError as error:
        raise Refused(
            408, "RequestTimeout", f"The request body did not arrive within {deadline_s:g} seconds"
        ) from error
    return b"".join(parts)


async def body_parts(scope: Scope, receive: Receive, *, bytes_max: int) -> AsyncGenerator[bytes]:
    """The body as it comes, and no more than `bytes_max` of it. Whoever asks sets the deadline."""
    _check_announced(scope, bytes_max)
    size, more = 0, True
    while more:
        part, more = await _part_of_body(receive)
        size += len(part)
        _check_size(size, bytes_max)
        yield part


async def _part_of_body(receive: Receive) -> tuple[bytes, bool]:
    """The next part, and whether there are more."""
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), message.get("more_body", False)


def _check_announced(scope: Scope, bytes_max: int) -> None:
    announced = header_of(scope, b"content-length")
    if announced.isdecimal():
        _check_size(int(announced[:20]), bytes_max)


def _check_size(size: int, bytes_max: int) -> None:
    if size > bytes_max:
        raise Refused(413, "PayloadTooLarge", f"The request body is larger than {bytes_max} bytes")


async def send_json(send: Send, status: int, body: bytes, *, headers: Iterable[tuple[str, str]] = ()) -> None:
    """One complete JSON response."""
    await send_body(send, status, body, media_type="application/json", headers=headers)


async def send_body(
    send: Send, status: int, body: bytes, *, media_type: str, headers: Iterable[tuple[str, str]] = ()
) -> None:
    """One complete response."""
    fields = [("content-type", media_type), ("content-length", str(len(body))), *headers]
    encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in fields]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
