"""MCP over HTTP: the checks before the SDK sees a request, and which of its transports answers.

The SDK's HTTP layer is built for interactive clients. What lone calls with curl and the field's other clients need is
done here (reference: what each line is for stands in `tests/wire/opensearch_mcp/requirements.py`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from yiku.core.access import KeyRing
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.callers import caller_of
from yiku.wire.http import REQUEST_ID, Edge, Refused, check_json_content, read_body, send_json
from yiku.wire.jsonrpc import (
    INVALID_REQUEST,
    SERVER_ERROR,
    Envelope,
    JsonRpcError,
    decode_envelope,
    error_body,
    result_body,
)
from yiku.wire.mcp_server import CALLER, Caller, Toolbox, build_server, call_tool, check_call


class McpDoor:
    """A door at this path with these tools. `anonymous` turns keys off: everybody is that principal."""

    def __init__(
        self,
        ports: Ports,
        keys: KeyRing,
        tools: Toolbox,
        *,
        path: str,
        allowed_hosts: Iterable[str] = (),
        anonymous: Principal | None = None,
    ) -> None:
        server = build_server(ports, tools)
        limit = ports.limits.body_bytes
        self._json = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=limit
        )
        self._sse = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=limit)
        edge = Edge(
            _Gate(ports, keys, tools, self._json, self._sse, anonymous),
            allowed_hosts=allowed_hosts,
            new_id=lambda: ports.clock.new_id("req-"),
            render=_render,
        )
        # Both spellings are answered: a redirect would lose the key with some clients and the scheme behind proxies.
        self.routes = [Route(path, edge), Route(f"{path}/", edge)]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The door serves while this is open; once only."""
        async with self._json.run(), self._sse.run():
            yield


class _Gate:
    def __init__(
        self,
        ports: Ports,
        keys: KeyRing,
        tools: Toolbox,
        json_manager: StreamableHTTPSessionManager,
        sse_manager: StreamableHTTPSessionManager,
        anonymous: Principal | None,
    ) -> None:
        self._ports = ports
        self._keys = keys
        self._tools = tools
        self._json = json_manager
        self._sse = sse_manager
        self._anonymous = anonymous

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            raise Refused(405, "MethodNotAllowed", "Send a POST with a JSON-RPC message", headers=[("Allow", "POST")])
        caller = Caller(await caller_of(scope, self._keys, self._anonymous), scope[REQUEST_ID])
        check_json_content(scope)
        limits = self._ports.limits
        body = await read_body(scope, receive, bytes_max=limits.body_bytes, deadline_s=limits.body_deadline_s)
        try:
            envelope = decode_envelope(body, depth_max=limits.json_depth)
            check_call(envelope)
        except JsonRpcError as error:
            await send_json(send, 400, error.body)
            return
        if is_plain(envelope, Headers(scope=scope)):
            await send_json(send, 200, await self._answer(envelope, caller))
        else:
            await self._hand_over(envelope, caller, scope, body, receive, send)

    async def _answer(self, envelope: Envelope, caller: Caller) -> bytes:
        """What the SDK would say, without its one-shot transport, which costs several times the call itself."""
        assert envelope.id is not None
        if envelope.method == "tools/list":
            return result_body(envelope.id, self._tools.listing)
        try:
            name, given = envelope.params["name"], envelope.params.get("arguments") or {}
            return result_body(envelope.id, await call_tool(self._ports, self._tools, caller, name, given))
        except JsonRpcError as error:
            return error_body(envelope.id, error.code, error.message)

    async def _hand_over(
        self, envelope: Envelope, caller: Caller, scope: Scope, body: bytes, receive: Receive, send: Send
    ) -> None:
        manager = self._sse if wants_stream(envelope, Headers(scope=scope)) else self._json
        token = CALLER.set(caller)
        try:
            await manager.handle_request(_for_sdk(scope), _replayed(body, receive), send)
        finally:
            CALLER.reset(token)


def is_plain(envelope: Envelope, headers: Headers) -> bool:
    """Whether the request needs nothing of the protocol: listing or calling tools in the handshake era, without a
    stream. That is the documented curl and nearly every call of the other clients."""
    version = headers.get("mcp-protocol-version")
    return (
        envelope.kind == "request"
        and (version is None or version.strip() in HANDSHAKE_PROTOCOL_VERSIONS)
        and isinstance(envelope.params.get("_meta", {}), Mapping)
        and (
            envelope.method == "tools/call" or (envelope.method == "tools/list" and envelope.params.keys() <= {"_meta"})
        )
        and not wants_stream(envelope, headers)
    )


def wants_stream(envelope: Envelope, headers: Headers) -> bool:
    """Whether to answer with events: to clients that take nothing else, or that want progress."""
    accepted = {
        media_type.partition(";")[0].strip().lower() for media_type in ",".join(headers.getlist("accept")).split(",")
    }
    if "text/event-stream" not in accepted:
        return False
    meta = envelope.params.get("_meta")
    wants_progress = isinstance(meta, Mapping) and "progressToken" in meta
    return wants_progress or not accepted & {"application/json", "application/*", "*/*"}


def _for_sdk(scope: Scope) -> Scope:
    """Headers as the SDK wants them: it refuses clients that accept one type only, and compares values to the blank."""
    replaced = {b"accept": b"application/json, text/event-stream", b"content-type": b"application/json"}
    kept = [(name, value.strip()) for name, value in scope["headers"] if name not in replaced]
    return {**scope, "headers": [*kept, *replaced.items()]}


def _replayed(body: bytes, receive: Receive) -> Receive:
    """`receive` with the body that was already read put back; a byte order mark is left out."""
    pending: list[Message] = [{"type": "http.request", "body": body.removeprefix(b"\xef\xbb\xbf"), "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay


def _render(refused: Refused, request_id: str) -> bytes:
    code = SERVER_ERROR if refused.status in (401, 403, 429) or refused.status >= 500 else INVALID_REQUEST
    return error_body(None, code, refused.message, data={"code": refused.code, "request_id": request_id})
