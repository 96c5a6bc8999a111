"""Is this value what the schema asks for? The part of JSON Schema that prompts use, and services enforce.

Properties that a schema does not name are dropped and not refused: models like to add a comment of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yiku.model.errors import LlmAnswerInvalid

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def conforming(value: Any, schema: Mapping[str, Any], where: str = "the answer") -> Any:
    """The value as the schema describes it, or `LlmAnswerInvalid` that says where it is something else."""
    _check_type(value, schema, where)
    if "enum" in schema and value not in schema["enum"]:
        allowed = ", ".join(str(choice) for choice in schema["enum"])
        raise LlmAnswerInvalid(f"{where} must be one of: {allowed}")
    if isinstance(value, dict):
        return _conforming_object(value, schema, where)
    if isinstance(value, list) and "items" in schema:
        return [conforming(item, schema["items"], f"{where}[{place}]") for place, item in enumerate(value)]
    return value


def _conforming_object(value: dict[str, Any], schema: Mapping[str, Any], where: str) -> dict[str, Any]:
    properties: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    kept = {}
    for name, inner in properties.items():
        if name not in value and "null" not in _types(inner):
            raise LlmAnswerInvalid(f"{where} has no '{name}'")
        # A property that may be null is as often left out as given as null.
        kept[name] = conforming(value.get(name), inner, f"{where}.{name}")
    return kept


def _check_type(value: Any, schema: Mapping[str, Any], where: str) -> None:
    names = _types(schema)
    fits = any(isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool)) for name in names)
    if names and not fits:
        raise LlmAnswerInvalid(f"{where} must be of type {' or '.join(names)}")


def _types(schema: Mapping[str, Any]) -> tuple[str, ...]:
    named = schema.get("type", ())
    return (named,) if isinstance(named, str) else tuple(named)
