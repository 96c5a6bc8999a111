"""What the operations take: in the body as JSON, in the query as text. Unknown fields are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from yiku.core.knowledge.addressed import READ_CHARACTERS_MAX
from yiku.model.conditions import INTEGER_MAX
from yiku.model.errors import InvalidInput
from yiku.model.texts import check_text
from yiku.wire.fields import Fields, Integer, OptionalText

ENDINGS: Mapping[str, str] = {
    "markdown": "md",
    "text": "txt",
    "html": "html",
    "csv": "csv",
    "json": "json",
    "jsonl": "jsonl",
}
"""The format of a content, and the ending of a file that has it."""
Format = Annotated[str, WithJsonSchema({"type": "string", "enum": list(ENDINGS)})]


class NewBaseBody(Fields):
    name: str = Field(description="What people call it; up to 512 bytes.", examples=["Handbook"])
    description: str = Field("", description="What is in it.")
    id: OptionalText = Field(None, description="An id of your own; one is made by default.", examples=["handbook"])


class RevisionBody(Fields):
    """A text, or where a file is."""

    title: OptionalText = Field(None, description="Of the item; by default it stays, or is that of the file.")
    content: OptionalText = Field(
        None, description="The text itself.", examples=["# Rollback\n\nRun `rollback` on the host."]
    )
    format: Format = Field("markdown", description="What the content is.")
    file_url: OptionalText = Field(
        None, description="Instead of content: the address of a file of any format that can be read."
    )


class NewItemBody(RevisionBody):
    title: str = Field(description="What people call it; up to 1024 bytes.", examples=["Rollback"])


class PublishBody(Fields):
    revision_id: OptionalText = Field(None, description="The revision to publish; the latest by default.")


class PageQuery(Fields):
    page: Integer = Field(1, ge=1, le=100_000, description="Which page, from 1.")
    page_size: Integer = Field(20, ge=1, le=100, description="How many on a page.")


class PieceQuery(Fields):
    offset: Integer = Field(0, ge=0, le=INTEGER_MAX, description="The character to begin with, from 0.")
    limit_chars: Integer = Field(4_000, ge=1, le=READ_CHARACTERS_MAX, description="How many characters at most.")


def file_of(body: RevisionBody, *, bytes_max: int) -> Mapping[str, Any]:
    """The file that an upload takes. Text becomes a file that is named for its title."""
    if (body.content is None) == (body.file_url is None):
        raise InvalidInput("Give either content or file_url", field="content")
    if body.format not in ENDINGS:
        raise InvalidInput(f"format must be one of {', '.join(ENDINGS)}", field="format")
    if body.content is None:
        return {"url": body.file_url}
    check_text(body.content, field="content", bytes_max=bytes_max)
    return {"content": body.content.encode(), "name": f"{body.title or 'content'}.{ENDINGS[body.format]}"}
