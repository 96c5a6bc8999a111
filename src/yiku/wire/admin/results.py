"""The shapes of answers. `encode` builds them, and OpenAPI shows their schemas."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from yiku.model.principal import Permission


class KeyResult(TypedDict):
    id: str
    name: str
    workspace: str
    permissions: list[Permission]
    user_id: str | None
    created_at: str
    expires_at: str | None
    expired: bool
    last_used_at: str | None


class NewKeyResult(KeyResult):
    key: str | None
    """Only when it was made here, and only this once."""


class KeyListResult(TypedDict):
    count: int
    keys: list[KeyResult]


class RevokedResult(TypedDict):
    id: str
    revoked: Literal[True]


class WorkspaceResult(TypedDict):
    name: str
    created_at: str | None


class WorkspaceListResult(TypedDict):
    count: int
    workspaces: list[WorkspaceResult]


class UserResult(TypedDict):
    user_id: str
    memories: int
    messages: int
    events: int
    last_add_at: str | None


class UserListResult(TypedDict):
    workspace: str
    users: list[UserResult]
    next: str | None


class DeletedUserResult(TypedDict):
    workspace: str
    user_id: str
    records: int


class JobResult(TypedDict):
    id: str
    kind: str
    workspace: str
    user_id: str | None
    base_id: str | None
    state: Literal["WAITING", "BACK_OFF", "RUNNING"]
    attempts: int
    enqueued_at: str
    age_s: float
    due_at: str | None
    error: str | None


class JobListResult(TypedDict):
    jobs: list[JobResult]
    next: int | None


class RetriedResult(TypedDict):
    id: str
    retried: Literal[True]


class BaseResult(TypedDict):
    id: str
    name: str
    description: str
    is_active: bool
    created_at: str
    updated_at: str


class ListedBaseResult(BaseResult):
    documents: int


class BaseListResult(TypedDict):
    workspace: str
    count: int
    bases: list[ListedBaseResult]


class DeletedBaseResult(TypedDict):
    id: str
    documents: int


class DocumentResult(TypedDict):
    id: str
    title: str
    source: str
    status: Literal["PROCESSING", "SUCCESS", "FAIL"]
    progress: int
    reason: str | None
    error_message: str
    created_at: str
    updated_at: str


class DocumentListResult(TypedDict):
    count: int
    documents: list[DocumentResult]


class RefusedFileResult(TypedDict):
    file: str
    code: str
    message: str


class UploadedResult(TypedDict):
    documents: list[DocumentResult]
    refused: list[RefusedFileResult]


class DeletedDocumentResult(TypedDict):
    id: str
    deleted: Literal[True]


class SqlResult(TypedDict):
    columns: list[str]
    rows: list[list[str | int | float | bool | None]]
    is_cut: bool


class SettingResult(TypedDict):
    name: str
    value: Any
    source: Literal["default", "file", "environment"]


class SettingListResult(TypedDict):
    settings: list[SettingResult]


class AuditResult(TypedDict):
    id: str
    at: str
    key_id: str
    action: str
    workspace: str
    subject: str
    outcome: str
    request_id: str | None
    times: int
    left_out: int


class AuditListResult(TypedDict):
    entries: list[AuditResult]
    next: str | None
