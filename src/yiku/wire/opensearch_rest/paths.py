"""Which operation does a path mean, and which parameters does it name?

Paths are read as they were sent: an id may hold an encoded slash, which a decoded path could not tell from a real one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from starlette.types import Scope

from yiku.wire.http import Refused
from yiku.wire.opensearch_rest.operation import Operation
from yiku.wire.opensearch_rest.operations import OPERATIONS

BASES = {version: f"/{version}/openapi/workspaces/{{workspace_name}}/memory/{{service_id}}" for version in ("v4", "v3")}
BASE_PARTS = 6
ANY = "{}"
"""Stands for a parameter where it does not matter which."""


@dataclass(frozen=True, slots=True)
class Found:
    operation: Operation
    parameters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Place:
    """A path, part by part, and what can be done there."""

    parts: tuple[str, ...]
    operations: dict[str, Operation]

    def parameters(self, given: Sequence[str]) -> Mapping[str, str]:
        pairs = zip(self.parts, given, strict=True)
        return {part[1:-1]: value for part, value in pairs if part[0] == "{"}


def full_path(operation: Operation) -> str:
    return BASES[operation.version] + operation.path


def _places() -> Mapping[tuple[str, ...], _Place]:
    """By the parts of their paths, with `ANY` in the place of parameters: every request looks here."""
    places: dict[tuple[str, ...], _Place] = {}
    for operation in OPERATIONS:
        parts = tuple(full_path(operation)[1:].split("/"))
        shape = tuple(ANY if part[0] == "{" else part for part in parts)
        places.setdefault(shape, _Place(parts, {})).operations[operation.method] = operation
    return places


PLACES = _places()


def find(scope: Scope) -> Found:
    """The operation, or a `Refused`: 404 where there is no such path, 405 where it knows other methods."""
    parts = _parts(scope["raw_path"])
    place = next((PLACES[shape] for shape in _shapes(parts) if shape in PLACES), None)
    if place is None or not all(parts):
        raise Refused(404, "NotFound", "There is nothing at this path: /v4/openapi.json lists the paths there are")
    operation = place.operations.get(scope["method"])
    if operation is None:
        allowed = ", ".join(place.operations)
        raise Refused(405, "MethodNotAllowed", f"Use {allowed} here", headers=[("Allow", allowed)])
    return Found(operation, place.parameters(parts))


def _shapes(parts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What the path may mean: /memories/search is the search first, and the memory called "search" only then."""
    if len(parts) > BASE_PARTS:
        version, openapi, workspaces, _, memory, _, *rest = parts
        base = (version, openapi, workspaces, ANY, memory, ANY)
        yield (*base, *rest)
        if len(rest) > 1:
            yield (*base, rest[0], ANY, *rest[2:])
        if len(rest) > 3:
            yield (*base, rest[0], ANY, rest[2], ANY, *rest[4:])


def _parts(raw_path: bytes) -> list[str]:
    """A slash at the end makes no difference: a redirect would lose the key with some clients."""
    try:
        path = raw_path.decode().removesuffix("/")
        parts = path[1:].split("/")
        return [unquote(part, errors="strict") for part in parts] if "%" in path else parts
    except UnicodeDecodeError:
        return []
