"""The shapes of tool results: the seed's keys, in the seed's order, and the few that Yiku adds.

`encode` builds them and the type checker holds it to them; their JSON schemas are the tools' output schemas.
"""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from yiku.wire.opensearch_results import MemoryResult, Outcome, SearchRow, Status


class Accepted(TypedDict):
    event_id: str
    status: Status


class EventResult(Outcome):
    event_id: str
    status: Status
    memory_ids: list[str]


class SearchResult(TypedDict):
    results: list[SearchRow]
    total: int
    notices: NotRequired[list[str]]


class ListRow(MemoryResult):
    score: None


class ListResult(TypedDict):
    count: int
    results: list[ListRow]


class UpdateResult(TypedDict):
    id: str
    memory: str
    updated_at: str
