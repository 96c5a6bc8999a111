"""The HTTP door: finds the operation of a request, checks who asks, decodes, answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from re import Pattern
from urllib.parse import unquote

from starlette.routing import Route, compile_path
from starlette.types import Receive, Scope, Send

from yiku.core.access import KeyRing
from yiku.model.errors import YikuError
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.admin.bodies import parse_query
from yiku.wire.admin.errors import refused, render
from yiku.wire.admin.openapi import document_bytes
from yiku.wire.admin.operations import OPERATIONS, PATH, Asked, Office, Operation
from yiku.wire.admin.results import SettingResult
from yiku.wire.bodies import decode_body
from yiku.wire.callers import caller_of
from yiku.wire.fields import parse_fields
from yiku.wire.http import Below, Edge, Refused, check_json_content, read_body, send_json
from yiku.wire.jsonrpc import compact_json


class Admin:
    """The door as the server mounts it. `anonymous` turns keys off: everybody is that principal."""

    def __init__(
        self,
        ports: Ports,
        keys: KeyRing,
        *,
        settings: Sequence[SettingResult] = (),
        allowed_hosts: Iterable[str] = (),
        anonymous: Principal | None = None,
    ) -> None:
        edge = Edge(
            _Gate(Office(ports, keys, settings), anonymous),
            allowed_hosts=allowed_hosts,
            new_id=lambda: ports.clock.new_id("req-"),
            render=render,
        )
        self.routes = [Route(PATH, edge), Below((f"{PATH}/",), edge)]


class _Gate:
    def __init__(self, office: Office, anonymous: Principal | None) -> None:
        self._office = office
        self._anonymous = anonymous
        self._places = [(compile_path(PATH + operation.path)[0], operation) for operation in OPERATIONS]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == f"{PATH}/openapi.json" and scope["method"] == "GET":
            # Generators of clients have no key, and what stands here is no secret.
            await send_json(send, 200, document_bytes())
            return
        operation, path = self._found(scope)
        principal = await caller_of(scope, self._office.keys, self._anonymous)
        try:
            principal.require("admin")
            asked = await self._decoded(operation, path, principal, scope, receive)
            answer = await operation.run(self._office, asked)
        except YikuError as error:
            raise refused(error) from error
        await send_json(send, operation.status, compact_json(answer).encode())

    def _found(self, scope: Scope) -> tuple[Operation, Mapping[str, str]]:
        matches = [(match, operation) for place, operation in self._places if (match := _match(place, scope))]
        for match, operation in matches:
            if operation.method == scope["method"]:
                return operation, match
        if not matches:
            raise Refused(404, "NotFound", "There is nothing at this path")
        allowed = ", ".join(operation.method for _, operation in matches)
        raise Refused(405, "MethodNotAllowed", f"This path takes {allowed}", headers=[("Allow", allowed)])

    async def _decoded(
        self, operation: Operation, path: Mapping[str, str], principal: Principal, scope: Scope, receive: Receive
    ) -> Asked:
        taker = f"{operation.method} {operation.path}"
        query = parse_query(operation.query, scope["query_string"], taker)
        if operation.body is None:
            return Asked(principal, path, query, None)
        check_json_content(scope)
        limits = self._office.ports.limits
        data = await read_body(scope, receive, bytes_max=limits.body_bytes, deadline_s=limits.body_deadline_s)
        body = parse_fields(operation.body, taker, decode_body(data, depth_max=limits.json_depth))
        return Asked(principal, path, query, body)


def _match(place: Pattern[str], scope: Scope) -> Mapping[str, str] | None:
    try:
        path = unquote(scope["raw_path"].decode("ascii"), errors="strict")
    except UnicodeDecodeError:
        # Read with replacements it would name somebody else.
        return None
    found = place.match(path)
    # A mapping even where the path has no parts to choose: an empty one would look like no match.
    return {**found.groupdict(), "": ""} if found else None
