"""The JSON schemas of what has a grammar of its own: messages, metadata and filters.

They say all that JSON Schema can say about what is accepted: fuzzers and generated clients read them literally. What it
cannot say (sizes in bytes, how many values there are in all) is in `docs/dialects/opensearch-rest.md`.
"""

from __future__ import annotations

from typing import Any

from yiku.model.conditions import INTEGER_MAX, INTEGER_MIN
from yiku.model.messages import ROLES
from yiku.model.metadata import OWNER_KEYS
from yiku.wire.opensearch_filters import DIMENSIONS, MEMBERS_MOST
from yiku.wire.opensearch_messages import TEXT_PARTS
from yiku.wire.opensearch_operators import COMPARISONS, FOREIGN, OPERATORS

Json = dict[str, Any]


def bound(name: str) -> str:
    """Stands for one of `Limits`, alone or within a text: they are settings, and `openapi` puts the number there."""
    return f"<limits.{name}>"


def ref(name: str) -> Json:
    """To one of `COMPONENTS`."""
    return {"$ref": f"#/components/schemas/{name}"}


TEXT: Json = {"type": "string", "pattern": r"^[^\u0000]*[^\s\u0000][^\u0000]*$"}
"""Not blank, and without NUL."""
IDENTIFIER: Json = {
    "type": "string",
    "pattern": r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$",
    "maxLength": bound("user_id_bytes"),
    "not": {"const": "*"},
}
"""Bounded in bytes of UTF-8; a length in JSON Schema counts characters."""
_KEY: Json = TEXT | {"maxLength": bound("user_id_bytes")}
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
    "maxProperties": bound("metadata_keys"),
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
        "id": {
            "description": "Ours. Your id of the message: sent again with the same content, it is not digested again."
        },
    },
    "required": ["role", "content"],
}
_MESSAGES: Json = {
    "anyOf": [
        {"type": "array", "minItems": 1, "maxItems": bound("messages_per_add"), "items": ref("Message")},
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

_OPERATOR_NAMES = [sign + name for name in sorted({*OPERATORS, *FOREIGN}) for sign in ("", "$")]
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
_BOUND: Json = {"anyOf": [_VALUE["anyOf"][0], _VALUE["anyOf"][1]]}
_PART: Json = {"type": "string", "pattern": r"^[^\u0000*?]+$"}
_COMPARED: Json = {
    "type": "object",
    "minProperties": 1,
    "properties": {
        "eq": ref("ConditionValue"),
        "ne": ref("ConditionValue"),
        **dict.fromkeys(COMPARISONS, _BOUND),
        "in": {"type": "array", "maxItems": 128, "items": ref("ConditionValue")},
        "contains": {"anyOf": [_PART, *_VALUE["anyOf"][1:3]]},
    },
    "additionalProperties": False,
}
_NAME: Json = {"anyOf": [IDENTIFIER, _NULL]}
_NAMES: Json = {"type": "array", "maxItems": 128, "items": _NAME}
_NAME_COMPARED: Json = {
    "type": "object",
    "minProperties": 1,
    "properties": {"eq": _NAME, "ne": _NAME, "in": _NAMES, "contains": IDENTIFIER | _PART},
    "additionalProperties": False,
}
_SOME: Json = {"type": "array", "minItems": 1, "maxItems": MEMBERS_MOST, "items": ref("Condition")}
_MISSPELT = r"^(?!(AND|OR|NOT)$)([aA][nN][dD]|[oO][rR]|[nN][oO][tT])$"
_CONDITION_KEY: Json = _KEY | {"not": {"pattern": rf"^metadata\.|{_MISSPELT}"}}
_CONDITION: Json = {
    "type": "object",
    "maxProperties": 16,
    "propertyNames": _CONDITION_KEY,
    "properties": {
        "user_id": False,
        **{name: {"anyOf": [*_NAME["anyOf"], _NAMES, _NAME_COMPARED]} for name in DIMENSIONS},
        "AND": _SOME,
        "OR": _SOME,
        "NOT": {"anyOf": [ref("Condition"), _SOME]},
    },
    "additionalProperties": {"anyOf": [ref("ConditionValue"), ref("Compared")]},
}
_MEMBER: Json = _CONDITION | {"properties": _CONDITION["properties"] | {"user_id": IDENTIFIER}}
_FILTERS: Json = {
    "type": "object",
    "properties": {
        "AND": {
            "type": "array",
            "minItems": 1,
            "maxItems": 16,
            "items": _MEMBER,
            "contains": {"type": "object", "required": ["user_id"]},
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
    "Compared": _COMPARED,
    "Condition": _CONDITION,
    "Filters": _FILTERS,
}
"""The schemas that others refer to by name."""
