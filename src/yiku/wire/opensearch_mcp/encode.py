"""Nouns in the seed's result shapes."""

from __future__ import annotations

from yiku.model.memories import Decision, Event, EventState, Memory, MemoryHits, MemoryPage
from yiku.model.times import format_timestamp
from yiku.wire.opensearch_mcp.results import (
    Accepted,
    DecisionRow,
    DeleteResult,
    EventResult,
    ListResult,
    MemoryResult,
    SearchResult,
    UpdateResult,
)

SCORE_DECIMALS = 4
DECISIONS_SHOWN = 200
"""Of a whole book that was added nobody reads more; all memory_ids are there."""
FINAL = (EventState.SUCCEEDED, EventState.FAILED)


def accepted(event: Event) -> Accepted:
    return {"event_id": event.id, "status": event.state.value}


def event_result(event: Event) -> EventResult:
    """The seed's three keys; how the memories were extracted; once it is over, what was decided, or what went wrong."""
    result: EventResult = {"event_id": event.id, "status": event.state.value, "memory_ids": list(event.memory_ids)}
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


def search_result(found: MemoryHits) -> SearchResult:
    result: SearchResult = {
        "results": [
            {
                "id": hit.memory.id,
                "memory": hit.memory.text,
                "score": round(hit.score, SCORE_DECIMALS),
                "metadata": dict(hit.memory.metadata),
                "created_at": format_timestamp(hit.memory.created),
                "updated_at": format_timestamp(hit.memory.updated),
            }
            for hit in found.hits
        ],
        "total": len(found.hits),
    }
    if found.notices:
        result["notices"] = list(found.notices)
    return result


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


def list_result(page: MemoryPage) -> ListResult:
    return {
        "count": page.count,
        "results": [{**memory_result(memory), "score": None} for memory in page.memories],
    }


def update_result(memory: Memory) -> UpdateResult:
    return {"id": memory.id, "memory": memory.text, "updated_at": format_timestamp(memory.updated)}


def delete_result(memory_id: str) -> DeleteResult:
    return {"message": f"Memory {memory_id} deleted successfully"}
