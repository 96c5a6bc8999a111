"""The argument `filters`: whose memories, and the exact conditions they must meet.

`memory_search` wraps its conditions in `{"AND": [...]}`, `memory_get_all` takes them flat; each refuses the other's
form and shows its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from yiku.model.conditions import And, Condition, Eq
from yiku.model.errors import InvalidInput, TooLarge
from yiku.model.limits import Limits
from yiku.model.metadata import check_metadata, metadata_equals
from yiku.model.scopes import DEFAULT_NAME
from yiku.model.texts import check_identifier

SEARCH_FORM = '{"AND": [{"user_id": "..."}, ...]}'
LIST_FORM = '{"user_id": "...", ...}'
CONNECTIVES = ("AND", "OR", "NOT")
OPERATORS = frozenset({"eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "icontains", "exists", "not"})
"""What other servers' filters know; taken for an exact value it would silently find nothing."""
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
    if len(pairs) > limits.filter_leaves:
        raise TooLarge(f"filters has {len(pairs)} conditions; the limit is {limits.filter_leaves}", field="filters")
    user_id = _user_id([value for key, value in pairs if key == "user_id"], form, limits)
    return user_id, And(tuple(_conditions(pairs, limits)))


def _user_id(given: Sequence[object], form: str, limits: Limits) -> str:
    if not given or given[0] in (None, ""):
        raise InvalidInput(f"user_id is required: filters must have the form {form}", field="user_id")
    user_id = given[0]
    if not isinstance(user_id, str):
        raise InvalidInput("user_id must be text", field="user_id")
    if any(other != user_id for other in given):
        raise InvalidInput("filters names two different values of user_id: ask for one at a time", field="user_id")
    return check_identifier(user_id, field="user_id", bytes_max=limits.user_id_bytes)


def _conditions(pairs: Sequence[tuple[str, Any]], limits: Limits) -> Iterator[Condition]:
    for key, value in pairs:
        if key.upper() in CONNECTIVES:
            raise InvalidInput(f"filters cannot use {key} here: conditions are joined by AND only", field="filters")
        if key.startswith("metadata."):
            raise InvalidInput(
                f"filters name a metadata key as it is: {key.removeprefix('metadata.')}", field="filters"
            )
        if isinstance(value, Mapping) and any(name.lstrip("$") in OPERATORS for name in value):
            raise InvalidInput(
                f"filters.{key} must be an exact value: operators are not supported yet", field="filters"
            )
        if key in DIMENSIONS:
            yield Eq(key, decode_dimension(value, field=key, limits=limits))
        elif key != "user_id":
            check_metadata({key: value}, limits, field="filters")
            yield metadata_equals(key, value)


def decode_dimension(value: object, *, field: str, limits: Limits) -> str | None:
    """An agent or run; `__default__` is how the memory store spells none."""
    if value is None or value == DEFAULT_NAME:
        return None
    if not isinstance(value, str):
        raise InvalidInput(f"{field} must be text", field=field)
    if not value.strip():
        raise InvalidInput(f"{field} must not be empty: leave it out instead", field=field)
    return check_identifier(value, field=field, bytes_max=limits.user_id_bytes)
