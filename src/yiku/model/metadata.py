"""Metadata: the caller's own key-value pairs on a memory, kept as given, and the filter fields they become."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from yiku.model.conditions import INTEGER_MAX, INTEGER_MIN, Condition, Eq, FieldValue, Scalar
from yiku.model.errors import InvalidInput, TooLarge
from yiku.model.limits import Limits
from yiku.model.texts import check_text
from yiku.model.times import parse_timestamp

Metadata = Mapping[str, Any]

OWNER_KEYS = ("user_id", "agent_id", "run_id")
"""Named beside the metadata, never inside it: otherwise a filter could not tell which is meant."""

_DEPTH_MAX = 16
_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
"""Made once: the one that `json.dumps` makes for each call costs more than what it writes."""


def check_metadata(value: Mapping[str, Any], limits: Limits, *, field: str = "metadata") -> Metadata:
    """`value` as it is, or an `InvalidInput` that names the key at fault."""
    for key in OWNER_KEYS:
        if key in value:
            raise InvalidInput(
                f"{field}.{key} is not allowed: whose memory it is, is set by the argument {key} beside {field}",
                field=f"{field}.{key}",
            )
    if len(value) > limits.metadata_keys:
        raise TooLarge(f"{field} has {len(value)} keys; the limit is {limits.metadata_keys}", field=field)
    _check_json(value, limits, field, depth=0)
    values = sum(len(item) if isinstance(item, list) else 1 for item in value.values())
    if values > limits.metadata_values:
        raise TooLarge(f"{field} has {values} values; the limit is {limits.metadata_values}", field=field)
    size = len(canonical_json(value).encode())
    if size > limits.metadata_bytes:
        raise TooLarge(f"{field} is {size} bytes; the limit is {limits.metadata_bytes}", field=field)
    return value


def time_anchor(metadata: Metadata) -> datetime | None:
    """The time that `metadata.timestamp` gives for what was said; one that is no date is an `InvalidInput`."""
    timestamp = metadata.get("timestamp")
    return None if timestamp is None else parse_timestamp(timestamp, field="metadata.timestamp")


def metadata_fields(*several: Metadata) -> dict[str, FieldValue]:
    """The filter fields of some metadata; several give each field the values of all.

    A scalar is one value of `metadata.<key>`; a list of scalars is several, so that one of them can be asked for.
    Lists and objects are also kept whole, as canonical JSON in `metadata_json.<key>`.
    """
    fields: dict[str, list[Scalar]] = {}
    for metadata in several:
        for key, value in metadata.items():
            if isinstance(value, list | dict):
                fields.setdefault(f"metadata_json.{key}", []).append(canonical_json(value))
            scalars = value if isinstance(value, list) else [] if isinstance(value, dict) else [value]
            held = fields.setdefault(f"metadata.{key}", [])
            held += (item for item in scalars if not isinstance(item, list | dict))
    return {name: tuple(values) for name, values in fields.items() if values}


def metadata_equals(key: str, value: Any) -> Condition:
    """The condition that metadata `key` is exactly `value` (or, for a scalar, that a list holds it)."""
    if isinstance(value, list | dict):
        return Eq(f"metadata_json.{key}", canonical_json(value))
    return Eq(f"metadata.{key}", value)


def canonical_json(value: Any) -> str:
    """One spelling for equal JSON values."""
    return _CANONICAL.encode(value)


def check_scalar(value: object, *, field: str, bytes_max: int) -> None:
    """A JSON scalar that every store can hold: finite, within 64 bits, valid text."""
    if isinstance(value, str):
        check_text(value, field=field, bytes_max=bytes_max, blank_allowed=True)
    elif isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(f"{field} must be a finite number", field=field)
    elif isinstance(value, int) and not INTEGER_MIN <= value <= INTEGER_MAX:
        raise InvalidInput(f"{field} does not fit into 64 bits: send it as text", field=field)


def _check_json(value: object, limits: Limits, field: str, *, depth: int) -> None:
    if depth > _DEPTH_MAX:
        raise InvalidInput(f"{field} is nested more than {_DEPTH_MAX} levels deep", field=field)
    if isinstance(value, Mapping):
        for key, item in value.items():
            check_text(key, field=f"a key of {field}", bytes_max=limits.user_id_bytes)
            _check_json(item, limits, f"{field}.{key}", depth=depth + 1)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            _check_json(item, limits, f"{field}[{position}]", depth=depth + 1)
    else:
        check_scalar(value, field=field, bytes_max=limits.metadata_bytes)
