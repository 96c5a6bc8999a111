"""What requests may hold, for every door: fields with types and bounds, their JSON schemas, and words for misfits."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, SkipJsonSchema
from pydantic_core.core_schema import WithDefaultSchema

from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.texts import check_text

_PROBLEMS_SHOWN = 5

JsonObject = Annotated[Any, WithJsonSchema({"type": "object"})]
OptionalText = str | SkipJsonSchema[None]
OptionalNumber = Annotated[float, Field(ge=0, le=1)] | SkipJsonSchema[None]


def whole(value: object) -> object:
    """JSON knows no integers: 10.0 is the number 10."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Integer = Annotated[int, BeforeValidator(whole)]


class Fields(BaseModel):
    """No value is guessed at: a wrong type is refused, so that a mistake is seen."""

    model_config = ConfigDict(strict=True, frozen=True)


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


def decode_id(value: str, *, field: str, limits: Limits) -> str:
    """An id as somebody sent it; whether there is such a thing is for the verb to say."""
    return check_text(value, field=field, bytes_max=limits.user_id_bytes)


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model; made once, for making it costs more than a call."""
    schema = model.model_json_schema(schema_generator=_PlainSchema)
    return {key: value for key, value in schema.items() if key not in ("title", "description")}
