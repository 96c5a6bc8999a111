"""Times as people and wires write them. Inside, a time is always an aware datetime in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from yiku.model.errors import InvalidInput


def parse_timestamp(value: object, *, field: str) -> datetime:
    """An ISO 8601 date or date and time; UTC where it names no offset. Anything else is an `InvalidInput`."""
    if not isinstance(value, str):
        raise InvalidInput(
            f"{field} must be an ISO 8601 date as text, for instance 2026-06-02 or 2026-06-02T08:39:21Z", field=field
        )
    try:
        moment = datetime.fromisoformat(value.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"{field} is not a valid ISO 8601 date: use for instance 2026-06-02 or 2026-06-02T08:39:21Z", field=field
        ) from error


def format_timestamp(moment: datetime) -> str:
    """UTC with `Z` and microseconds, as every door shows it (DESIGN §1): 2026-06-02T08:39:21.482047Z."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
