"""The argument `filters`: whose memories, and the conditions they must meet.

`memory_search` wraps its conditions in `{"AND": [...]}`, `memory_get_all` takes them flat; each refuses the other's
form and shows its own. A condition is a key with its exact value or with operators; `AND`, `OR` and `NOT` join some.
Whose memories they are stands outside of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from yiku.model.conditions import And, Condition, Eq, In, Not, Or
from yiku.model.errors import InvalidInput, TooLarge
from yiku.model.limits import Limits
from yiku.model.metadata import check_metadata, check_scalar, metadata_equals
from yiku.model.scopes import DEFAULT_NAME
from yiku.model.texts import check_identifier
from yiku.wire.opensearch_operators import COMPARISONS, is_operators, operators_condition

SEARCH_FORM = '{"AND": [{"user_id": "..."}, ...]}'
LIST_FORM = '{"user_id": "...", ...}'
CONNECTIVES = ("AND", "OR", "NOT")
MEMBERS_MOST = 16
"""Of one connective: `in` is there for long lists, and empty objects count as no condition."""
DIMENSIONS = ("agent_id", "run_id")


def search_filters(filters: Mapping[str, Any], limits: Limits) -> tuple[str, Condition]:
    """User id and condition of `{"AND": [{...}, ...]}`."""
    members = filters.get("AND")
    if set(filters) != {"AND"} or not isinstance(members, list) or not members:
        raise InvalidInput(f"filters must have the form {SEARCH_FORM}", field="filters")
    for position, member in enumerate(members):
        if not isinstance(member, Mapping):
            raise InvalidInput(
                f"filters.AND[{position}] must be an object of keys and values", field=f"filters.AND[{position}]"
            )
    return _decode(members, SEARCH_FORM, limits)


def list_filters(filters: Mapping[str, Any], limits: Limits) -> tuple[str, Condition]:
    """User id and condition of a flat map."""
    if "AND" in filters:
        raise InvalidInput(f"filters of memory_get_all are flat: use {LIST_FORM} without AND", field="filters")
    return _decode([filters], LIST_FORM, limits)


def _decode(members: Sequence[Mapping[str, Any]], form: str, limits: Limits) -> tuple[str, Condition]:
    pairs = [pair for member in members for pair in member.items()]
    user_id = _user_id([value for key, value in pairs if key == "user_id"], form, limits)
    conditions = [pair for pair in pairs if pair[0] != "user_id"]
    reader = _Reader(limits, leaves=len(pairs) - len(conditions))
    condition = And(tuple(reader.conditions(conditions)))
    if reader.leaves > limits.filter_leaves:
        raise TooLarge(f"filters has {reader.leaves} conditions; the limit is {limits.filter_leaves}", field="filters")
    return user_id, condition


def _user_id(given: Sequence[object], form: str, limits: Limits) -> str:
    if not given or given[0] in (None, ""):
        raise InvalidInput(f"user_id is required: filters must have the form {form}", field="user_id")
    user_id = given[0]
    if not isinstance(user_id, str):
        raise InvalidInput("user_id must be text", field="user_id")
    if any(other != user_id for other in given):
        raise InvalidInput("filters names two different values of user_id: ask for one at a time", field="user_id")
    return check_identifier(user_id, field="user_id", bytes_max=limits.user_id_bytes)


@dataclass
class _Reader:
    """Turns pairs of keys and values into conditions, and counts these."""

    limits: Limits
    leaves: int

    def conditions(self, pairs: Iterable[tuple[str, Any]]) -> list[Condition]:
        return [self._condition(key, value) for key, value in pairs]

    def _condition(self, key: str, value: Any) -> Condition:
        if key in CONNECTIVES:
            return self._joined(key, value)
        if key.upper() in CONNECTIVES:
            raise InvalidInput(f"filters cannot use {key} here: write {key.upper()}", field="filters")
        if key == "user_id":
            raise InvalidInput("user_id must stand beside the other conditions, not inside OR and NOT", field="user_id")
        if key.startswith("metadata."):
            raise InvalidInput(
                f"filters name a metadata key as it is: {key.removeprefix('metadata.')}", field="filters"
            )
        equals = partial(_is_named if key in DIMENSIONS else _metadata_equals, key, self.limits)
        if not is_operators(value):
            self.leaves += 1
            return _any_named(key, self.limits, value) if key in DIMENSIONS else equals(value)
        self.leaves += len(value)
        if key in DIMENSIONS and any(name in COMPARISONS for name in value):
            raise InvalidInput(f"filters.{key} is a name: it knows eq, ne, in and contains only", field="filters")
        field = key if key in DIMENSIONS else f"metadata.{key}"
        self._check_bounds(key, value)
        return operators_condition(key, field, value, equals, self.limits)

    def _check_bounds(self, key: str, asked: Mapping[str, Any]) -> None:
        if key not in DIMENSIONS:
            check_metadata({key: None}, self.limits, field="filters")
        for name in COMPARISONS:
            check_scalar(asked.get(name), field=f"filters.{key}.{name}", bytes_max=self.limits.metadata_bytes)

    def _joined(self, connective: str, value: Any) -> Condition:
        members = [value] if connective == "NOT" and isinstance(value, Mapping) else value
        if not isinstance(members, list) or not members or not all(isinstance(member, Mapping) for member in members):
            raise InvalidInput(f"filters.{connective} must be a list of objects, and not empty", field="filters")
        if len(members) > MEMBERS_MOST:
            raise TooLarge(
                f"filters.{connective} has {len(members)} members; the limit is {MEMBERS_MOST}", field="filters"
            )
        parts = tuple(And(tuple(self.conditions(member.items()))) for member in members)
        if connective == "NOT":
            return Not(Or(parts))
        return Or(parts) if connective == "OR" else And(parts)


def _metadata_equals(key: str, limits: Limits, value: Any) -> Condition:
    check_metadata({key: value}, limits, field="filters")
    return metadata_equals(key, value)


def _is_named(key: str, limits: Limits, value: Any) -> Condition:
    return Eq(key, decode_dimension(value, field=key, limits=limits))


def _any_named(key: str, limits: Limits, value: Any) -> Condition:
    if isinstance(value, list):
        if len(value) > limits.metadata_values:
            raise TooLarge(f"{key} has {len(value)} values; the limit is {limits.metadata_values}", field=key)
        # Any of these; none of none: an empty allow-list never widens a search.
        return In(key, tuple(decode_dimension(item, field=key, limits=limits) for item in value))
    return _is_named(key, limits, value)


def decode_dimension(value: object, *, field: str, limits: Limits) -> str | None:
    """An agent or run; `__default__` is how the memory store spells none."""
    if value is None or value == DEFAULT_NAME:
        return None
    if not isinstance(value, str):
        raise InvalidInput(f"{field} must be text", field=field)
    if not value.strip():
        raise InvalidInput(f"{field} must not be empty: leave it out instead", field=field)
    return check_identifier(value, field=field, bytes_max=limits.user_id_bytes)
