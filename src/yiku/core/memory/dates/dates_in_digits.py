"""Dates that are the same in every language: 2023-07-13, 2023/7/13, 2023-07-13 15:00, 2023-07."""

from __future__ import annotations

import re

from yiku.core.memory.dates.calendar import Moment, at_clock
from yiku.core.memory.dates.naming import Rule
from yiku.model.facts import When

YEAR = r"(?:19|20)\d{2}"


def _date(match: re.Match[str], moment: Moment) -> When:
    first = moment.month(int(match["year"]), int(match["month"]))
    day = moment.day(first.start.date().replace(day=int(match["day"])))
    return at_clock(day, int(match["hour"]), int(match["minute"])) if match["hour"] else day


def _month(match: re.Match[str], moment: Moment) -> When:
    return moment.month(int(match["year"]), int(match["month"]))


RULES = (
    Rule(
        re.compile(
            rf"(?<![\w.\-/])(?P<year>{YEAR})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})"
            r"(?:[T ](?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d))?(?![\d\-/])"
        ),
        _date,
    ),
    Rule(re.compile(rf"(?<![\w.\-/])(?P<year>{YEAR})-(?P<month>0[1-9]|1[0-2])(?![\w\-])"), _month),
)
