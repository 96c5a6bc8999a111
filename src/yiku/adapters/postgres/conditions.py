"""How the leaves of a condition become SQL over the `field` table. Values are always bound, never written."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from yiku.adapters.postgres.fields import exact, name_digest, value_digest
from yiku.engine.conditions import condition_sql
from yiku.model.conditions import Condition, Glob, Range, Scalar

_OPERATORS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_LIKE = {ord("*"): "%", ord("?"): "_", ord("%"): r"\%", ord("_"): r"\_", ord("\\"): r"\\"}


class Filter:
    """The rows of `record` that a query is about: `sql` is the condition, `bindings` its values."""

    def __init__(self, numbers: Sequence[int], kind: str, where: Condition, *, now: int) -> None:
        self.bindings: dict[str, Any] = {"partitions": list(numbers), "kind": kind, "now": now}
        # One, the usual case, on its own: only then is it seen that the rows of an index are in order already.
        one_or_more = "partition = %(partitions)s" if len(numbers) == 1 else "partition = ANY(%(partitions)s)"
        if len(numbers) == 1:
            self.bindings["partitions"] = numbers[0]
        self._scope = f"{one_or_more} AND kind = %(kind)s"
        self.sql = f"{self._scope} AND expires > %(now)s AND {condition_sql(where, self)}"

    def exists(self, field: str) -> str:
        return self._any_value(field, "TRUE")

    def any_of(self, field: str, values: Sequence[Scalar]) -> str:
        digests = [value_digest(value) for value in values]
        return self._any_value(field, f"value = ANY({self._bound(digests)}::bytea[])")

    def within(self, condition: Range) -> str:
        texts = [isinstance(bound, str) for _, bound in condition.bounds]
        if any(texts) != all(texts):
            return "FALSE"
        tests = [
            f"text {_OPERATORS[name]} {self._bound(bound)}"
            if isinstance(bound, str)
            else f"number {_OPERATORS[name]} {self._bound(exact(bound))}"
            for name, bound in condition.bounds
        ]
        return self._any_value(condition.field, " AND ".join(tests))

    def like(self, condition: Glob) -> str:
        pattern = condition.pattern.translate(_LIKE)
        return self._any_value(condition.field, f"text LIKE {self._bound(pattern)}")

    def _any_value(self, field: str, test: str) -> str:
        name = self._bound(name_digest(field))
        return f"sequence IN (SELECT sequence FROM field WHERE {self._scope} AND name = {name} AND {test})"

    def _bound(self, value: Any) -> str:
        name = f"value{len(self.bindings)}"
        self.bindings[name] = value
        return f"%({name})s"
