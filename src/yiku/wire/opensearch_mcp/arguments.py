"""What each tool takes: argument models, whose JSON schemas the tools list shows."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import Field, WithJsonSchema

from yiku.wire.fields import Fields
from yiku.wire.opensearch_fields import AddFields, ExpiresAt, PageFields, SearchFields, TtlSeconds

_LIST_FILTERS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "user_id": {"type": "string"},
        "agent_id": {"type": "string"},
        "run_id": {"type": "string"},
    },
    "required": ["user_id"],
}

ListFilters = Annotated[Any, WithJsonSchema(_LIST_FILTERS_SCHEMA)]
MemoryId = Annotated[
    str,
    Field(
        description="Id of one memory, as memory_search and memory_get_all return it; starts with m-.",
        examples=["m-8d0417d7-9368-4777-9016-b7ee6daeb70b"],
    ),
]


class Arguments(Fields, extra="forbid"):
    """Unknown names are refused too: an agent that misspells one would take the default for its wish."""


class AddArguments(AddFields, Arguments, extra="forbid"):
    """Of `memory_add`."""


class EventArguments(Arguments):
    event_id: str = Field(
        description="The event_id that memory_add returned; starts with me-.",
        examples=["me-06bde8b5-d123-43cf-9898-64d08fbfaafc"],
    )


class SearchArguments(SearchFields, Arguments, extra="forbid"):
    """Of `memory_search`."""


class GetArguments(Arguments):
    memory_id: MemoryId


class ListArguments(PageFields, Arguments, extra="forbid"):
    filters: ListFilters = Field(
        description="Flat conditions that must all hold: user_id (required), agent_id, run_id, and any metadata key, "
        "with an exact value or operators (eq, ne, gt, gte, lt, lte, in, contains); OR and NOT join conditions. No "
        '{"AND": [...]} here; that form belongs to memory_search.',
        examples=[{"user_id": "your_user_id", "source": "chat"}],
    )


class UpdateArguments(Arguments):
    memory_id: MemoryId
    text: str = Field(description="The new text; it replaces the old one.", examples=["用户偏好拿铁咖啡"])
    expires_at: ExpiresAt = None
    ttl_seconds: TtlSeconds = None


class DeleteArguments(Arguments):
    memory_id: MemoryId


A = TypeVar("A", bound=Arguments)
