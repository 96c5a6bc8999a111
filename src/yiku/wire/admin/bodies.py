"""What the operations take: in the body as JSON, in the query as text. Unknown fields are ignored."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from yiku.model.conditions import INTEGER_MAX
from yiku.model.keys import KEY_CHARACTERS_MAX, KEY_CHARACTERS_MIN
from yiku.model.principal import PERMISSIONS
from yiku.wire.fields import Fields, OptionalText

Permissions = Annotated[
    Any, WithJsonSchema({"type": "array", "minItems": 1, "items": {"type": "string", "enum": list(PERMISSIONS)}})
]


DocumentIds = Annotated[Any, WithJsonSchema({"type": "array", "minItems": 1, "items": {"type": "string"}})]


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


class PageQuery(Fields):
    page: int = Field(1, ge=1, le=100_000, description="Which page, from 1.")
    page_size: int = Field(100, ge=1, le=1_000, description="How many on a page.")


class WorkspaceQuery(Fields):
    workspace: OptionalText = Field(None, description="The workspace to act in; your own by default.")


class NewBaseBody(Fields):
    name: str = Field(description="What people call it.", examples=["Handbooks"])
    id: OptionalText = Field(None, description="Yours, or one is made.", examples=["handbooks"])
    description: str = Field("", description="What stands in it.")


class FilesBody(Fields):
    """The fields beside the files. Both go with a single file."""

    id: OptionalText = Field(None, description="The id of the document: one that is there gets a new revision.")
    title: OptionalText = Field(None, description="Its title; the document's own, or the name of the file, by default.")


class SqlBody(Fields):
    sql: str = Field(description="One SELECT.", examples=['SELECT count(*) FROM "Sheet1"'])
    doc_ids: DocumentIds = Field(None, description="The documents whose tables it sees; all by default.")
    rows_max: int = Field(1_000, ge=1, le=10_000, description="How many rows at most.")


class PlacedPageQuery(WorkspaceQuery):
    page: int = Field(1, ge=1, le=100, description="Which page, from 1.")
    page_size: int = Field(100, ge=1, le=100, description="How many on a page.")


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
