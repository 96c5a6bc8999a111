"""When does a fact hold? Its words stay, and the date is put beside them where they do not say it themselves.

"Yesterday" means nothing a week later: "Caroline went to a support group yesterday (2023-05-07)".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from yiku.core.memory.dates import Named, named_in
from yiku.core.memory.extraction.facts import Fact
from yiku.core.memory.extraction.language import language_of
from yiku.core.memory.extraction.quotations import QUOTED
from yiku.model.facts import FactKind, Precision, When

_QUOTED = re.compile(QUOTED)
_FEAST = re.compile(
    r"(?:生日|纪念日|忌日|birthday|anniversary)(?!聚会|派对|晚会|蛋糕| party| dinner| trip| present| gift)",
    re.IGNORECASE,
)
_YEARLY = re.compile(
    r"\d|[一二三四五六七八九十]月|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[，,。；;！!？?\n]|\.(?=\s|$)|$")
_OWNED = re.compile(r"['’]s(?: [\w-]+)?")
_DATES_SHOWN = 4


def dated(fact: Fact, anchor: datetime) -> Fact:
    """`fact` with the time it speaks of, counted from `anchor`."""
    named = named_in(fact.text, anchor)
    if _speaks_of_a_feast(fact):
        named = [item for item in named if item.whole or not _YEARLY.search(fact.text, item.start, item.end)]
    unquoted = _QUOTED.sub(lambda quote: " " * len(quote.group()), fact.text)
    named = [item for item in named if unquoted[item.start] != " "]
    if not named:
        return fact
    when = named[0].when
    return replace(fact, text=_with_dates(fact.text, named), when=when, kind=_kind_in_time(fact, when, anchor))


def _kind_in_time(fact: Fact, when: When, anchor: datetime) -> FactKind:
    """Of what is no lasting trait the time tells whether it is still to come."""
    if fact.kind in (FactKind.EVENT, FactKind.STATEMENT) or (fact.kind is FactKind.PROFILE and fact.slot is None):
        if when.start > anchor:
            return FactKind.PLAN
        return FactKind.EVENT if when.end <= anchor else fact.kind
    return fact.kind


def written(when: When, *, chinese: bool) -> str:
    """2023-05-07, 2023-05-15 至 2023-05-21, 2023-05 or 2023: as exactly as it was told."""
    first, last = when.start.date(), (when.end - timedelta(microseconds=1)).date()
    if when.precision is Precision.MINUTE:
        return f"{when.start:%Y-%m-%d %H:%M}"
    if when.precision is Precision.YEAR:
        first_text, last_text = f"{first:%Y}", f"{last:%Y}"
    elif when.precision is Precision.MONTH and first.day == 1 and when.end.day == 1:
        first_text, last_text = f"{first:%Y-%m}", f"{last:%Y-%m}"
    else:
        first_text, last_text = first.isoformat(), last.isoformat()
    return first_text if first_text == last_text else f"{first_text}{' 至 ' if chinese else ' to '}{last_text}"


def _speaks_of_a_feast(fact: Fact) -> bool:
    """A birthday without a year comes back every year: it is no date, but what is told."""
    is_slot = fact.slot is not None and fact.slot.attribute == "birthday"
    return is_slot or _FEAST.search(fact.text) is not None


def _with_dates(text: str, named: Sequence[Named]) -> str:
    """Blocks of several lines stay as they are: a date within code or a table would spoil it."""
    if "\n" in text or len(named) > _DATES_SHOWN:
        return text
    chinese = language_of(text) == "zh"
    told = text
    for index in reversed(range(len(named))):
        item = named[index]
        if item.whole:
            continue
        owned = _OWNED.match(text, item.end)
        end = owned.end() if owned else item.end
        if chinese:
            # At the end of its clause, where it does not tear the words apart, unless another time follows there.
            clause_end = _CLAUSE_END.search(text, item.end)
            following = named[index + 1].start if index + 1 < len(named) else len(text) + 1
            end = clause_end.start() if clause_end and clause_end.start() < following else item.end
        date = written(item.when, chinese=chinese)
        told = told[:end] + (f"（{date}）" if chinese else f" ({date})") + told[end:]
    return told
