"""What both OpenSearch dialects take, with the seed's names, defaults and bounds.

`messages`, `filters` and `metadata` have a grammar of their own; here they are only described, and `opensearch_decode`
reads them.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from yiku.model.messages import ROLES
from yiku.wire.fields import Fields, Integer, JsonObject, OptionalNumber, OptionalText

_MESSAGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "role": {"type": "string", "enum": list(ROLES)},
        "content": {"description": "The text, or a list of parts like {'type': 'text', 'text': '...'}."},
        "name": {"type": "string", "description": "Who spoke, where several people share a role."},
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


class SearchFields(Fields):
    query: str = Field(description="What you want to know, in plain words.", examples=["咖啡推荐"])
    filters: SearchFilters = Field(
        description='{"AND": [{...}, ...]}: every condition must hold, and one names the user_id. A condition is a key '
        "with its exact value: user_id, agent_id, run_id or a metadata key.",
        examples=[{"AND": [{"user_id": "your_user_id"}, {"source": "chat"}]}],
    )
    top_k: Integer = Field(10, ge=1, le=1000, description="How many memories to return at most.", examples=[10])
    threshold: OptionalNumber = Field(
        None, description="Leave out memories that score lower than this.", examples=[0.5]
    )
    rerank: bool = Field(
        False, description="Ask for a second ordering. This server has no reranker yet, and then says so."
    )


class PageFields(Fields):
    page: Integer = Field(1, ge=1, description="Which page, from 1.", examples=[1])
    page_size: Integer = Field(100, ge=1, le=200, description="Memories on a page.", examples=[5])
