"""Times in English words: yesterday, last Friday, in two weeks, May 5th 2023, at 3 pm tomorrow.

"May", "March", "second", "sat" and "sun" are words too: they count only where nothing but a date is meant.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from yiku.core.memory.dates import dates_in_digits
from yiku.core.memory.dates.calendar import (
    FUTURE,
    PAST,
    UNTOLD,
    Moment,
    at_clock,
    from_to,
    is_one_day,
    months_later,
)
from yiku.core.memory.dates.dates_in_digits import YEAR
from yiku.core.memory.dates.naming import Named, Rule, found, joined_by
from yiku.core.memory.dates.numerals import ENGLISH, english_number
from yiku.model.facts import When

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_SURE_MONTH = (
    r"(?:january|february|april|june|july|august|september|october|november|december"
    r"|(?:jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?|(?-i:March|May|Mar\b\.?))"
)
_MONTH = rf"(?P<month>{_SURE_MONTH})(?!\w)"
_MONTH_AFTER = r"(?P<month>march|may)(?!\w)"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT_WEEKDAY = r"(?-i:Mon|Tues?|Wed|Thu(?:rs)?|Fri|Sat|Sun)\b\.?"
_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(sorted(ENGLISH, key=len, reverse=True))})"
_UNIT = r"(?P<unit>day|week|weekend|month|year|hour|minute)s?"
_WHICH = r"(?P<which>last|previous|this past|past|this coming|this|coming|next)"
_STEPS = {"last": -1, "previous": -1, "past": -1, "this past": -1, "this": 0, "this coming": 0, "coming": 0, "next": 1}
_DAYS = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "today": 0,
    "tonight": 0,
    "the day after tomorrow": 2,
    "tomorrow": 1,
}
_PART = r"(?: (?:early |late )?(?:morning|afternoon|evening|night))?"
_FEASTS = {
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "halloween": (10, 31),
    "valentine's day": (2, 14),
}

_FUTURE = re.compile(
    r"\b(?:will|won't|going to|gonna|plan(?:s|ning)?|hop(?:e|ing) to|wants? to|needs? to|have to|has to|must|should"
    r"|remind|upcoming|due|looking forward|can't wait|deadline|book|schedule|let's|(?:am|are|is) \w+ing)\b"
    r"|'ll\b|'m \w+ing\b|'re \w+ing\b|'s \w+ing\b|\b(?:for|by|until|till|before) (?:the |next |this )?$",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|did|didn't|had|went|got|came|saw|met|took|made|bought|ate|ran|won|lost|left|told|said|found|gave|felt"
    r"|began|drove|flew|broke|caught|wrote|read|slept|spent|sold|taught|fell|wore|sent|[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
_ARRANGED = re.compile(
    r"\b(?:is|are|am|'s|'m|'re|will be|been|already|have|has|'ve) (?:\w+ )?\w+ed\b.{0,40}\b(?:for|to) ", re.IGNORECASE
)

# Most texts name no time, and this is much faster than all the rules.
_HINT = re.compile(
    r"\d|day\b|\b(?:yesterday|tomorrow|tonight|ago|last|past|previous|this|next|coming|weekend|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|from (?:now|today)|since|in (?:an?|one|two"
    r"|three|four|five|six|seven|eight|nine|ten|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
    r"|on (?:mon|tue|wed|thu|fri|sat|sun|christmas|halloween|new|valentine)\w*|(?:beginning|start|end) of)\b",
    re.IGNORECASE,
)

_CLOCK = (
    r"(?:(?P<twelve>1[0-2]|0?[1-9])(?:[:.](?P<twelve_minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)|(?P<noon>noon|midday))"
)
_CLOCK_AFTER = re.compile(rf"{_PART},? (?:at |around |by |from )?(?:about )?{_CLOCK}", re.IGNORECASE)
_CLOCK_BEFORE = re.compile(rf"(?:\bat |\baround |\bby )?(?<![\d:]){_CLOCK},? (?:on )?$", re.IGNORECASE)
_CLOCK_CHARACTERS = 24
_JOINT = re.compile(r" ?(?:to|until|till|through|-|–|—) ?")


def named_in(text: str, now: datetime) -> list[Named]:
    """The times that English words in `text` name, in order."""
    if not _HINT.search(text):
        return []
    plain = text.replace("’", "'")
    named = [_with_clock(plain, item) for item in found(plain, now, _RULES, _tense)]
    return joined_by(plain, named, _JOINT)


def _tense(sentence: str, start: int, end: int) -> int:
    """What is arranged "for Friday" is to come; else a verb of the sentence tells."""
    before, rest = sentence[:start], sentence[end:]
    if _ARRANGED.search(before) or _FUTURE.search(before):
        return FUTURE
    if _PAST.search(before):
        return PAST
    if _FUTURE.search(rest):
        return FUTURE
    return PAST if _PAST.search(rest) else UNTOLD


def _with_clock(text: str, item: Named) -> Named:
    """The time of day that stands beside a day."""
    if not is_one_day(item.when):
        return item
    if after := _CLOCK_AFTER.match(text, item.end):
        return replace(item, end=after.end(), when=_at(item.when, after))
    start = max(0, item.start - _CLOCK_CHARACTERS)
    if before := _CLOCK_BEFORE.search(text[start : item.start]):
        return replace(item, start=start + before.start(), when=_at(item.when, before))
    return item


def _at(day: When, clock: re.Match[str]) -> When:
    if clock["noon"]:
        return at_clock(day, 12, 0)
    if clock["twelve"]:
        hour = int(clock["twelve"]) % 12 + (12 if clock["half"].lower() == "p" else 0)
        return at_clock(day, hour, int(clock["twelve_minute"] or 0))
    return at_clock(day, int(clock["hour"]), int(clock["minute"]))


def _month_number(match: re.Match[str]) -> int:
    return _MONTHS.index(match["month"][:3].lower()) + 1


def _weekday_number(name: str) -> int:
    return _WEEKDAYS.index(name[:3].lower())


def _day_of_month(match: re.Match[str], moment: Moment) -> When:
    month, day = _month_number(match), int(match["day"])
    year = int(match["year"]) if match["year"] else moment.tense_year(month, day)
    first = moment.month(year, month).start.date()
    last = match.groupdict().get("last_day")
    days = int(last) - day + 1 if last else 1
    if days < 1:
        raise ValueError(match.group())
    return moment.day(first.replace(day=day), days=days)


def _month(match: re.Match[str], moment: Moment) -> When:
    month = _month_number(match)
    if match.groupdict().get("year"):
        return moment.month(int(match["year"]), month)
    which = (match.groupdict().get("which") or "").lower()
    year, this = moment.today.year, moment.today.month
    if which in ("last", "past", "this past", "previous"):
        return moment.month(year - (month >= this), month)
    if which in ("next", "coming", "this coming"):
        return moment.month(year + (month <= this), month)
    return moment.month(year if which else moment.tense_year(month), month)


def _year(match: re.Match[str], moment: Moment) -> When:
    return moment.year(int(match["year"]))


def _years(match: re.Match[str], moment: Moment) -> When | None:
    return from_to(moment.year(int(match["year"])), moment.year(int(match["last_year"])))


def _today(match: re.Match[str], moment: Moment) -> When:
    return moment.days_away(0)


def _day(match: re.Match[str], moment: Moment) -> When:
    return moment.days_away(_DAYS[match["day"].lower()])


def _unit(match: re.Match[str], moment: Moment) -> When | None:
    """last week, this weekend, next year"""
    return _steps_away(match["unit"].lower(), _STEPS[match["which"].lower()], moment)


def _unit_beyond(match: re.Match[str], moment: Moment) -> When | None:
    """the week before last, the weekend after next"""
    return _steps_away(match["unit"].lower(), -2 if match["side"].lower() == "before last" else 2, moment)


def _steps_away(unit: str, steps: int, moment: Moment) -> When:
    if unit == "week":
        return moment.week(steps)
    if unit == "weekend":
        return moment.weekend(steps)
    return moment.months_away(steps) if unit == "month" else moment.year(moment.today.year + steps)


def _weekday(match: re.Match[str], moment: Moment) -> When:
    """ "Last Friday" is the latest Friday that is over, "next Friday" the one of the next week."""
    weekday = _weekday_number(match["weekday"])
    which = (match["which"] or "").lower()
    if not which:
        # "My flight is on Monday" is still to come.
        return replace(moment, tense=moment.tense or FUTURE).bare_weekday(weekday)
    if _STEPS[which] < 0:
        return moment.weekday(weekday, -(weekday >= moment.today.weekday()))
    if which in ("coming", "this coming"):
        return moment.weekday(weekday, int(weekday < moment.today.weekday()))
    return moment.weekday(weekday, _STEPS[which])


def _weekday_beside(match: re.Match[str], moment: Moment) -> When:
    """Tuesday of next week"""
    return moment.weekday(_weekday_number(match["weekday"]), _STEPS[match["which"].lower()])


def _weekend(match: re.Match[str], moment: Moment) -> When:
    return moment.bare_weekend()


def _ago(match: re.Match[str], moment: Moment) -> When:
    return _away(match, moment, -1)


def _ahead(match: re.Match[str], moment: Moment) -> When | None:
    return None if moment.tense == PAST else _away(match, moment, 1)


def _away(match: re.Match[str], moment: Moment, sign: int) -> When:
    number, unit = sign * english_number(match["number"]), match["unit"].lower()
    if unit == "day":
        return moment.days_away(number)
    if unit == "week":
        return moment.week_around(7 * number)
    if unit == "month":
        away = months_later(moment.today, number)
        return moment.month(away.year, away.month)
    if unit == "year":
        return moment.year(moment.today.year + number)
    raise ValueError(unit)


def _edge(match: re.Match[str], moment: Moment) -> When:
    """the end of the month, early next year"""
    at_end = match["edge"].lower() in ("end", "late")
    steps = _STEPS.get((match["which"] or "this").lower(), 0)
    if match["unit"].lower() == "year":
        return moment.month(moment.today.year + steps, 12 if at_end else 1)
    month = moment.months_away(steps)
    return moment.part_of_month(month, 21) if at_end else moment.part_of_month(month, 1, 10)


def _feast(match: re.Match[str], moment: Moment) -> When:
    month, day = _FEASTS[match["feast"].lower()]
    which = (match["which"] or "").lower()
    year = moment.today.year
    over = (month, day) < (moment.today.month, moment.today.day)
    if which == "last":
        return moment.day(moment.month(year - (not over), month).start.date().replace(day=day))
    if which == "next":
        return moment.day(moment.month(year + over, month).start.date().replace(day=day))
    return moment.day(
        moment.month(year if which else moment.tense_year(month, day), month).start.date().replace(day=day)
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_COUNTED = (
    r"(?:people|users|words|dollars|euros|pounds|km|kilometers|miles|steps|calories|meters|metres|pieces|times)\b"
)
_ORDINAL = r"(?:st|nd|rd|th)"
_OF_YEAR = rf"(?:,? (?P<year>{YEAR})\b(?![:\-/]))?"
_OWNED = "".join(rf"(?<!\b{word} )" for word in ("the", "my", "our", "their", "her", "his"))
_RULES = (
    *dates_in_digits.RULES,
    Rule(_pattern(rf"\b(?:the )?{_DAY}{_ORDINAL}?(?: of)? {_MONTH}{_OF_YEAR}(?! \d)"), _day_of_month),
    Rule(_pattern(rf"\b(?:the )?{_DAY}(?:{_ORDINAL} of| of|{_ORDINAL}) {_MONTH_AFTER}{_OF_YEAR}"), _day_of_month),
    Rule(
        _pattern(
            rf"\b{_MONTH} (?:the )?{_DAY}{_ORDINAL}?(?:(?: to |\s?[-–]\s?)(?P<last_day>\d{{1,2}}){_ORDINAL}?)?"
            rf"(?![\d:%]|[.,]\d){_OF_YEAR}"
        ),
        _day_of_month,
    ),
    Rule(_pattern(rf"\b(?:on|by) {_MONTH_AFTER} {_DAY}{_ORDINAL}?(?![\d:%]){_OF_YEAR}"), _day_of_month),
    Rule(_pattern(rf"\b{_MONTH},? (?:of )?(?P<year>{YEAR})\b(?![:\-/])"), _month),
    Rule(_pattern(rf"\b(?:in|during|since|by|early|mid|late|until) (?:early |mid-?|late )?{_MONTH}(?! \d)"), _month),
    Rule(_pattern(rf"\b(?:in|during|since) {_MONTH_AFTER}(?! \d)"), _month),
    Rule(_pattern(rf"\b{_WHICH} {_MONTH}(?! \d)"), _month),
    Rule(_pattern(rf"\b(?P<which>last|next) {_MONTH_AFTER}(?! \d)"), _month),
    Rule(_pattern(rf"\bfrom (?P<year>{YEAR}) (?:to|until|till) (?P<last_year>{YEAR})\b"), _years),
    Rule(
        _pattern(
            r"\b(?:in|since|during|by|from|early|late|mid|back in|of|summer|spring|autumn|fall|winter)[ -]"
            rf"(?P<year>{YEAR})\b(?![:/\-]?\d|%|s\b| {_COUNTED})"
        ),
        _year,
    ),
    Rule(_pattern(rf"\b(?P<day>{'|'.join(_DAYS)})(?!'s? show\b){_PART}"), _day),
    Rule(_pattern(r"\bthis (?:morning|afternoon|evening)\b"), _today),
    Rule(
        _pattern(rf"{_OWNED}\b(?P<which>last|previous|this|next) (?P<unit>week|month|year)\b(?!'s? (?:of|at)\b| of\b)"),
        _unit,
    ),
    Rule(_pattern(rf"\b{_WHICH} (?P<unit>weekend)\b"), _unit),
    Rule(_pattern(r"\b(?:the )?(?P<unit>week|weekend|month|year) (?P<side>before last|after next)\b"), _unit_beyond),
    Rule(_pattern(rf"\b{_WHICH} (?P<weekday>{_WEEKDAY}|{_SHORT_WEEKDAY})(?!\w){_PART}"), _weekday),
    Rule(
        _pattern(
            rf"(?<!every )(?<!each )(?<!black )(?<!good )(?<!casual )\b(?P<which>)(?P<weekday>{_WEEKDAY})(?![\w'])"
            rf"{_PART}(?!s\b)"
        ),
        _weekday,
    ),
    Rule(_pattern(rf"\bon (?P<which>)(?P<weekday>{_SHORT_WEEKDAY})(?!\w){_PART}"), _weekday),
    Rule(_pattern(rf"\b(?P<weekday>{_WEEKDAY}) (?:of )?(?P<which>last|this|next) week\b"), _weekday_beside),
    Rule(_pattern(r"\b(?:on|at|over|during) the weekend\b"), _weekend),
    Rule(_pattern(rf"(?<!once )(?<!twice )\b(?:about |around |almost |nearly |over )?{_NUMBER} {_UNIT} ago\b"), _ago),
    Rule(
        _pattern(
            rf"(?<!once )(?<!twice )(?<!times )\bin (?:about |around )?{_NUMBER} {_UNIT}(?:'s?)?(?: time)?\b"
            r"(?! (?:of|old)\b)"
        ),
        _ahead,
    ),
    Rule(_pattern(rf"\b{_NUMBER} {_UNIT} from (?:now|today)\b"), _ahead),
    Rule(
        _pattern(
            r"\b(?:the )?(?P<edge>beginning|start|end) of (?:the |(?P<which>last|this|next) )(?P<unit>month|year)\b"
        ),
        _edge,
    ),
    Rule(_pattern(r"\b(?P<edge>early|late) (?P<which>last|this|next) (?P<unit>month|year)\b"), _edge),
    Rule(_pattern(rf"\b(?:(?P<which>last|this|next)|on|since) (?P<feast>{'|'.join(_FEASTS)})(?: day)?(?!\w)"), _feast),
)
