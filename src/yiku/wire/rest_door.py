"""One of our own REST doors: finds the operation of a request, checks who asks, decodes, answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from re import Pattern
from typing import Generic
from urllib.parse import quote, unquote

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from yiku.core.access import KeyRing
from yiku.model.errors import YikuError
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.bodies import decode_body
from yiku.wire.callers import caller_of
from yiku.wire.fields import parse_fields
from yiku.wire.forms import read_form
from yiku.wire.http import Below, Edge, Refused, check_json_content, read_body, send_json
from yiku.wire.jsonrpc import compact_json
from yiku.wire.rest_errors import refused, render
from yiku.wire.rest_operations import Asked, Operation, W, parse_query


class RestDoor(Generic[W]):
    """A door at `path` and below. `anonymous` turns keys off: everybody is that principal.

    `works_with` gives what its operations work with; it may raise where the door is closed. `document` makes the
    OpenAPI document as it is served. `spellings` are its names for fields of the verbs.
    """

    def __init__(
        self,
        ports: Ports,
        keys: KeyRing,
        *,
        path: str,
        operations: Sequence[Operation[W]],
        works_with: Callable[[], W],
        document: Callable[[], bytes],
        spellings: Mapping[str, str] | None = None,
        allowed_hosts: Iterable[str] = (),
        anonymous: Principal | None = None,
    ) -> None:
        self._ports = ports
        self._keys = keys
        self._path = path
        self._works_with = works_with
        self._document = document
        self._spellings = spellings or {}
        self._anonymous = anonymous
        self._places = [(_pattern(path + operation.path), operation) for operation in operations]
        edge = Edge(self._serve, allowed_hosts=allowed_hosts, new_id=lambda: ports.clock.new_id("req-"), render=render)
        self.routes = [Route(path, edge), Below((f"{path}/",), edge)]

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == f"{self._path}/openapi.json" and scope["method"] == "GET":
            # Generators of clients have no key, and what stands here is no secret.
            await send_json(send, 200, self._document())
            return
        operation, path = self._found(scope)
        principal = await caller_of(scope, self._keys, self._anonymous)
        try:
            principal.require(operation.permission)
            works_with = self._works_with()
            asked = await self._decoded(operation, path, principal, scope, receive)
            try:
                answer = await operation.run(works_with, asked)
            finally:
                if asked.form is not None:
                    await asked.form.close()
        except YikuError as error:
            raise refused(error, self._spellings) from error
        await send_json(send, operation.status, compact_json(answer).encode())

    def _found(self, scope: Scope) -> tuple[Operation[W], Mapping[str, str]]:
        path = _evenly_encoded(scope["raw_path"])
        matches = [
            (match, operation) for place, operation in self._places if (match := _match(place, path)) is not None
        ]
        for match, operation in matches:
            if operation.method == scope["method"]:
                return operation, match
        if not matches:
            raise _nothing_here()
        allowed = ", ".join(operation.method for _, operation in matches)
        raise Refused(405, "MethodNotAllowed", f"This path takes {allowed}", headers=[("Allow", allowed)])

    async def _decoded(
        self, operation: Operation[W], path: Mapping[str, str], principal: Principal, scope: Scope, receive: Receive
    ) -> Asked:
        taker = f"{operation.method} {operation.path}"
        query = parse_query(operation.query, scope["query_string"], taker)
        if operation.body is None:
            return Asked(principal, path, query, None)
        limits = self._ports.limits
        if operation.takes_files:
            form = await read_form(scope, receive, limits)
            return Asked(principal, path, query, parse_fields(operation.body, taker, form.fields), form)
        if operation.body_required:
            check_json_content(scope)
        data = await read_body(scope, receive, bytes_max=limits.body_bytes, deadline_s=limits.body_deadline_s)
        if not data and not operation.body_required:
            return Asked(principal, path, query, operation.body())
        check_json_content(scope)
        body = parse_fields(operation.body, taker, decode_body(data, depth_max=limits.json_depth))
        return Asked(principal, path, query, body)


def _pattern(path: str) -> Pattern[str]:
    """Of an encoded path: a slash inside an id comes encoded, and does not end it, but for a `{name:path}`."""
    return re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", re.sub(r"{(\w+):path}", r"(?P<\1>.*)", path)))


def _evenly_encoded(raw_path: bytes) -> str:
    """The path with each part encoded in one way, whichever of several the client chose."""
    try:
        parts = [unquote(part, errors="strict") for part in raw_path.decode("ascii").split("/")]
    except UnicodeDecodeError as error:
        # Read with replacements it would name something else.
        raise _nothing_here() from error
    return "/".join(quote(part, safe="") for part in parts)


def _match(place: Pattern[str], path: str) -> Mapping[str, str] | None:
    found = place.fullmatch(path)
    return {name: unquote(part) for name, part in found.groupdict().items()} if found else None


def _nothing_here() -> Refused:
    return Refused(404, "NotFound", "There is nothing at this path")
