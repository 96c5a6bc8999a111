"""Nouns in the shapes of answers."""

from __future__ import annotations

from yiku.core.memory.history import History
from yiku.model.memories import Event, Memory, MemoryHits, MemoryPage
from yiku.model.times import format_timestamp
from yiku.wire.opensearch_rest.results import (
    Accepted,
    DeleteUserResult,
    EventResult,
    HistoryResult,
    HistoryRow,
    ListResult,
    SearchResult,
    UpdateResult,
    ValueRow,
)
from yiku.wire.opensearch_results import memory_result, outcome, search_row, validity

ACCEPTED = "Memory creation accepted; poll the event endpoint for status."


def accepted(event: Event) -> Accepted:
    return {"message": ACCEPTED, "status": event.state.value, "event_id": event.id}


def event_result(event: Event) -> EventResult:
    return {"id": event.id, "status": event.state.value, "results": list(event.memory_ids), **outcome(event)}


def search_result(found: MemoryHits) -> SearchResult:
    result: SearchResult = {"results": [search_row(hit) for hit in found.hits]}
    if found.notices:
        result["notices"] = list(found.notices)
    return result


def update_result(memory: Memory) -> UpdateResult:
    """The seed calls the words `text` here and `memory` elsewhere: both are there, so that either client is right."""
    shown = memory_result(memory)
    return {
        "id": memory.id,
        "text": memory.text,
        "user_id": shown["user_id"],
        "agent_id": shown["agent_id"],
        "run_id": shown["run_id"],
        "metadata": shown["metadata"],
        "created_at": shown["created_at"],
        "updated_at": shown["updated_at"],
        "memory": memory.text,
    }


def list_result(page: MemoryPage) -> ListResult:
    return {"count": page.count, "results": [memory_result(memory) for memory in page.memories]}


def history_result(history: History) -> HistoryResult:
    """Oldest wording first, the present one last; the values of its slot in time."""
    memory = history.memory
    ends = [revision.replaced for revision in memory.revisions]
    # Where older wordings were dropped nobody knows since when the first one held.
    begins = [None if memory.revisions_dropped else memory.created, *ends]
    tellings = [(revision.text, revision.metadata) for revision in memory.revisions] + [(memory.text, memory.metadata)]
    rows: list[HistoryRow] = [
        {
            "memory": text,
            "metadata": dict(metadata),
            "since": format_timestamp(since) if since else None,
            "until": format_timestamp(until) if until else None,
        }
        for (text, metadata), since, until in zip(tellings, begins, [*ends, None], strict=True)
    ]
    values: list[ValueRow] = [
        {"id": value.id, "memory": value.text, "evidence": list(value.evidence), **validity(value)}
        for value in history.values
    ]
    return {"id": memory.id, "results": rows, "left_out": memory.revisions_dropped, "values": values}


def delete_user_result(user_id: str, count: int) -> DeleteUserResult:
    return {"message": f"User {user_id} deleted successfully", "count": count}
