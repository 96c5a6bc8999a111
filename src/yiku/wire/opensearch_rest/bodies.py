"""What each operation takes: the models of request bodies.

Fields that a model does not know are ignored, because SDKs grow fields; a value of a wrong type is refused by name.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from yiku.wire.fields import Fields
from yiku.wire.opensearch_fields import AddFields, ExpiresAt, PageFields, SearchFields, TtlSeconds
from yiku.wire.opensearch_rest.grammar import IDENTIFIER, TEXT

COMPONENT = "x-component"
"""Names a schema of `grammar` in the schema of a field: pydantic takes no references but its own."""

Messages = Annotated[Any, WithJsonSchema({COMPONENT: "Messages"})]
Filters = Annotated[dict[str, Any], WithJsonSchema({"type": "object", COMPONENT: "Filters"})]
Metadata = Annotated[dict[str, Any], WithJsonSchema({"type": "object", COMPONENT: "Metadata"})]
Text = Annotated[str, WithJsonSchema(TEXT)]
Identifier = Annotated[str, WithJsonSchema(IDENTIFIER)]
Nothing = SkipJsonSchema[None]
"""That null counts as left out is said once for all optional fields, where OpenAPI is made."""

FILTERS_MEANING = (
    "All conditions must hold, and one names the user_id. A condition is a key (agent_id, run_id or a metadata key) "
    "with its exact value, or with operators: eq, ne, gt, gte, lt, lte, in, contains. AND, OR and NOT join conditions."
)
METADATA_MEANING = (
    "Your own keys and values, kept with every memory and usable as filters. 'timestamp' (ISO 8601) says when the "
    "messages were written; it is kept and returned."
)


class AddBody(AddFields):
    messages: Messages = Field(description="What to remember: a dialogue, one message, or one text.")
    user_id: Identifier = Field(description="Whose memory it is.", examples=["user_123"])
    agent_id: Identifier | Nothing = Field(
        None, description="The agent it came through; a dimension to filter by.", examples=["agent_001"]
    )
    run_id: Identifier | Nothing = Field(
        None, description="The run or session it came from; a dimension to filter by too.", examples=["run_001"]
    )
    metadata: Metadata | Nothing = Field(None, description=METADATA_MEANING, examples=[{"source": "example"}])
    idempotency_key: Text | Nothing = Field(
        None,
        max_length=256,
        description="Ours. A text of your choice for this add, up to 256 bytes: another add with the same key is "
        "answered with the event of the first. The header Idempotency-Key says the same.",
        examples=["7d0c9a1e"],
    )


class SearchBody(SearchFields):
    query: Text = Field(description="What you want to know, in plain words.", examples=["咖啡"])
    exclude_run_id: Identifier | Nothing = Field(
        None,
        description="Ours. Leave out what was said in this run: an agent has its own conversation before its eyes.",
        examples=["current_run_id"],
    )
    filters: Filters = Field(description=FILTERS_MEANING)


class ListBody(PageFields):
    filters: Filters = Field(description=FILTERS_MEANING)


class UpdateBody(Fields):
    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": ["text"], "properties": {"text": {"type": "string"}}},
                {"required": ["metadata"], "properties": {"metadata": {"type": "object"}}},
                {"required": ["expires_at"], "properties": {"expires_at": {"type": "string"}}},
                {"required": ["ttl_seconds"], "properties": {"ttl_seconds": {"type": "integer"}}},
            ]
        }
    )

    text: Text | Nothing = Field(
        None, description="The new text; it replaces the old one.", examples=["助手为用户推荐了拿铁咖啡"]
    )
    metadata: Metadata | Nothing = Field(
        None,
        description="Merged into what is there: a key with null is removed, others stay.",
        examples=[{"category": "updated"}],
    )
    expires_at: ExpiresAt = None
    ttl_seconds: TtlSeconds = None


class DeleteBody(Fields):
    filters: Filters = Field(description=FILTERS_MEANING)
    dry_run: bool = Field(False, description="Only count what would be deleted.", examples=[True])
