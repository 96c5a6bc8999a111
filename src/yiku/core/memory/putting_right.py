"""What was meant by a memory whose day or number the next message puts right: 我的会议在周四, then 不对，是周五.

Only days and numbers, and only where the memory names one: of other words no rule can tell whether they belong there
(不对，是杭州 may answer what the assistant asked in between). Pure.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from yiku.core.memory.dates import named_in
from yiku.core.memory.extraction.dated import dated
from yiku.core.memory.extraction.facts import Fact
from yiku.core.memory.extraction.same_breath import NUMBER, is_a_day
from yiku.core.memory.extraction.slots import normalised
from yiku.core.memory.fingerprint import fingerprint
from yiku.model.facts import FactKind, Slot
from yiku.model.memories import Memory

_DATE = r"\d{4}(?:-\d\d(?:-\d\d(?: \d\d:\d\d)?)?)?"
_DATE_BESIDE = re.compile(rf" ?[（(]{_DATE}(?: (?:至|to) {_DATE})?[）)]")
"""What `dated` writes beside the words."""

_YEAR = re.compile(r"(?:19|20)\d\d")
_Piece = tuple[int, int]


def put_right(known: Memory, meant: str, told: Memory) -> Memory | None:
    """What `told` says, whose words are nothing but `meant`: the known memory with that in its place.

    None when it names no day or number like it, or several.
    """
    words = _DATE_BESIDE.sub("", known.text)
    anchor = told.anchor or told.created
    place = _place_of_day(words, meant, anchor) or _place_of_number(words, meant, anchor)
    if place is None or words[place[0] : place[1]] == meant:
        return None
    old, text = words[place[0] : place[1]], words[: place[0]] + meant + words[place[1] :]
    fact = dated(
        Fact(
            text=text,
            positions=(0,),
            speaker=known.speaker,
            reason="",
            kind=known.kind or FactKind.STATEMENT,
            slot=_with_value(known.slot, old, meant),
        ),
        anchor,
    )
    return replace(
        told,
        text=fact.text,
        speaker=known.speaker,
        kind=fact.kind,
        slot=fact.slot,
        when=fact.when,
        fingerprint=fingerprint(fact.text, fact.when),
    )


def _place_of_day(words: str, meant: str, anchor: datetime) -> _Piece | None:
    """Of the one day in `words`, told in the same way: a weekday does not stand for a date."""
    if not is_a_day(meant):
        return None
    days = [(day.start, day.end) for day in named_in(words, anchor)]
    return days[0] if len(days) == 1 and _has_digit(words[slice(*days[0])]) == _has_digit(meant) else None


def _place_of_number(words: str, meant: str, anchor: datetime) -> _Piece | None:
    """Of the one number in `words` like it: a year, or one that belongs to no day; with the same unit if it has one."""
    number = NUMBER.fullmatch(meant)
    if number is None:
        return None
    found = [match.span("digits") for match in NUMBER.finditer(words)]
    if _YEAR.fullmatch(meant):
        alike = [(start, end) for start, end in found if _YEAR.fullmatch(words, start, end)]
    else:
        days = named_in(words, anchor)
        alike = [(start, end) for start, end in found if not any(day.start <= start < day.end for day in days)]
    if len(alike) != 1 or not words.startswith(number["unit"], alike[0][1]):
        return None
    return alike[0][0], alike[0][1] + len(number["unit"])


def _has_digit(words: str) -> bool:
    return any(map(str.isdigit, words))


def _with_value(slot: Slot | None, old: str, meant: str) -> Slot | None:
    if slot is None or slot.value is None:
        return slot
    before, after = NUMBER.fullmatch(old), NUMBER.fullmatch(meant)
    if before and after:
        old, meant = before["digits"], after["digits"]
    return replace(slot, value=slot.value.replace(normalised(old), normalised(meant)))
