"""Times as language models write them: as much of an ISO date as is known, or two with "/" between."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, tzinfo

from yiku.core.memory.dates.calendar import Moment, at_clock, from_to
from yiku.model.facts import Precision, When

_TIME = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2})?)?)?)?")
_WEEK = timedelta(days=7)


def written_time(text: str, zone: tzinfo | None) -> When | None:
    """2023, 2023-05, 2023-05-07, 2023-05-07T15:00 or 2023-05-01/2023-05-07; None for anything else."""
    first, _, last = text.strip().partition("/")
    try:
        start = _one(first, zone)
        end = _one(last, zone) if last else start
        span = from_to(start, end) if start and end else None
    except (ValueError, OverflowError):
        return None
    if span and span.precision is Precision.DAY and span.end - span.start == _WEEK:
        return When(span.start, span.end, Precision.WEEK)
    return span


def _one(text: str, zone: tzinfo | None) -> When | None:
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute = (int(group) if group else None for group in match.groups())
    assert year is not None
    moment = Moment(datetime(year, 1, 1, tzinfo=zone))
    if month is None:
        return moment.year(year)
    if day is None:
        return moment.month(year, month)
    whole_day = moment.day(date(year, month, day))
    return whole_day if hour is None or minute is None else at_clock(whole_day, hour, minute)
