"""What is a rule for times in words, and how are the times of a text found by many rules?

Each rule is a pattern and what it means at a moment; its group `year` is a year in digits. Of words that several rules
claim, those that start first have them, then the longest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from yiku.core.memory.dates.calendar import Moment, from_to
from yiku.model.facts import When

Resolve = Callable[[re.Match[str], Moment], When | None]
Tense = Callable[[str, int, int], int]

_AROUND_CHARACTERS = 80
_NAMED_MAX = 100
"""Times that one rule may find: a text with more of them is no statement."""
_SENTENCE_END = re.compile(r"[。！？!?；;\n]|\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Named:
    """The characters from `start` until before `end` name `when`. `whole`: whenever they are read."""

    start: int
    end: int
    when: When
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    pattern: re.Pattern[str]
    resolve: Resolve


def found(text: str, now: datetime, rules: Iterable[Rule], tense: Tense) -> list[Named]:
    """All times that `rules` find in `text`, in order and without overlaps."""
    claims: list[Named] = []
    for rule in rules:
        for match in islice(rule.pattern.finditer(text), _NAMED_MAX):
            when = _resolved(rule, match, Moment(now, _tense_around(match, tense)))
            if when:
                whole = bool(match.groupdict().get("year"))
                claims.append(Named(match.start(), match.end(), when, whole))
    return without_overlaps(claims)


def without_overlaps(claims: Sequence[Named]) -> list[Named]:
    """Those that start first, then the longest."""
    kept: list[Named] = []
    for claim in sorted(claims, key=lambda named: (named.start, -named.end)):
        if not kept or claim.start >= kept[-1].end:
            kept.append(claim)
    return kept


def joined_by(text: str, named: Sequence[Named], joint: re.Pattern[str]) -> list[Named]:
    """Neighbours with nothing but `joint` between them become one time."""
    merged: list[Named] = []
    for item in named:
        last = merged[-1] if merged else None
        if last and joint.fullmatch(text, last.end, item.start) and (when := from_to(last.when, item.when)):
            merged[-1] = replace(last, end=item.end, when=when, whole=last.whole and item.whole)
        else:
            merged.append(item)
    return merged


def _resolved(rule: Rule, match: re.Match[str], moment: Moment) -> When | None:
    """None for what is no date: the 31st of June, five million years ago."""
    try:
        return rule.resolve(match, moment)
    except (ValueError, OverflowError):
        return None


def _tense_around(match: re.Match[str], tense: Tense) -> int:
    """The tense of the sentence in which a time is named, as far as it is near."""
    text = match.string
    start = max(0, match.start() - _AROUND_CHARACTERS)
    end = min(len(text), match.end() + _AROUND_CHARACTERS)
    for stop in _SENTENCE_END.finditer(text, start, match.start()):
        start = stop.end()
    if stop_after := _SENTENCE_END.search(text, match.end(), end):
        end = stop_after.start()
    return tense(text[start:end], match.start() - start, match.end() - start)
