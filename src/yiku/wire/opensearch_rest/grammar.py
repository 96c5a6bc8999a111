"""The JSON schemas of what has a grammar of its own: messages, metadata and filters.

They say all that JSON Schema can say about what is accepted: fuzzers and generated clients read them literally. What it
cannot say (sizes in bytes, how many values there are in all) is in `docs/dialects/opensearch-rest.md`.
"""

from __future__ import annotations

from typing import Any

from yiku.model.conditions import INTEGER_MAX, INTEGER_MIN
from yiku.model.messages import ROLES
from yiku.model.metadata import OWNER_KEYS
from yiku.wire.opensearch_filters import DIMENSIONS, OPERATORS
from yiku.wire.opensearch_messages import TEXT_PARTS

Json = dict[str, Any]


def ref(name: str) -> Json:
    """To one of `COMPONENTS`."""
    return {"$ref": f"#/components/schemas/{name}"}


TEXT: Json = {"type": "string", "pattern": r"^[^\u0000]*[^\s\u0000][^\u0000]*$"}
"""Not blank, and without NUL."""
IDENTIFIER: Json = {
    "type": "string",
    "pattern": r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$",
    "maxLength": 256,
    "not": {"const": "*"},
}
"""Up to 256 bytes of UTF-8; a length in JSON Schema counts characters."""
_KEY: Json = TEXT | {"maxLength": 256}
_NULL: Json = {"type": "null"}
_VALUE: Json = {
    "anyOf": [
        {"type": "string", "pattern": r"^[^\u0000]*$"},
        {"type": "number", "minimum": INTEGER_MIN, "maximum": INTEGER_MAX},
        {"type": "boolean"},
        {"type": "null"},
        {"type": "array", "items": ref("Value")},
        {"type": "object", "propertyNames": _KEY, "additionalProperties": ref("Value")},
    ]
}
_METADATA: Json = {
    "type": "object",
    "maxProperties": 64,
    "propertyNames": _KEY | {"not": {"enum": list(OWNER_KEYS)}},
    "properties": {"timestamp": {"anyOf": [{"type": "string", "format": "date-time"}, _NULL]}},
    "additionalProperties": ref("Value"),
}

_TEXT_PART: Json = {
    "type": "object",
    "properties": {"type": {"type": "string", "enum": list(TEXT_PARTS)}, "text": TEXT},
    "required": ["type", "text"],
}
_OTHER_PART: Json = {
    "type": "object",
    "properties": {"type": {"type": "string", "not": {"enum": list(TEXT_PARTS)}}},
    "required": ["type"],
}
_MESSAGE: Json = {
    "type": "object",
    "properties": {
        "role": {"type": "string", "enum": list(ROLES)},
        "content": {
            "anyOf": [
                TEXT,
                {
                    "type": "array",
                    "items": {"anyOf": [_TEXT_PART, _OTHER_PART]},
                    "contains": _TEXT_PART,
                    "description": "Parts as chat APIs have them; only those with text count.",
                },
            ]
        },
        "name": {
            "anyOf": [IDENTIFIER, _NULL],
            "description": "Who spoke, where several people share a role.",
        },
    },
    "required": ["role", "content"],
}
_MESSAGES: Json = {
    "anyOf": [
        {"type": "array", "minItems": 1, "maxItems": 1000, "items": ref("Message")},
        TEXT,
        _MESSAGE | {"required": ["content"]},
    ],
    "examples": [
        [
            {"role": "user", "content": "我喜欢喝咖啡，帮我推荐"},
            {"role": "assistant", "content": "为您推荐美式咖啡..."},
        ]
    ],
}

_OPERATOR_NAMES = [sign + name for name in sorted(OPERATORS) for sign in ("", "$")]
_CONDITION_VALUE: Json = {
    "anyOf": [
        *_VALUE["anyOf"][:-1],
        {
            "type": "object",
            "propertyNames": _KEY | {"not": {"enum": _OPERATOR_NAMES}},
            "additionalProperties": ref("Value"),
        },
    ]
}
_CONDITION_KEY: Json = _KEY | {"not": {"pattern": r"^metadata\.|^([aA][nN][dD]|[oO][rR]|[nN][oO][tT])$"}}
_CONDITION: Json = {
    "type": "object",
    "maxProperties": 16,
    "propertyNames": _CONDITION_KEY,
    "properties": {"user_id": False} | {name: {"anyOf": [IDENTIFIER, _NULL]} for name in DIMENSIONS},
    "additionalProperties": ref("ConditionValue"),
}
_OWNER_CONDITION: Json = _CONDITION | {
    "propertyNames": _CONDITION_KEY,
    "properties": _CONDITION["properties"] | {"user_id": IDENTIFIER},
    "required": ["user_id"],
}
_FILTERS: Json = {
    "type": "object",
    "properties": {
        "AND": {
            "type": "array",
            "minItems": 1,
            "maxItems": 16,
            "items": {"anyOf": [ref("OwnerCondition"), ref("Condition")]},
            "contains": ref("OwnerCondition"),
            "maxContains": 1,
        }
    },
    "required": ["AND"],
    "additionalProperties": False,
    "examples": [{"AND": [{"user_id": "user_123"}, {"agent_id": "agent_123"}]}],
}

COMPONENTS: Json = {
    "Value": _VALUE,
    "Metadata": _METADATA,
    "Message": _MESSAGE,
    "Messages": _MESSAGES,
    "ConditionValue": _CONDITION_VALUE,
    "Condition": _CONDITION,
    "OwnerCondition": _OWNER_CONDITION,
    "Filters": _FILTERS,
}
"""The schemas that others refer to by name."""
