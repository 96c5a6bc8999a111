"""What a condition may ask of a value beside that it be equal: `{"stars": {"gte": 4, "lt": 6}}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from yiku.model.conditions import And, Condition, Eq, Glob, In, Not, Or, Range, Scalar
from yiku.model.errors import InvalidInput, TooLarge
from yiku.model.limits import Limits

COMPARISONS = ("gt", "gte", "lt", "lte")
OPERATORS = ("eq", "ne", *COMPARISONS, "in", "contains")
FOREIGN = frozenset({"nin", "icontains", "exists", "not", "like", "regex"})
"""What other servers' filters know and ours do not; taken for an exact value it would silently find nothing."""
WILDCARDS = ("*", "?")

Equals = Callable[[Any], Condition]
"""The condition that a key has exactly this value; it refuses values that cannot be."""


def is_operators(value: object) -> bool:
    """Whether this is an object of operators, of ours or of others."""
    return isinstance(value, Mapping) and any(name.lstrip("$") in {*OPERATORS, *FOREIGN} for name in value)


def operators_condition(key: str, field: str, asked: Mapping[str, Any], equals: Equals, limits: Limits) -> Condition:
    """All of the operators at once; a range is one range, so that one value of a list must lie within it."""
    for name in asked:
        if name not in OPERATORS:
            raise InvalidInput(
                f"filters.{key} has the operator {name[:32]}; there are {', '.join(OPERATORS)}", field="filters"
            )
    bounds = {name: _bound(key, name, asked[name]) for name in COMPARISONS if name in asked}
    parts: list[Condition] = [Range(field, **bounds)] if bounds else []
    for name, value in asked.items():
        values = value if name == "in" and isinstance(value, list) else [value]
        if any(is_operators(item) for item in values):
            raise InvalidInput(f"filters.{key}.{name} has operators inside of an operator", field="filters")
        if name not in COMPARISONS:
            parts.append(_part(key, field, name, value, equals, limits))
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _part(key: str, field: str, name: str, value: Any, equals: Equals, limits: Limits) -> Condition:
    match name:
        case "eq":
            return equals(value)
        case "ne":
            return Not(equals(value))
        case "in":
            return _any_of(key, field, value, equals, limits)
        case _:
            return _contains(key, field, value, equals)


def _bound(key: str, name: str, value: Any) -> str | int | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidInput(f"filters.{key}.{name} must be a number or text", field="filters")
    return value


def _any_of(key: str, field: str, values: Any, equals: Equals, limits: Limits) -> Condition:
    if not isinstance(values, list):
        raise InvalidInput(f"filters.{key}.in must be a list of values", field="filters")
    if len(values) > limits.metadata_values:
        raise TooLarge(
            f"filters.{key}.in has {len(values)} values; the limit is {limits.metadata_values}", field="filters"
        )
    wanted = [equals(value) for value in values]
    scalars: list[Scalar] = [part.value for part in wanted if isinstance(part, Eq) and part.field == field]
    return In(field, tuple(scalars)) if len(scalars) == len(wanted) else Or(tuple(wanted))


def _contains(key: str, field: str, value: Any, equals: Equals) -> Condition:
    """A list that holds the value, or a text in which it stands."""
    if value is None or isinstance(value, list | Mapping):
        raise InvalidInput(f"filters.{key}.contains must be text, a number, true or false", field="filters")
    if not isinstance(value, str):
        return equals(value)
    if not value or any(mark in value for mark in WILDCARDS):
        raise InvalidInput(f"filters.{key}.contains must be a text without * and ?, and not empty", field="filters")
    equals(value)  # Refuses what no text may hold.
    return Glob(field, f"*{value}*")
