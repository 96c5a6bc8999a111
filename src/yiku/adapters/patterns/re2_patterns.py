"""Regular expressions in linear time: RE2, over UTF-8."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import re2

from yiku.adapters.patterns.boundaries import with_marks, without_marks
from yiku.adapters.patterns.refusal import FIELD, refused
from yiku.adapters.patterns.translation import Translation, translated
from yiku.model.errors import InvalidInput, TooLarge

PATTERN_CHARACTERS_MAX = 1_000
_MEMORY_MAX = 8 * 1024 * 1024
_PROGRAM_MAX = 100_000
"""Steps of a compiled pattern. Linear means: at worst each byte of the text takes all of them, 2 ns each."""
_STEPS_MAX = 10_000_000_000
"""Of one search, which cannot be stopped: megabytes without a line end."""
_SLICE = 64 * 1024
_CONTINUATION = range(0x80, 0xC0)
"""Bytes within a character of UTF-8."""

_AS_ITSELF = r"to find such a sign itself write \ before it"
_TOO_LARGE = "is too large once its repeats are written out: repeat less, or without an upper bound (* or +)"
_TOO_SLOW = "takes too long over this text: repeat less, or search for a word of it first"
_PROBLEMS = {
    "invalid repetition size": "repeats something more than 1000 times (nested ones multiply), or from more to less",
    "bad repetition operator": f"has a repeat after a repeat: {_AS_ITSELF}",
    "no argument for repetition operator": f"has a repeat with nothing to repeat: {_AS_ITSELF}",
    "missing )": f"has a '(' that is never closed: {_AS_ITSELF}",
    "unexpected )": f"has a ')' that closes nothing: {_AS_ITSELF}",
    "invalid character class range": "has a name in \\p{…} that is not known; L, Lu, N, P or Han would be",
    "pattern too large": _TOO_LARGE,
    "expression nests too deeply": "has brackets within brackets too deeply",
}
"""What RE2 says and what it means to a person."""


class Re2Patterns:
    """`seconds` is what one pattern may take of a processor, over all texts that are searched with it."""

    def __init__(self, *, seconds: float = 10.0) -> None:
        self._seconds = seconds

    def compile(self, pattern: str, *, ignore_case: bool, literal: bool) -> Re2Pattern:
        if not pattern:
            raise refused("is empty: it would be found in every line")
        if len(pattern) > PATTERN_CHARACTERS_MAX:
            raise TooLarge(f"The pattern has more than {PATTERN_CHARACTERS_MAX} characters.", field=FIELD)
        translation = Translation(_literally(pattern)) if literal else translated(pattern)
        return Re2Pattern(translation, ignore_case=ignore_case, literal=literal, seconds=self._seconds)


class Re2Pattern:
    """Made for one question, as its time is counted."""

    def __init__(self, translation: Translation, *, ignore_case: bool, literal: bool, seconds: float) -> None:
        self._plain = _compiled(translation.plain, ignore_case=ignore_case, literal=literal)
        marked = translation.marked
        self._marked = None if marked is None else _compiled(marked, ignore_case=ignore_case, literal=False)
        self._translation = translation
        self._seconds = seconds

    def matches(self, line: bytes) -> Iterator[tuple[int, int]]:
        if self._marked is None:
            return _spans(self._plain, line)
        line_with_marks = self._with_marks(line)
        return without_marks(line_with_marks, _spans(self._marked, line_with_marks))

    def lines_with(self, text: bytes) -> Iterator[int]:
        first = 0
        for start, end in _slices(text):
            began = time.thread_time()
            yield from [first + number for number in self._lines_in(text[start:end])]
            self._seconds -= time.thread_time() - began
            if self._seconds < 0 and end < len(text):
                raise refused(_TOO_SLOW)
            first += text.count(b"\n", start, end) + 1

    def _lines_in(self, text: bytes) -> Iterator[int]:
        if len(text) * self._plain.programsize > _STEPS_MAX:
            raise refused(_TOO_SLOW)
        number = at = 0
        while (found := self._plain.search(text, at)) is not None:
            number += text.count(b"\n", at, found.start())
            start = text.rfind(b"\n", 0, found.start()) + 1
            end = text.find(b"\n", found.start())
            line = text[start:] if end < 0 else text[start:end]
            if self._marked is None or self._marked.search(self._with_marks(line)) is not None:
                yield number
            if end < 0:
                return
            number += 1
            at = end + 1

    def _with_marks(self, line: bytes) -> bytes:
        return with_marks(line, count=self._translation.marks, insides=self._translation.has_insides)


def _slices(text: bytes) -> Iterator[tuple[int, int]]:
    """Whole lines, without the last one's end: between them the time is looked at."""
    start = 0
    while start <= len(text):
        end = text.find(b"\n", start + _SLICE)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _literally(pattern: str) -> str:
    if "\n" in pattern:
        raise refused("has a line end, but lines are searched one by one: search for one of its lines")
    return pattern


def _compiled(pattern: str, *, ignore_case: bool, literal: bool) -> Any:
    options = re2.Options()
    options.literal = literal
    options.case_sensitive = not ignore_case
    options.never_nl = True
    options.never_capture = True
    options.max_mem = _MEMORY_MAX
    options.log_errors = False
    try:
        compiled = re2.compile(pattern.encode(), options)
    except re2.error as error:
        raise _refusal(error) from error
    except UnicodeEncodeError as error:
        raise refused("has half of a character (a lone surrogate)") from error
    if compiled.programsize > _PROGRAM_MAX:
        raise refused(_TOO_LARGE)
    return compiled


def _refusal(error: re2.error) -> InvalidInput:
    said = error.args[0].decode("utf-8", "replace") if error.args else ""
    for words, problem in _PROBLEMS.items():
        if said.startswith(words):
            return refused(problem)
    return refused(f"is not a regular expression: {said}")


def _spans(compiled: Any, line: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    last: tuple[int, int] | None = None
    while (found := compiled.search(line, at)) is not None:
        span: tuple[int, int] = found.span()
        if span != last:
            yield span
        last, (start, end) = span, span
        at = end if end > start else _next_character(line, end)
        if at > len(line):
            return


def _next_character(line: bytes, at: int) -> int:
    at += 1
    while at < len(line) and line[at] in _CONTINUATION:
        at += 1
    return at
