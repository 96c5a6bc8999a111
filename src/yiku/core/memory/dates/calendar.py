"""Which stretch of time is a day, a week, a month, a year? Pure calendar arithmetic in the zone of a moment.

Weeks begin on Monday. Whatever leaves the calendar (the year 0, the year 10000) is a `ValueError` or `OverflowError`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from yiku.model.facts import Precision, When

PAST, UNTOLD, FUTURE = -1, 0, 1


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is said, and whether the words around a time tell of what was (PAST) or is to come (FUTURE)."""

    now: datetime
    tense: int = UNTOLD

    @property
    def today(self) -> date:
        return self.now.date()

    def day(self, day: date, *, days: int = 1, precision: Precision = Precision.DAY) -> When:
        """`days` whole days from `day` on."""
        return When(self._midnight(day), self._midnight(day + timedelta(days=days)), precision)

    def days_away(self, days: int) -> When:
        return self.day(self.today + timedelta(days=days))

    def week(self, weeks: int) -> When:
        """The calendar week `weeks` from this one."""
        return self.day(monday(self.today) + timedelta(weeks=weeks), days=7, precision=Precision.WEEK)

    def week_around(self, days: int) -> When:
        """The calendar week in which the day `days` from today lies."""
        return self.day(monday(self.today + timedelta(days=days)), days=7, precision=Precision.WEEK)

    def weekday(self, weekday: int, weeks: int) -> When:
        """Monday is 0; of the calendar week `weeks` from this one."""
        return self.day(monday(self.today) + timedelta(weeks=weeks, days=weekday))

    def weekend(self, weeks: int) -> When:
        """Saturday and Sunday of the calendar week `weeks` from this one."""
        return self.day(monday(self.today) + timedelta(weeks=weeks, days=5), days=2)

    def months_away(self, months: int) -> When:
        first = months_later(self.today.replace(day=1), months)
        return self.month(first.year, first.month)

    def month(self, year: int, month: int) -> When:
        first = date(year, month, 1)
        return When(self._midnight(first), self._midnight(months_later(first, 1)), Precision.MONTH)

    def part_of_month(self, month: When, first_day: int, days: int | None = None) -> When:
        """From `first_day` on for `days`, or to the end of the month."""
        start = month.start.date().replace(day=first_day)
        end = month.end if days is None else self._midnight(start + timedelta(days=days))
        return When(self._midnight(start), end, Precision.MONTH)

    def year(self, year: int) -> When:
        return When(self._midnight(date(year, 1, 1)), self._midnight(date(year + 1, 1, 1)), Precision.YEAR)

    def tense_year(self, month: int, day: int = 1) -> int:
        """The year of a date that was told without one: this year, or its neighbour if the tense says so."""
        today = (self.today.month, self.today.day)
        if self.tense == PAST and (month, day) > today:
            return self.today.year - 1
        past = month < self.today.month if day == 1 else (month, day) < today
        return self.today.year + (1 if self.tense == FUTURE and past else 0)

    def bare_weekday(self, weekday: int) -> When:
        """A weekday without "last" or "next": of this week, or of its neighbour if the tense says so."""
        days_off = weekday - self.today.weekday()
        if self.tense == PAST and days_off > 0:
            return self.weekday(weekday, -1)
        return self.weekday(weekday, 1 if self.tense == FUTURE and days_off < 0 else 0)

    def bare_weekend(self) -> When:
        """The weekend: this week's, or the one before it when it is told as past and has not begun."""
        return self.weekend(-1 if self.tense == PAST and self.today.weekday() < 5 else 0)

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), tzinfo=self.now.tzinfo)


def monday(day: date) -> date:
    """The Monday of the week of `day`."""
    return day - timedelta(days=day.weekday())


def months_later(day: date, months: int) -> date:
    """The same day of another month, or its last day where it has no such day."""
    years, month = divmod(day.month - 1 + months, 12)
    first = date(day.year + years, month + 1, 1)
    last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    return first.replace(day=min(day.day, last.day))


def at_clock(day: When, hour: int, minute: int) -> When:
    """A minute of `day`."""
    start = day.start.replace(hour=hour, minute=minute)
    return When(start, start + timedelta(minutes=1), Precision.MINUTE)


def is_one_day(when: When) -> bool:
    return when.precision is Precision.DAY and when.start.date() + timedelta(days=1) == when.end.date()


def from_to(first: When, last: When) -> When | None:
    """From the start of one to the end of the other."""
    return replace(first, end=last.end) if first.start < last.end and first.precision is last.precision else None
