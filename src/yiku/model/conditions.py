"""One condition tree over the filter fields of a record, and what it means.

A field holds one scalar or several (a tuple). A leaf holds when **any** value of the field satisfies it; `Not` of it
therefore means "no value does", and is true of a record that lacks the field. Types never mix: `True` is not `1`, `"1"`
is not `1`, but `1` equals `1.0`. Ranges compare numbers with numbers and text with text (by code point).

`matches()` is the definition; a property test holds every engine to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import assert_never

Scalar = str | int | float | bool | None
FieldValue = Scalar | tuple[Scalar, ...]
Fields = Mapping[str, FieldValue]

INTEGER_MAX = 2**63 - 1
INTEGER_MIN = -(2**63)


@dataclass(frozen=True, slots=True)
class Eq:
    field: str
    value: Scalar


@dataclass(frozen=True, slots=True)
class In:
    """Any of `values`; no values, no match: an empty allow-list never widens a search."""

    field: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    field: str


@dataclass(frozen=True, slots=True)
class Range:
    """All the given bounds at once, on one value. At least one is given; all are numbers or all are text."""

    field: str
    gt: str | int | float | None = None
    gte: str | int | float | None = None
    lt: str | int | float | None = None
    lte: str | int | float | None = None

    @property
    def bounds(self) -> tuple[tuple[str, str | int | float], ...]:
        named = (("gt", self.gt), ("gte", self.gte), ("lt", self.lt), ("lte", self.lte))
        return tuple((name, bound) for name, bound in named if bound is not None)


@dataclass(frozen=True, slots=True)
class Glob:
    """`*` stands for any run of characters, `?` for exactly one; everything else for itself. Text values only."""

    field: str
    pattern: str


@dataclass(frozen=True, slots=True)
class And:
    """All of `parts`; no parts: everything."""

    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    """Any of `parts`; no parts: nothing."""

    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    part: Condition


Condition = Eq | In | Exists | Range | Glob | And | Or | Not

EVERYTHING = And()


def matches(condition: Condition, fields: Fields) -> bool:
    """Whether a record with these fields satisfies the condition."""
    match condition:
        case And(parts):
            return all(matches(part, fields) for part in parts)
        case Or(parts):
            return any(matches(part, fields) for part in parts)
        case Not(part):
            return not matches(part, fields)
        case Exists(field):
            return bool(field_values(fields, field))
        case Eq(field, value):
            return any(_same(held, value) for held in field_values(fields, field))
        case In(field, values):
            return any(_same(held, value) for held in field_values(fields, field) for value in values)
        case Range():
            return any(_within(held, condition) for held in field_values(fields, condition.field))
        case Glob(field, pattern):
            expression = _glob_expression(pattern)
            return any(
                isinstance(held, str) and expression.fullmatch(held) is not None for held in field_values(fields, field)
            )
        case _:
            assert_never(condition)


def field_values(fields: Fields, field: str) -> tuple[Scalar, ...]:
    """The values a field holds; none when the record lacks it."""
    if field not in fields:
        return ()
    value = fields[field]
    return value if isinstance(value, tuple) else (value,)


def scalar_type(value: Scalar) -> str:
    """The type that a comparison stays within: `null`, `boolean`, `number` or `text`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "text"


def _same(held: Scalar, value: Scalar) -> bool:
    return scalar_type(held) == scalar_type(value) and held == value


def _within(held: Scalar, condition: Range) -> bool:
    return all(_satisfies(held, name, bound) for name, bound in condition.bounds)


def _satisfies(held: Scalar, name: str, bound: str | int | float) -> bool:
    if held is None or isinstance(held, bool) or isinstance(held, str) != isinstance(bound, str):
        return False
    match name:
        case "gt":
            return held > bound  # type: ignore[operator]  # the line above made the types agree
        case "gte":
            return held >= bound  # type: ignore[operator]
        case "lt":
            return held < bound  # type: ignore[operator]
        case _:
            return held <= bound  # type: ignore[operator]


@lru_cache(maxsize=256)
def _glob_expression(pattern: str) -> re.Pattern[str]:
    pieces = (".*" if character == "*" else "." if character == "?" else re.escape(character) for character in pattern)
    return re.compile("".join(pieces), re.DOTALL)
