"""Which memories hold, at a moment: the filter fields that say so, and the condition over them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from yiku.model.conditions import And, Condition, Exists, FieldValue, Not, Or, Range
from yiku.model.memories import Memory

VALID_FROM = "valid_from"
VALID_UNTIL = "valid_until"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def validity_fields(memory: Memory) -> dict[str, FieldValue]:
    """Whole microseconds since 1970; what holds has no end."""
    fields: dict[str, FieldValue] = {VALID_FROM: _number(memory.valid_from)}
    if memory.valid_until is not None:
        fields[VALID_UNTIL] = _number(memory.valid_until)
    return fields


def current(*, now: datetime, as_of: datetime | None = None) -> Condition:
    """What holds now, or held at `as_of`, as a list asks for it; a search has its own way (`CandidateQuery`).

    A memory of an earlier version, which has no validity, holds always.
    """
    moment = _number(as_of or now)
    held = Not(Range(VALID_UNTIL, lte=moment))
    if as_of is None:
        return held
    return And((Or((Range(VALID_FROM, lte=moment), Not(Exists(VALID_FROM)))), held))


def _number(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)
