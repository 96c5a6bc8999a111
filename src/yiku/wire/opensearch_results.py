"""What both OpenSearch dialects show of memories, hits and events: the seed's keys, and the few that Yiku adds."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from yiku.model.memories import Decision, Event, EventState, Memory, MemoryHit
from yiku.model.ranking import Legs
from yiku.model.times import format_timestamp

SCORE_DECIMALS = 4
DECISIONS_SHOWN = 200
"""Of a whole book that was added nobody reads more; all ids of memories are there."""
FINAL = (EventState.SUCCEEDED, EventState.FAILED)

Status = Literal["PENDING", "RUNNING", "SUCCEEDED", "FAILED"]


class DecisionRow(TypedDict):
    """`old_memory_id` and `old_memory` are what an UPDATE or a SUPERSEDE replaced."""

    decision: Literal["ADD", "UPDATE", "SUPERSEDE", "NOOP", "DELETE", "SKIP"]
    memory_id: NotRequired[str]
    memory: str
    reason: str
    old_memory_id: NotRequired[str]
    old_memory: NotRequired[str]


class Failure(TypedDict):
    code: str
    message: str


class Outcome(TypedDict):
    """How an event extracted its memories; once it is over, what was decided, or what went wrong."""

    extraction: NotRequired[Literal["rules", "llm"]]
    decisions: NotRequired[list[DecisionRow]]
    decisions_left_out: NotRequired[int]
    error: NotRequired[Failure]


class Validity(TypedDict):
    """Of a memory that was extracted: what it is, and since when it holds. The rest stands where it applies."""

    kind: NotRequired[str]
    valid_from: NotRequired[str]
    valid_until: NotRequired[str]
    superseded_by: NotRequired[str]
    expires_at: NotRequired[str]


class Explanation(TypedDict):
    """Parts of the place of a hit, which add up to it: its words and its vector, those of the conversation around it,
    and what it gets for being by whom, or of when, the question asks, or for filling the slot that it asks for."""

    words: float
    words_around: float
    vector: float
    vector_around: float
    whom: float
    then: float
    answer: float


class Explained(TypedDict):
    """`explain` where it was asked for."""

    explain: NotRequired[Explanation]


class SearchRow(Validity, Explained):
    id: str
    memory: str
    score: float
    metadata: dict[str, Any]
    created_at: str
    updated_at: str


class MemoryResult(Validity):
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
        result["extraction"] = "llm" if event.by_model else "rules"
    if event.state in FINAL:
        result["decisions"] = [_decision(decision) for decision in event.decisions[:DECISIONS_SHOWN]]
        if len(event.decisions) > DECISIONS_SHOWN:
            result["decisions_left_out"] = len(event.decisions) - DECISIONS_SHOWN
    if event.failure is not None:
        result["error"] = {"code": event.failure.code, "message": event.failure.message}
    return result


def _decision(decision: Decision) -> DecisionRow:
    row: DecisionRow = {"decision": decision.kind.value, "memory": decision.text, "reason": decision.reason}
    if decision.memory_id is not None:
        row = {
            "decision": decision.kind.value,
            "memory_id": decision.memory_id,
            "memory": decision.text,
            "reason": decision.reason,
        }
    if decision.old_id is not None and decision.old_text is not None:
        row["old_memory_id"], row["old_memory"] = decision.old_id, decision.old_text
    return row


def search_row(hit: MemoryHit) -> SearchRow:
    return {
        "id": hit.memory.id,
        "memory": hit.memory.text,
        "score": round(hit.score, SCORE_DECIMALS),
        "metadata": dict(hit.memory.metadata),
        "created_at": format_timestamp(hit.memory.created),
        "updated_at": format_timestamp(hit.memory.updated),
        **validity(hit.memory),
        **_explained(hit.legs),
    }


def _explained(legs: Legs | None) -> Explained:
    if legs is None:
        return {}
    explanation: Explanation = {
        "words": round(legs.words, SCORE_DECIMALS),
        "words_around": round(legs.words_around, SCORE_DECIMALS),
        "vector": round(legs.vector, SCORE_DECIMALS),
        "vector_around": round(legs.vector_around, SCORE_DECIMALS),
        "whom": round(legs.whom, SCORE_DECIMALS),
        "then": round(legs.then, SCORE_DECIMALS),
        "answer": round(legs.answer, SCORE_DECIMALS),
    }
    return {"explain": explanation}


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
        **validity(memory),
    }


def validity(memory: Memory) -> Validity:
    shown: Validity = {}
    if memory.kind is not None:
        shown["kind"], shown["valid_from"] = memory.kind.value, format_timestamp(memory.valid_from)
    if memory.valid_until is not None:
        shown["valid_until"] = format_timestamp(memory.valid_until)
    if memory.superseded_by is not None:
        shown["superseded_by"] = memory.superseded_by
    if memory.expires is not None:
        shown["expires_at"] = format_timestamp(memory.expires)
    return shown


def delete_result(memory_id: str) -> DeleteResult:
    return {"message": f"Memory {memory_id} deleted successfully"}


def schema_of_result(result: type) -> dict[str, Any]:
    """The JSON schema of a result shape."""
    return TypeAdapter(result).json_schema()
