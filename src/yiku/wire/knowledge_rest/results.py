"""The shapes of answers. `encode` builds them, and OpenAPI shows their schemas."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict


class BaseResult(TypedDict):
    id: str
    name: str
    description: str
    status: Literal["active", "archived"]
    created_at: str
    updated_at: str


class BaseRow(BaseResult):
    items: int


class BaseListResult(TypedDict):
    count: int
    bases: list[BaseRow]


class DeletedBaseResult(TypedDict):
    id: str
    deleted: Literal[True]
    items: int


class FailureResult(TypedDict):
    code: str
    message: str


class ItemResult(TypedDict):
    """`state`, `progress` and `error` are of what was done last: reading a revision in, or publishing one."""

    id: str
    knowledge_base_id: str
    title: str
    status: Literal["draft", "published", "archived"]
    state: Literal["PROCESSING", "SUCCESS", "FAIL"]
    progress: int
    error: FailureResult | None
    latest_revision_id: str
    current_revision_id: str | None
    source: str
    created_at: str
    updated_at: str


class ItemListResult(TypedDict):
    count: int
    items: list[ItemResult]


class DeletedItemResult(TypedDict):
    id: str
    deleted: Literal[True]


class RevisionResult(TypedDict):
    """`ready` says that its text was read in, so that it can be published."""

    id: str
    knowledge_item_id: str
    title: str
    ready: bool
    current: bool
    format: str
    source: str
    lines: int
    characters: int
    tables: list[str]
    notices: list[str]
    created_at: str


class RevisionListResult(TypedDict):
    count: int
    revisions: list[RevisionResult]


class RevisionContentResult(RevisionResult):
    content: str
    content_offset: int
    content_limit: int
    content_truncated: bool
