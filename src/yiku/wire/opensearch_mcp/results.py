"""The shapes of tool results: the seed's keys, in the seed's order, and the few that Yiku adds.

`encode` builds them and the type checker holds it to them; their JSON schemas are the tools' output schemas.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict

Status = Literal["PENDING", "RUNNING", "SUCCEEDED", "FAILED"]


class Accepted(TypedDict):
    event_id: str
    status: Status


class DecisionRow(TypedDict):
    decision: Literal["ADD", "UPDATE", "SUPERSEDE", "NOOP", "SKIP"]
    memory_id: NotRequired[str]
    memory: str
    reason: str


class Failure(TypedDict):
    code: str
    message: str


class EventResult(TypedDict):
    event_id: str
    status: Status
    memory_ids: list[str]
    extraction: NotRequired[Literal["rules"]]
    decisions: NotRequired[list[DecisionRow]]
    decisions_left_out: NotRequired[int]
    error: NotRequired[Failure]


class SearchRow(TypedDict):
    id: str
    memory: str
    score: float
    metadata: dict[str, Any]
    created_at: str
    updated_at: str


class SearchResult(TypedDict):
    results: list[SearchRow]
    total: int
    notices: NotRequired[list[str]]


class MemoryResult(TypedDict):
    id: str
    memory: str
    user_id: str
    agent_id: str | None
    run_id: str | None
    metadata: dict[str, Any]
    created_at: str
    updated_at: str


class ListRow(MemoryResult):
    score: None


class ListResult(TypedDict):
    count: int
    results: list[ListRow]


class UpdateResult(TypedDict):
    id: str
    memory: str
    updated_at: str


class DeleteResult(TypedDict):
    message: str


def schema_of(result: type) -> dict[str, Any]:
    """The JSON schema of a result shape."""
    return TypeAdapter(result).json_schema()
