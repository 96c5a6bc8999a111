"""What both OpenSearch dialects show of memories, hits and events: the seed's keys, and the few that Yiku adds."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from yiku.model.memories import Decision, Event, EventState, Memory, MemoryHit
from yiku.model.times import format_timestamp

SCORE_DECIMALS = 4
DECISIONS_SHOWN = 200
"""Of a whole book that was added nobody reads more; all ids of memories are there."""
FINAL = (EventState.SUCCEEDED, EventState.FAILED)

Status = Literal["PENDING", "RUNNING", "SUCCEEDED", "FAILED"]


class DecisionRow(TypedDict):
    decision: Literal["ADD", "UPDATE", "SUPERSEDE", "NOOP", "SKIP"]
    memory_id: NotRequired[str]
    memory: str
    reason: str


class Failure(TypedDict):
    code: str
    message: str


class Outcome(TypedDict):
    """How an event extracted its memories; once it is over, what was decided, or what went wrong."""

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


class MemoryResult(TypedDict):
    id: str
    memory: str
    user_id: str
    agent_id: str | None
    run_id: str | None
    metadata: dict[str, Any]
    created_at: str
    updated_at: str


class DeleteResult(TypedDict):
    message: str


def outcome(event: Event) -> Outcome:
    result: Outcome = {}
    if event.infer:
        result["extraction"] = "rules"
    if event.state in FINAL:
        result["decisions"] = [_decision(decision) for decision in event.decisions[:DECISIONS_SHOWN]]
        if len(event.decisions) > DECISIONS_SHOWN:
            result["decisions_left_out"] = len(event.decisions) - DECISIONS_SHOWN
    if event.failure is not None:
        result["error"] = {"code": event.failure.code, "message": event.failure.message}
    return result


def _decision(decision: Decision) -> DecisionRow:
    if decision.memory_id is None:
        return {"decision": decision.kind.value, "memory": decision.text, "reason": decision.reason}
    return {
        "decision": decision.kind.value,
        "memory_id": decision.memory_id,
        "memory": decision.text,
        "reason": decision.reason,
    }


def search_row(hit: MemoryHit) -> SearchRow:
    return {
        "id": hit.memory.id,
        "memory": hit.memory.text,
        "score": round(hit.score, SCORE_DECIMALS),
        "metadata": dict(hit.memory.metadata),
        "created_at": format_timestamp(hit.memory.created),
        "updated_at": format_timestamp(hit.memory.updated),
    }


def memory_result(memory: Memory) -> MemoryResult:
    return {
        "id": memory.id,
        "memory": memory.text,
        "user_id": memory.scope.user_id,
        "agent_id": memory.scope.agent_id,
        "run_id": memory.scope.run_id,
        "metadata": dict(memory.metadata),
        "created_at": format_timestamp(memory.created),
        "updated_at": format_timestamp(memory.updated),
    }


def delete_result(memory_id: str) -> DeleteResult:
    return {"message": f"Memory {memory_id} deleted successfully"}


def schema_of_result(result: type) -> dict[str, Any]:
    """The JSON schema of a result shape."""
    return TypeAdapter(result).json_schema()
