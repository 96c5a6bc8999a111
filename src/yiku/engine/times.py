"""How moments are stored: whole microseconds since 1970, so that they compare and come back exactly."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NEVER = 2**63 - 1
"""The expiry of what does not expire."""

MICROSECONDS_A_SECOND = 1_000_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def moment(stored: int) -> datetime:
    return _EPOCH + timedelta(0, 0, stored)


def expiry(moment: datetime | None) -> int:
    return NEVER if moment is None else microseconds(moment)


def later(now: int, seconds: float) -> int:
    """The stored moment so many seconds after `now`."""
    return now + round(seconds * MICROSECONDS_A_SECOND)


def seconds(span: int) -> float:
    """A difference of stored moments."""
    return span / MICROSECONDS_A_SECOND
