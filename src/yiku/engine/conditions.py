"""How a condition tree becomes SQL: the branches here, the leaves by each engine in its own dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, assert_never

from yiku.model.conditions import And, Condition, Eq, Exists, Glob, In, Not, Or, Range, Scalar


class Leaves(Protocol):
    """Each gives an SQL expression that is true or false, never NULL. Names and values are bound, never written."""

    def exists(self, field: str) -> str: ...

    def any_of(self, field: str, values: Sequence[Scalar]) -> str: ...

    def within(self, condition: Range) -> str: ...

    def like(self, condition: Glob) -> str: ...


def condition_sql(condition: Condition, leaves: Leaves) -> str:
    match condition:
        case And(parts):
            return _combined(parts, leaves, " AND ", empty="TRUE")
        case Or(parts):
            return _combined(parts, leaves, " OR ", empty="FALSE")
        case Not(part):
            return f"NOT {condition_sql(part, leaves)}"
        case Exists(field):
            return leaves.exists(field)
        case Eq(field, value):
            return leaves.any_of(field, (value,))
        case In(field, values):
            return leaves.any_of(field, values)
        case Range():
            return leaves.within(condition)
        case Glob():
            return leaves.like(condition)
        case _:
            assert_never(condition)


def _combined(parts: Sequence[Condition], leaves: Leaves, operator: str, *, empty: str) -> str:
    return f"({operator.join(condition_sql(part, leaves) for part in parts)})" if parts else empty
