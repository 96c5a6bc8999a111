"""What the operations on knowledge bases take: bodies, and the parameters of pages."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from yiku.core.knowledge.bases import DESCRIPTION_BYTES_MAX, NAME_BYTES_MAX
from yiku.core.knowledge.upload import TITLE_BYTES_MAX
from yiku.wire.fields import Fields, Integer
from yiku.wire.opensearch_rest.bodies import COMPONENT, Identifier, Nothing
from yiku.wire.opensearch_rest.grammar import IDENTIFIER, TEXT

SOURCES = ("LOCAL", "OSS")

Source = Annotated[str, WithJsonSchema({"type": "string", "enum": list(SOURCES)})]
UploadedDoc = Annotated[dict[str, Any], WithJsonSchema({"type": "object", COMPONENT: "UploadDoc"})]
FileUrl = Annotated[
    str,
    WithJsonSchema(
        {"type": "string", "pattern": "^([hH][tT][tT][pP][sS]?|[oO][sS][sS]|[sS]3|[fF][iI][lL][eE])://[^\\s\\u0000]"}
    ),
]
Title = Annotated[str, WithJsonSchema(TEXT | {"maxLength": TITLE_BYTES_MAX})]
Name = Annotated[str, WithJsonSchema(IDENTIFIER | {"maxLength": NAME_BYTES_MAX})]
Description = Annotated[
    str, WithJsonSchema({"type": "string", "pattern": r"^[^\u0000]*$", "maxLength": DESCRIPTION_BYTES_MAX})
]


class UploadDoc(Fields):
    id: Identifier | Nothing = Field(
        None,
        description="Your id of the document; left out, one is made. A document that is there already gets a new "
        "revision, and is found as it was until that has been read.",
        examples=["doc-001"],
    )
    title: Title | Nothing = Field(
        None,
        description="Left out, the document's own title is taken, or the name of its file.",
        examples=["使用手册"],
    )
    file_url: FileUrl = Field(
        description="Where the file is: http or https, and oss://bucket/key where the server knows the endpoint.",
        examples=["https://example.com/manual.pdf"],
    )


class UploadBody(Fields):
    type: Source = Field(
        description="LOCAL: a file behind an address. OSS: an object of a bucket, by its address or as "
        "oss://bucket/key.",
        examples=["LOCAL"],
    )
    doc: UploadedDoc = Field(description="The document.")


class BaseBody(Fields):
    id: Identifier | Nothing = Field(
        None, description="Your id of the base; left out, one is made.", examples=["kb-001"]
    )
    name: Name = Field(description="What people call it.", examples=["产品手册"])
    description: Description = Field("", description="What is in it.", examples=["Manuals of all products"])


class PageParameters(Fields):
    page_number: Integer = Field(1, ge=1, description="Which page, from 1.", examples=[1])
    page_size: Integer = Field(10, ge=1, le=100, description="How many on a page.", examples=[10])
