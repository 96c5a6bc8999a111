"""Does this fact rest on what was said, or did the model make it up?

Judged by words alone, so facts must be told in the speaker's words as far as they can: every number, name and quoted
title has to be there, most of the other words too, and nothing may be denied that nobody denied.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from functools import cached_property

from yiku.core.memory.dates import times_named
from yiku.core.memory.dates.numerals import CHINESE, ENGLISH, chinese_number
from yiku.core.memory.extraction.verbs_en import PREDICATE
from yiku.core.memory.extraction.writing import Writing, writing_of
from yiku.core.memory.wording import content_terms, denies, numbers, weight
from yiku.model.facts import When
from yiku.model.tokens import fold, index_terms

_SHARE_SAID = {"zh": 0.5, "latin": 1 / 3, "other": 1 / 3}
"""Of the words of a fact; the rest is for putting it in the third person. Chinese characters are shared by chance."""

_NAME = re.compile(r"(?<!^)(?<![.!?:] )\b[A-Z][\w’'-]*")
"""Where no sentence begins."""
_NAMED_FIRST = re.compile(rf"(?P<name>[A-Z][\w-]+)(?:['’]s [a-z]+)? (?:{PREDICATE})\b")
_LATIN = re.compile(r"[A-Za-z][\w’'-]*")
_QUOTED = re.compile(r"[《「『“\"]([^《》「」『』“”\"\n]{1,100})[》」』”\"]")
_NUMBER_WORDS = re.compile(rf"\b(?:{'|'.join(sorted(ENGLISH, key=len, reverse=True))})\b|[{CHINESE}]+", re.IGNORECASE)
_ROLES = "the user assistant speaker 用户 助手"
_CLOCK_HOURS = 12


class Said:
    """What `speakers` said in some messages. Facts are held against it many at a time, so it is read once.

    `anchor` is when; without it, nothing relative is resolved.
    """

    def __init__(self, texts: Sequence[str], speakers: Sequence[str], anchor: datetime | None) -> None:
        self._text = "\n".join(texts)
        self._speakers = speakers
        self._anchor = anchor

    @cached_property
    def times(self) -> tuple[When, ...]:
        """The times that were named."""
        return times_named(self._text, self._anchor) if self._anchor else ()

    def holds(self, words: str) -> bool:
        """Whether every content word of `words` was said."""
        terms = content_terms(words)
        return bool(terms) and terms <= self._content

    def objection_to(self, text: str) -> str | None:
        """Why `text` does not rest on what was said, or None when it does."""
        if missing := _numbers(text) - self._numbers:
            missing -= _numbers(self._dates)
        if missing:
            return f"nobody said the number {min(missing)}"
        if denies(text) and not self._denies:
            return "nobody denied anything"
        writing = writing_of(text)
        if writing != self._writing:
            return None  # Told in another language on purpose: words cannot be compared.
        for name in names_in(text):
            terms = index_terms(name).keys()
            if not (terms <= self._terms or terms <= index_terms(self._dates).keys()):
                return f"nobody said {name}"
        for title in _QUOTED.findall(text):
            if fold(title) not in self._folded:
                return f"nobody said {title}"
        return None if self._share(text) >= _SHARE_SAID[writing or "other"] else "nobody said so"

    def _share(self, text: str) -> float:
        terms = content_terms(text)
        return weight(terms & self._content) / weight(terms) if terms else 1.0

    @cached_property
    def _source(self) -> str:
        return "\n".join((self._text, *self._speakers, _ROLES))

    @cached_property
    def _dates(self) -> str:
        """What was made of relative dates may be told too."""
        return "\n".join(_in_words([self._anchor, *self.times])) if self._anchor else ""

    @cached_property
    def _numbers(self) -> set[str]:
        return _numbers(self._source) | _numbers_in_words(self._source)

    @cached_property
    def _denies(self) -> bool:
        return denies(self._text)

    @cached_property
    def _writing(self) -> Writing | None:
        return writing_of(self._text)

    @cached_property
    def _terms(self) -> AbstractSet[str]:
        return index_terms(self._source).keys()

    @cached_property
    def _content(self) -> frozenset[str]:
        return content_terms(self._source)

    @cached_property
    def _folded(self) -> str:
        return fold(self._source)


def names_in(text: str) -> list[str]:
    """Words that can only have been said: capitals within English, Latin words within Chinese."""
    if writing_of(text) == "zh":
        return _LATIN.findall(text)
    first = _NAMED_FIRST.match(text)
    return [*([first["name"]] if first else []), *(name for name in _NAME.findall(text) if name not in ("I", "User"))]


def _numbers(text: str) -> set[str]:
    """Digits as they stand, and their parts: a date in one form has the parts of another."""
    whole = {number.replace(",", "") for number in numbers(text)}
    parts = {part.lstrip("0") or "0" for number in whole for part in re.split(r"[.:]", number)}
    return {number.lstrip("0") or "0" for number in whole if not re.search(r"[.:]", number)} | parts


def _numbers_in_words(text: str) -> set[str]:
    """Two, 两, twenty-one: what may be written in digits too."""
    return {str(_value(words)) for words in _NUMBER_WORDS.findall(text)}


def _value(words: str) -> int:
    return ENGLISH[words.lower()] if words.lower() in ENGLISH else chinese_number(words)


def _in_words(times: Sequence[datetime | When]) -> list[str]:
    """The days at both ends of each time, in all the forms in which they may be told."""
    moments = [end for time in times for end in (_ends(time) if isinstance(time, When) else (time,))]
    return [
        moment.strftime("%Y %-m %-d %A %B %b ") + f"{moment.hour} {moment.hour % _CLOCK_HOURS}" for moment in moments
    ]


def _ends(when: When) -> tuple[datetime, datetime]:
    return when.start, when.end - timedelta(minutes=1)
