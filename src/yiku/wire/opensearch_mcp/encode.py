"""Nouns in the result shapes of the tools."""

from __future__ import annotations

from yiku.model.memories import Event, Memory, MemoryHits, MemoryPage
from yiku.model.times import format_timestamp
from yiku.wire.opensearch_mcp.results import Accepted, EventResult, ListResult, SearchResult, UpdateResult
from yiku.wire.opensearch_results import memory_result, outcome, search_row


def accepted(event: Event) -> Accepted:
    return {"event_id": event.id, "status": event.state.value}


def event_result(event: Event) -> EventResult:
    return {
        "event_id": event.id,
        "status": event.state.value,
        "memory_ids": list(event.memory_ids),
        **outcome(event),
    }


def search_result(found: MemoryHits) -> SearchResult:
    result: SearchResult = {"results": [search_row(hit) for hit in found.hits], "total": len(found.hits)}
    if found.notices:
        result["notices"] = list(found.notices)
    return result


def list_result(page: MemoryPage) -> ListResult:
    return {
        "count": page.count,
        "results": [{**memory_result(memory), "score": None} for memory in page.memories],
    }


def update_result(memory: Memory) -> UpdateResult:
    return {"id": memory.id, "memory": memory.text, "updated_at": format_timestamp(memory.updated)}
