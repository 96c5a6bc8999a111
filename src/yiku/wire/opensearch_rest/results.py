"""The shapes of answers: the seed's keys in the seed's order, then the few that Yiku adds.

`encode` builds them and the type checker holds it to them; OpenAPI shows their schemas.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from yiku.wire.opensearch_results import DeleteResult, MemoryResult, Outcome, SearchRow, Status, Validity


class Accepted(TypedDict):
    message: str
    status: Status
    event_id: str


class EventResult(Outcome):
    id: str
    status: Status
    results: list[str]


class SearchResult(TypedDict):
    results: list[SearchRow]
    notices: NotRequired[list[str]]


class UpdateResult(TypedDict):
    id: str
    text: str
    user_id: str
    agent_id: str | None
    run_id: str | None
    metadata: dict[str, Any]
    created_at: str
    updated_at: str
    memory: str


class ListResult(TypedDict):
    count: int
    results: list[MemoryResult]


class HistoryRow(TypedDict):
    """What the memory said from `since` on, and until when; the present wording has no `until`."""

    memory: str
    metadata: dict[str, Any]
    since: str | None
    until: str | None


class ValueRow(Validity):
    """One answer that the question of this memory has had, and the messages that it rests on."""

    id: str
    memory: str
    evidence: list[str]


class HistoryResult(TypedDict):
    id: str
    results: list[HistoryRow]
    left_out: int
    values: list[ValueRow]


class DeleteManyResult(TypedDict):
    count: int
    dry_run: bool


class DeleteUserResult(DeleteResult):
    count: int


class HealthStatus(TypedDict):
    status: Literal["healthy"]


class ErrorResult(TypedDict):
    request_id: str
    latency: Literal[0]
    code: str
    http_code: int
    message: str
