"""How a condition tree becomes SQL over the `field` table. Names and values are always bound, never written."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from yiku.engine.conditions import condition_sql
from yiku.engine.records import stored_scalar, to_json
from yiku.model.conditions import Condition, Glob, Range, Scalar, scalar_type

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
        self.sql = f"{self._scope} AND expires > :now AND {condition_sql(where, self)}"

    def exists(self, field: str) -> str:
        return self._any_value(field, "TRUE")

    def any_of(self, field: str, values: Sequence[Scalar]) -> str:
        by_type = groupby(sorted(values, key=scalar_type), key=scalar_type)
        tests = [f"(type = '{type_name}' AND {self._one_of(type_name, list(group))})" for type_name, group in by_type]
        return self._any_value(field, f"({' OR '.join(tests)})" if tests else "FALSE")

    def within(self, condition: Range) -> str:
        types = {scalar_type(bound) for _, bound in condition.bounds}
        if len(types) != 1:
            return "FALSE"
        tests = [f"value {_OPERATORS[name]} {self._bound(bound)}" for name, bound in condition.bounds]
        return self._any_value(condition.field, " AND ".join([f"type = '{types.pop()}'", *tests]))

    def like(self, condition: Glob) -> str:
        # SQLite's GLOB has one more special character than ours.
        escaped = condition.pattern.replace("[", "[[]")
        return self._any_value(condition.field, f"type = 'text' AND value GLOB {self._bound(escaped)}")

    def _any_value(self, field: str, test: str) -> str:
        name = self._bound(field)
        return f"sequence IN (SELECT sequence FROM field WHERE {self._scope} AND name = {name} AND {test})"

    def _one_of(self, type_name: str, values: list[Scalar]) -> str:
        if len(values) == 1:
            return f"value = {self._bound(stored_scalar(values[0]))}"
        if type_name == "text":
            # One binding however long the list is; numbers would lose their last digit on the way through JSON.
            return f"value IN (SELECT value FROM json_each({self._bound(to_json(values))}))"
        return f"value IN ({', '.join(self._bound(stored_scalar(value)) for value in values)})"

    def _bound(self, value: str | int | float) -> str:
        name = f"value{len(self.bindings)}"
        self.bindings[name] = value
        return f":{name}"
