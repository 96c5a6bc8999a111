"""What the operations take: in the body as JSON, in the query as text. Unknown fields are ignored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl

from pydantic import Field, WithJsonSchema

from yiku.model.conditions import INTEGER_MAX
from yiku.model.keys import KEY_CHARACTERS_MAX, KEY_CHARACTERS_MIN
from yiku.model.principal import PERMISSIONS
from yiku.wire.fields import Fields, OptionalText, parse_fields, schema_of

Permissions = Annotated[
    Any, WithJsonSchema({"type": "array", "minItems": 1, "items": {"type": "string", "enum": list(PERMISSIONS)}})
]
_INTEGER = re.compile(r"-?[0-9]{1,19}")


class NewKeyBody(Fields):
    name: str = Field(description="What the key is for.", examples=["chat bot"])
    workspace: OptionalText = Field(None, description="Where it is valid; your own workspace by default.")
    permissions: Permissions = Field(
        None, description="What it may do: memory:read and memory:write by default.", examples=[["memory:read"]]
    )
    user_id: OptionalText = Field(None, description="The only user it may see; any by default.", examples=["user_1"])
    expires_at: OptionalText = Field(
        None,
        description="When it ends (ISO 8601); never by default.",
        examples=["2027-01-01T00:00:00Z"],
    )
    secret: OptionalText = Field(
        None,
        description=f"A key that you have already, to be accepted as it is: {KEY_CHARACTERS_MIN} to "
        f"{KEY_CHARACTERS_MAX} visible characters. By default a new one is made and shown this once.",
        json_schema_extra={"pattern": f"^[!-~]{{{KEY_CHARACTERS_MIN},{KEY_CHARACTERS_MAX}}}$"},
    )


class NewWorkspaceBody(Fields):
    name: str = Field(
        description="1 to 63 small letters, digits, hyphens and underscores; it cannot be changed.", examples=["team"]
    )


class NoQuery(Fields):
    """Nothing to choose."""


class PageQuery(Fields):
    page: int = Field(1, ge=1, le=100_000, description="Which page, from 1.")
    page_size: int = Field(100, ge=1, le=1_000, description="How many on a page.")


class WorkspaceQuery(Fields):
    workspace: OptionalText = Field(None, description="The workspace to act in; your own by default.")


class UsersQuery(WorkspaceQuery):
    after: str = Field("", description="The last user_id of the page before.")
    limit: int = Field(50, ge=1, le=200, description="How many at most.")


class JobsQuery(Fields):
    after: int = Field(0, ge=0, le=INTEGER_MAX, description="What next was on the page before.")
    limit: int = Field(100, ge=1, le=1_000, description="How many at most.")


class AuditQuery(Fields):
    before: OptionalText = Field(
        None,
        description="What next was on the page before.",
        json_schema_extra={"pattern": r"^([0-9]{1,18}\.au-[0-9a-f-]{36})?$"},
    )
    limit: int = Field(100, ge=1, le=1_000, description="How many at most.")


Q = TypeVar("Q", bound=Fields)


def parse_query(model: type[Q], query_string: bytes, taker: str) -> Q:
    """The query as fields: what is to be a number and looks like one is read as one; the last of several counts."""
    given = dict(parse_qsl(query_string.decode("latin-1"), keep_blank_values=True))
    properties = schema_of(model).get("properties", {})
    typed = {name: _typed(given[name], schema) for name, schema in properties.items() if name in given}
    return parse_fields(model, taker, typed)


def _typed(text: str, schema: Mapping[str, Any]) -> str | int:
    return int(text) if schema.get("type") == "integer" and _INTEGER.fullmatch(text) else text
