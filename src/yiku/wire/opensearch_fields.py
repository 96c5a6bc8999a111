"""What both OpenSearch dialects take, with the seed's names, defaults and bounds.

`messages`, `filters` and `metadata` have a grammar of their own; here they are only described, and `opensearch_decode`
reads them.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from yiku.model.messages import ROLES
from yiku.wire.fields import Fields, Integer, JsonObject, OptionalNumber, OptionalText, whole

_MESSAGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "role": {"type": "string", "enum": list(ROLES)},
        "content": {"description": "The text, or a list of parts like {'type': 'text', 'text': '...'}."},
        "name": {"type": "string", "description": "Who spoke, where several people share a role."},
        "id": {
            "description": "Ours. Your id of the message: sent again with the same content, it is not digested again."
        },
    },
}
_MESSAGES_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string"},
        _MESSAGE_SCHEMA,
        {"type": "array", "minItems": 1, "items": _MESSAGE_SCHEMA | {"required": ["role"]}},
    ]
}
_SEARCH_FILTERS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"AND": {"type": "array", "minItems": 1, "items": {"type": "object"}}},
    "required": ["AND"],
    "additionalProperties": False,
}

Moment = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]

ExpiresAt = Annotated[
    Moment | SkipJsonSchema[None],
    Field(
        description="Ours. When the memories go away by themselves (ISO 8601); 'never' takes back an earlier wish.",
        examples=["2027-01-01"],
    ),
]
TtlSeconds = Annotated[
    Annotated[int, Field(ge=1, le=3_155_760_000), BeforeValidator(whole)] | SkipJsonSchema[None],
    Field(description="Ours. The same, as seconds from now.", examples=[86_400]),
]

AsOf = Annotated[
    Moment | SkipJsonSchema[None],
    Field(
        description="Ours. What held at this time (ISO 8601) instead of what holds now: values that have changed since "
        "are found, and what began later is not.",
        examples=["2024-06-01"],
    ),
]

Messages = Annotated[Any, WithJsonSchema(_MESSAGES_SCHEMA)]
SearchFilters = Annotated[Any, WithJsonSchema(_SEARCH_FILTERS_SCHEMA)]


class AddFields(Fields):
    messages: Messages = Field(
        description="What to remember: one text, one message {role, content}, or a dialogue as a list of messages.",
        examples=["我喜欢喝咖啡", [{"role": "user", "content": "I moved to Berlin last week."}]],
    )
    user_id: str = Field(description="Whose memory it is.", examples=["your_user_id"])
    agent_id: OptionalText = Field(
        None, description="The agent it came through; a dimension to filter by.", examples=["your_agent_id"]
    )
    run_id: OptionalText = Field(
        None, description="The run or session it came from; a dimension to filter by too.", examples=["your_run_id"]
    )
    metadata: JsonObject = Field(
        None,
        description="Your own keys and values, kept with every memory and usable as filters. 'timestamp' (an ISO 8601 "
        "date) says when the messages were written; it is kept and returned.",
        examples=[{"source": "chat", "timestamp": "2026-06-02T08:39:21Z"}],
    )
    infer: bool = Field(
        True, description="true: extract what is worth remembering. false: keep the text as it is, as one memory."
    )
    expires_at: ExpiresAt = None
    ttl_seconds: TtlSeconds = None
    idempotency_key: OptionalText = Field(
        None,
        description="Ours. A text of your choice for this add: another one with the same key is answered with the "
        "event of the first, so that sending it again is safe.",
        examples=["7d0c9a1e"],
    )


class SearchFields(Fields):
    query: str = Field(description="What you want to know, in plain words.", examples=["咖啡推荐"])
    filters: SearchFilters = Field(
        description='{"AND": [{...}, ...]}: every condition must hold, and one names the user_id. A condition is a key '
        "(agent_id, run_id or a metadata key) with its exact value, or with operators (eq, ne, gt, gte, lt, lte, in, "
        'contains): {"stars": {"gte": 4}}. AND, OR and NOT join conditions: {"OR": [{...}, {...}]}.',
        examples=[{"AND": [{"user_id": "your_user_id"}, {"source": "chat"}]}],
    )
    top_k: Integer = Field(10, ge=1, le=1000, description="How many memories to return at most.", examples=[10])
    threshold: OptionalNumber = Field(
        None, description="Leave out memories that score lower than this.", examples=[0.5]
    )
    rerank: bool = Field(False, description="Ask for a second ordering by a reranker. A server without one says so.")
    explain: bool = Field(False, description="Ours. Show for each memory what its place was made of.")
    as_of: AsOf = None
    exclude_run_id: OptionalText = Field(
        None,
        description="Ours. Leave out what was said in this run: an agent has its own conversation before its eyes.",
        examples=["current_run_id"],
    )


class PageFields(Fields):
    page: Integer = Field(1, ge=1, description="Which page, from 1.", examples=[1])
    page_size: Integer = Field(100, ge=1, le=200, description="Memories on a page.", examples=[5])
    as_of: AsOf = None
