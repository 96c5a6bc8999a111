"""How large is a piece of text, and where is it best cut?

Sizes are in **characters' worth**: what a Chinese character costs an embedding model is one, a Latin letter is four
tenths, so 400 are about 400 Chinese characters or 200 English words. Blanks cost nothing. Sizes add up character by
character, so no text is without a boundary, however long its lines or words are.

A cut goes where the text itself pauses longest, and what marks the pause stays to the left of it.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

_PARTS = 10
"""Sizes are kept in tenths, which add up without rounding."""
_SEQUENCE_CHARACTERS = 32
"""A longer run of accents or closing marks is no writing, and may be cut anywhere."""

_CLOSERS = "”’」』）】》〉〕］｝｣﹂﹄〗〙〛»)\\]}"
_WRITING = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_RUNS_ON = f"[a-z\u00df-\u00ff\u0430-\u044f{_WRITING}]"
_BLANK_LINES = r"(?:[^\S\n]*+\n)*+"

PARAGRAPH = re.compile(r"\n(?:[^\S\n]*+\n)++")
_LINE = re.compile(rf"\n{_BLANK_LINES}")
_FINISHED_LINE = re.compile(rf"(?:(?<![\w,，、])(?<![\w,，、] )\n|\n(?!{_RUNS_ON})){_BLANK_LINES}")
SENTENCE = re.compile(
    rf"[。！？；｡।॥؟۔]++[{_CLOSERS}]*+\s*+"
    rf"|[!?;]++[\"'{_CLOSERS}]*+(?:\s++|(?=[{_WRITING}]))"
    rf"|\.++[\"'{_CLOSERS}]*+\s++(?![a-z])"
)
_COMMA = re.compile(rf"[，、：]++[{_CLOSERS}]*+\s*+|[,:]\s++")
_BLANKS = re.compile(r"\s++")

_PAUSES = (PARAGRAPH, _FINISHED_LINE, SENTENCE, _LINE, _COMMA, _BLANKS)
"""From the longest to the shortest. A line that ends in the middle of a sentence was only wrapped: the end of the
sentence is better."""

CLOSING = frozenset("。！？；，、：｡…”’」』）】》〉〕］｝｣﹂﹄〗〙〛»)]},;")
"""Nothing begins with these: they belong to what stands before them."""
_CLOSES_A_WORD = CLOSING | frozenset('.!?:%"')


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of every piece of one text; `sums[i]` is the size of its first `i` characters, in tenths."""

    sums: array[int]

    def between(self, start: int, end: int) -> float:
        return (self.sums[end] - self.sums[start]) / _PARTS

    def reach(self, start: int, size: float, end: int) -> int:
        """How far a piece of this size goes, at most to `end`: over blanks behind it, and one character at least."""
        last = bisect_right(self.sums, self.sums[start] + size * _PARTS, start, end + 1) - 1
        return max(last, start + 1)

    def without_blanks(self, start: int, end: int) -> tuple[int, int]:
        """Where what is said in a piece begins and ends; some of it must not be blank."""
        first = bisect_right(self.sums, self.sums[start], start, end + 1) - 1
        return first, bisect_left(self.sums, self.sums[end], start, end + 1)


def sizes_of(text: str) -> Sizes:
    return Sizes(array("I", accumulate(map(_tenths, text), initial=0)))


@lru_cache(maxsize=8_192)
def _tenths(character: str) -> int:
    """In proportion to the tokens of multilingual models."""
    if character.isspace():
        return 0
    if character.isascii():
        return 4 if character.isalpha() else 7 if character.isdigit() else 10
    if character < "\u2e80":
        return 5
    return 10 if character < "\U00010000" else 15


@dataclass(frozen=True, slots=True)
class Solid:
    """A table or fenced code, with the blank lines behind it: it is cut between its lines only."""

    start: int
    end: int


def inside(solids: list[Solid], position: int) -> Solid | None:
    """The one that a cut at `position` would divide."""
    solid = next_of(solids, position)
    return solid if solid and solid.start < position else None


def next_of(solids: list[Solid], position: int) -> Solid | None:
    """The first that ends behind `position`."""
    number = bisect_right(solids, position, key=lambda solid: solid.end)
    return solids[number] if number < len(solids) else None


def best_cut(text: str, sizes: Sizes, solids: list[Solid], start: int, end: int, target: float) -> int:
    """Where the piece that begins at `start` ends: at most `target` behind it, or a quarter more where that saves a
    table from being divided, or leaves no scrap behind."""
    if sizes.between(start, end) <= target:
        return end
    cut = _cut(text, sizes, solids, start, end, target)
    is_scrap = sizes.between(cut, end) <= target / 4
    return end if is_scrap and sizes.between(start, end) <= target * 5 / 4 else cut


def _cut(text: str, sizes: Sizes, solids: list[Solid], start: int, end: int, target: float) -> int:
    latest = sizes.reach(start, target, end)
    # A cut that leaves less than this on its left helps nobody: a shorter pause further on is better.
    filled = sizes.reach(start, target / 4, end)
    solid = inside(solids, latest)
    cut = _cut_beside(solid, text, sizes, (start, filled, latest), target) if solid else None
    if cut is not None:
        return cut
    for pause in _PAUSES:
        for cut in reversed(list(_cuts(pause, text, start, latest))):
            # Of the solid at the end nothing was found but a line without an end: that one may be divided.
            if cut >= filled and inside(solids, cut) in (None, solid):
                return cut
    return _cut_in_a_word(text, filled, latest)


def _cut_beside(solid: Solid, text: str, sizes: Sizes, window: tuple[int, int, int], target: float) -> int | None:
    """Behind a table or code that fits, or before it, or between its lines, however little that leaves on the left."""
    start, filled, latest = window
    if start <= solid.start < filled and sizes.between(solid.start, solid.end) <= target:
        return solid.end
    if solid.start >= filled:
        return solid.start
    for pause, earliest in ((PARAGRAPH, filled), (_LINE, solid.start)):
        for cut in reversed(list(_cuts(pause, text, start, latest))):
            if cut >= earliest and sizes.between(start, cut) > 0:
                return cut
    return None


def _cuts(pause: re.Pattern[str], text: str, start: int, latest: int) -> Iterator[int]:
    """Behind each pause, from left to right. One character more is looked at, for what must not follow."""
    for match in pause.finditer(text, start, latest + 1):
        cut = match.end()
        # ASCII quotation marks do not say which way they face; an odd number of them leaves one open.
        if text[cut : cut + 1] == '"' and text.count('"', start, cut) % 2:
            blanks = _BLANKS.match(text, cut + 1)
            cut = blanks.end() if blanks else cut + 1
        if cut <= latest and text[cut : cut + 1] not in CLOSING:
            yield cut


def _cut_in_a_word(text: str, earliest: int, latest: int) -> int:
    """Between two characters that a person sees as two."""
    for cut in range(latest, max(earliest, latest - _SEQUENCE_CHARACTERS), -1):
        if not _belongs_to_the_left(text, cut):
            return cut
    return latest


def _belongs_to_the_left(text: str, position: int) -> bool:
    following = text[position : position + 1]
    return bool(following) and (
        following in _CLOSES_A_WORD
        or following.isspace()
        or following == "\u200d"
        or text[position - 1] == "\u200d"
        or unicodedata.category(following).startswith("M")
        or "\U0001f3fb" <= following <= "\U0001f3ff"
    )
