"""What both OpenSearch dialects take: fields with the seed's names, defaults and bounds, and the words for misfits.

`messages`, `filters` and `metadata` have a grammar of their own; here they are only described, and `opensearch_decode`
reads them.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, SkipJsonSchema
from pydantic_core.core_schema import WithDefaultSchema

from yiku.model.errors import InvalidInput
from yiku.model.messages import ROLES

_PROBLEMS_SHOWN = 5

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
JsonObject = Annotated[Any, WithJsonSchema({"type": "object"})]
OptionalText = str | SkipJsonSchema[None]
OptionalNumber = Annotated[float, Field(ge=0, le=1)] | SkipJsonSchema[None]


def _whole(value: object) -> object:
    """JSON knows no integers: 10.0 is the number 10."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Integer = Annotated[int, BeforeValidator(_whole)]


class Fields(BaseModel):
    """No value is guessed at: a wrong type is refused, so that a mistake is seen."""

    model_config = ConfigDict(strict=True, frozen=True)


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


F = TypeVar("F", bound=Fields)


def parse_fields(model: type[F], taker: str, given: Mapping[str, Any]) -> F:
    """The fields, or an `InvalidInput` that says for each what was expected. An explicit null counts as left out."""
    try:
        return model.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        problems = error.errors(include_url=False)
        # A field that may be one of two types fails both in the same words.
        described = dict.fromkeys(_describe(model, taker, problem) for problem in problems[:_PROBLEMS_SHOWN])
        raise InvalidInput("; ".join(described), field=str(problems[0]["loc"][0])[:64]) from error


def _describe(model: type[Fields], taker: str, problem: Mapping[str, Any]) -> str:
    name = str(problem["loc"][0])[:64]
    if problem["type"] == "missing":
        return f"{name} is required"
    if problem["type"] == "extra_forbidden":
        return f"{name} is not an argument of {taker}, which takes {', '.join(model.model_fields)}"
    return f"{name} must be {_expected(schema_of(model)['properties'][name])}; it is {_found(problem['input'])}"


def _expected(schema: Mapping[str, Any]) -> str:
    words = {
        "integer": "an integer",
        "number": "a number",
        "boolean": "true or false",
        "string": "text",
        "object": "an object",
    }
    least, most = schema.get("minimum"), schema.get("maximum")
    bounds = f" from {least} to {most}" if most is not None else f" of {least} or more" if least is not None else ""
    return words[schema["type"]] + bounds


def _found(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return reprlib.repr(value)
    return "text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"


class _PlainSchema(GenerateJsonSchema):
    """Without what tells a reader nothing: titles that repeat the names, and defaults of null."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False

    def default_schema(self, schema: WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model; made once, for making it costs more than a call."""
    schema = model.model_json_schema(schema_generator=_PlainSchema)
    return {key: value for key, value in schema.items() if key not in ("title", "description")}
