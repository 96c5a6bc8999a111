"""The shapes of answers about knowledge bases: the seed's keys in the seed's order, then the few that Yiku adds."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

DocumentStatus = Literal["PROCESSING", "SUCCESS", "FAIL"]


class DocumentAnswer(TypedDict):
    """`error_message` is empty unless something went wrong."""

    id: str
    error_message: str


class Progress(TypedDict):
    """How far the latest upload is, 0 to 100. Of one that could not be read `error_message` says why, in words, and
    `reason` in one."""

    progress: int
    error_message: str
    reason: NotRequired[str]


class DocumentRow(Progress):
    id: str
    title: str
    timestamp: str
    status: DocumentStatus


class DocumentsResult(TypedDict):
    results: list[DocumentRow]
    total: int


class DocumentResult(Progress):
    """`truncated` says that there is more text than is shown."""

    id: str
    title: str
    content: str
    status: DocumentStatus
    timestamp: str
    truncated: bool


class BaseResult(TypedDict):
    id: str
    name: str
    description: str
    is_active: bool
    created_at: str
    updated_at: str


class BaseRow(BaseResult):
    documents: int


class BasesResult(TypedDict):
    results: list[BaseRow]
    total: int


class BaseDeleted(TypedDict):
    """`documents` is how many there were in it."""

    id: str
    documents: int
