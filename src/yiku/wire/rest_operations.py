"""Operations of our own REST doors: what each is, what it is asked with, and how a query becomes fields."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl

from yiku.model.principal import Permission, Principal
from yiku.wire.fields import Fields, parse_fields, schema_of
from yiku.wire.forms import Form

W = TypeVar("W")
Q = TypeVar("Q", bound=Fields)
_INTEGER = re.compile(r"-?[0-9]{1,19}")


class NoQuery(Fields):
    """Nothing to choose."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, decoded: `query` and `body` are of the types that its operation names. `form` has its files."""

    principal: Principal
    path: Mapping[str, str]
    query: Any
    body: Any
    form: Form | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation(Generic[W]):
    """`W` is what operations of a door work with. `status` is that of a success; `faults` are the statuses beside those
    that every operation may have. A body that may be left out is an empty object then. A part of the path that is
    written `{name:path}` may hold slashes as they are; it is the last. With `takes_files` the body is a form: files,
    and the fields of `body`."""

    method: str
    path: str
    summary: str
    permission: Permission
    run: Callable[[W, Asked], Awaitable[Mapping[str, Any]]]
    gives: type
    query: type[Fields] = NoQuery
    body: type[Fields] | None = None
    body_required: bool = True
    takes_files: bool = False
    status: int = 200
    faults: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """Of the operation in OpenAPI: that of its function."""
        return str(getattr(self.run, "__name__", "")).removeprefix("_")


def parse_query(model: type[Q], query_string: bytes, taker: str) -> Q:
    """The query as fields: what is to be a number and looks like one is read as one; the last of several counts."""
    given = dict(parse_qsl(query_string.decode("latin-1"), keep_blank_values=True))
    properties = schema_of(model).get("properties", {})
    typed = {name: _typed(given[name], schema) for name, schema in properties.items() if name in given}
    return parse_fields(model, taker, typed)


def _typed(text: str, schema: Mapping[str, Any]) -> str | int:
    return int(text) if schema.get("type") == "integer" and _INTEGER.fullmatch(text) else text
