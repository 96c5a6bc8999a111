"""The HTTP door: which requests it takes, what is checked before an operation runs, and how answers go out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from yiku.core.access import KeyRing, in_workspace
from yiku.model.errors import NotFound, YikuError
from yiku.model.limits import Limits
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.bodies import decode_body
from yiku.wire.callers import caller_of
from yiku.wire.fields import Fields, parse_fields
from yiku.wire.http import REQUEST_ID, Below, Edge, check_json_content, only_reading, read_body, send_json
from yiku.wire.jsonrpc import compact_json
from yiku.wire.opensearch_rest.errors import render
from yiku.wire.opensearch_rest.openapi import document_bytes
from yiku.wire.opensearch_rest.parameters import decode_parameters
from yiku.wire.opensearch_rest.paths import Found, find
from yiku.wire.refusals import refusal

DOCUMENT_PATH = "/v4/openapi.json"
PREFIXES = ("/v4/openapi/", "/v3/openapi/")
SERVICE_ID = "agentic-memory"
SCHEMES = ("bearer", "token")
"""mem0's client says `Authorization: Token <key>`."""


class OpenSearchRest:
    """The door as the server mounts it. `anonymous` turns keys off: everybody is that principal."""

    def __init__(
        self,
        ports: Ports,
        keys: KeyRing,
        *,
        allowed_hosts: Iterable[str] = (),
        anonymous: Principal | None = None,
    ) -> None:
        def edge(app: ASGIApp) -> Edge:
            new_id = ports.clock.new_id
            return Edge(app, allowed_hosts=hosts, new_id=lambda: new_id("req-"), render=render)

        hosts = tuple(allowed_hosts)
        self.routes: list[BaseRoute] = [
            Below(PREFIXES, edge(_Door(ports, keys, anonymous))),
            Route(DOCUMENT_PATH, edge(only_reading(_document(ports.limits)))),
        ]


class _Door:
    def __init__(self, ports: Ports, keys: KeyRing, anonymous: Principal | None) -> None:
        self._ports = ports
        self._keys = keys
        self._anonymous = anonymous

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = self._ports.clock.now()
        found = find(scope)
        principal = await caller_of(scope, self._keys, self._anonymous, schemes=SCHEMES)
        try:
            answer = await self._answer(found, principal, scope, receive)
        except YikuError as error:
            raise refusal(error) from error
        if found.operation.version == "v3":
            latency = (self._ports.clock.now() - begun) // timedelta(milliseconds=1)
            answer = {"request_id": scope[REQUEST_ID], "latency": latency, "status": "OK", "result": answer}
        await send_json(send, 200, compact_json(answer).encode())

    async def _answer(self, found: Found, principal: Principal, scope: Scope, receive: Receive) -> Mapping[str, Any]:
        operation, parameters = found.operation, found.parameters
        if parameters["service_id"] != SERVICE_ID:
            raise NotFound(f"There is no such service: the service_id is {SERVICE_ID}", field="service_id")
        principal = await in_workspace(self._ports, principal, parameters["workspace_name"])
        principal.require(operation.permission)
        given: Fields | None = None
        if operation.takes is not None:
            given = await self._body(operation.takes, operation.headers, scope, receive)
        elif operation.asks is not None:
            given = decode_parameters(operation.asks, scope["query_string"])
        return await operation.run(self._ports, principal, parameters, given)

    async def _body(self, model: type[Fields], headers: Mapping[str, str], scope: Scope, receive: Receive) -> Fields:
        check_json_content(scope)
        limits = self._ports.limits
        data = await read_body(scope, receive, bytes_max=limits.body_bytes, deadline_s=limits.body_deadline_s)
        sent = Headers(scope=scope)
        named = {field: sent[name] for name, field in headers.items() if name in sent}
        body = decode_body(data, depth_max=limits.json_depth)
        said = {name: value for name, value in body.items() if value is not None}
        return parse_fields(model, "this call", {**named, **said})


def _document(limits: Limits) -> ASGIApp:
    """Without a key: it says what is in the handbook, and tools fetch it without one."""

    async def document(scope: Scope, receive: Receive, send: Send) -> None:
        await send_json(send, 200, document_bytes(limits))

    return document
