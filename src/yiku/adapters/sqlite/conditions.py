"""How a condition tree becomes SQL over the `field` table. Names and values are always bound, never written."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, assert_never

from yiku.adapters.sqlite.records import stored_scalar, to_json
from yiku.model.conditions import And, Condition, Eq, Exists, Glob, In, Not, Or, Range, Scalar, scalar_type

_OPERATORS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


def partition_test(numbers: Sequence[int]) -> tuple[str, dict[str, Any]]:
    """That a row belongs to one of these partitions, and the bindings of that."""
    # One, the usual case, on its own: only then does SQLite see that the rows of an index are in order already.
    if len(numbers) == 1:
        return "partition = :partition", {"partition": numbers[0]}
    return "partition IN (SELECT value FROM json_each(:partitions))", {"partitions": to_json(numbers)}


class Filter:
    """The rows of `record` that a query is about: `sql` is the condition, `bindings` its values."""

    def __init__(self, numbers: Sequence[int], kind: str, where: Condition, *, now: int) -> None:
        partition, bindings = partition_test(numbers)
        self.bindings: dict[str, Any] = bindings | {"kind": kind, "now": now}
        self._scope = f"{partition} AND kind = :kind"
        self.sql = f"{self._scope} AND expires > :now AND {self._condition(where)}"

    def _condition(self, condition: Condition) -> str:
        match condition:
            case And(parts):
                return self._combined(parts, " AND ", empty="TRUE")
            case Or(parts):
                return self._combined(parts, " OR ", empty="FALSE")
            case Not(part):
                return f"NOT {self._condition(part)}"
            case Exists(field):
                return self._any_value(field, "TRUE")
            case Eq(field, value):
                return self._any_value(field, self._equal((value,)))
            case In(field, values):
                return self._any_value(field, self._equal(values))
            case Range():
                return self._any_value(condition.field, self._within(condition))
            case Glob(field, pattern):
                # SQLite's GLOB has one more special character than ours.
                escaped = pattern.replace("[", "[[]")
                return self._any_value(field, f"type = 'text' AND value GLOB {self._bound(escaped)}")
            case _:
                assert_never(condition)

    def _combined(self, parts: Sequence[Condition], operator: str, *, empty: str) -> str:
        return f"({operator.join(self._condition(part) for part in parts)})" if parts else empty

    def _any_value(self, field: str, test: str) -> str:
        name = self._bound(field)
        return f"sequence IN (SELECT sequence FROM field WHERE {self._scope} AND name = {name} AND {test})"

    def _equal(self, values: Sequence[Scalar]) -> str:
        by_type = groupby(sorted(values, key=scalar_type), key=scalar_type)
        tests = [f"(type = '{type_name}' AND {self._one_of(type_name, list(group))})" for type_name, group in by_type]
        return f"({' OR '.join(tests)})" if tests else "FALSE"

    def _one_of(self, type_name: str, values: list[Scalar]) -> str:
        if len(values) == 1:
            return f"value = {self._bound(stored_scalar(values[0]))}"
        if type_name == "text":
            # One binding however long the list is; numbers would lose their last digit on the way through JSON.
            return f"value IN (SELECT value FROM json_each({self._bound(to_json(values))}))"
        return f"value IN ({', '.join(self._bound(stored_scalar(value)) for value in values)})"

    def _within(self, condition: Range) -> str:
        types = {scalar_type(bound) for _, bound in condition.bounds}
        if len(types) != 1:
            return "FALSE"
        tests = [f"value {_OPERATORS[name]} {self._bound(bound)}" for name, bound in condition.bounds]
        return " AND ".join([f"type = '{types.pop()}'", *tests])

    def _bound(self, value: str | int | float) -> str:
        name = f"value{len(self.bindings)}"
        self.bindings[name] = value
        return f":{name}"
