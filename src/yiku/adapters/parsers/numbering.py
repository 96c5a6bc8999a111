"""How deep is a heading by its number? 第三章, 一、, （一）, 1., 1.1, Chapter 2, Article 5 say it themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DIGITS = r"[0-9０-９〇零一二三四五六七八九十百千两]+"
_ROMAN_OR_NUMBER = r"(?:[0-9]+|[IVXLC]+)"


@dataclass(frozen=True, slots=True)
class Numbering:
    """`rank` orders the styles, the widest first. A strong style is a heading by itself, a weak one may be an item of
    a list. `length` is that of the number, with the blanks behind it."""

    rank: int
    is_strong: bool
    length: int


_STYLES = (
    (0, True, re.compile(rf"第\s*{_DIGITS}\s*(?:编|篇|部分|卷)(?=[\s　：:]|$|[^\s，。；、的])")),
    (1, True, re.compile(rf"第\s*{_DIGITS}\s*章")),
    (2, True, re.compile(rf"第\s*{_DIGITS}\s*节")),
    (3, True, re.compile(rf"第\s*{_DIGITS}\s*条(?!款|例|件|约)")),
    (0, True, re.compile(rf"part\s+{_ROMAN_OR_NUMBER}\b[.:]?", re.I)),
    (1, True, re.compile(rf"(?:chapter|appendix)\s+(?:{_ROMAN_OR_NUMBER}|[A-Z])\b[.:]?", re.I)),
    (2, True, re.compile(rf"section\s+{_ROMAN_OR_NUMBER}\b[.:]?", re.I)),
    (3, True, re.compile(rf"article\s+{_ROMAN_OR_NUMBER}\b[.:]?", re.I)),
    (4, False, re.compile(r"[〇零一二三四五六七八九十百]{1,4}、")),
    (5, False, re.compile(r"[（(][〇零一二三四五六七八九十百]{1,4}[）)]")),
    (9, False, re.compile(r"[（(]\d{1,2}[）)]|\d{1,2}[）)]")),
    (10, False, re.compile(r"[①-⑳]")),
)
_DECIMAL = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,4})(\.|、|．)?(?=\s|[^\d\s.%,，:：/年月日号-])")
_DECIMAL_RANK = 6
_UNITS = "年月日时号个元万亿股位名项人次条款页倍种类级"
_DECIMAL_DEPTH_MAX = 3


def numbering_of(line: str) -> Numbering | None:
    """None for a line that begins with no number of a heading."""
    for rank, is_strong, pattern in _STYLES:
        found = pattern.match(line)
        if found:
            return Numbering(rank, is_strong, _with_blanks(line, found.end()))
    found = _DECIMAL.match(line)
    if found is None or not _is_heading_number(line, found):
        return None
    depth = min(found[1].count(".") + 1, _DECIMAL_DEPTH_MAX)
    return Numbering(_DECIMAL_RANK + depth - 1, False, _with_blanks(line, found.end()))


def dense(ranks: set[int]) -> dict[int, int]:
    """Rank → level: 1 for the widest there is, and none skipped."""
    return {rank: level for level, rank in enumerate(sorted(ranks), 1)}


def _is_heading_number(line: str, found: re.Match[str]) -> bool:
    """A bare whole number needs a blank and a title after it: "3 apples" and "12 月" begin sentences and cells."""
    rest = line[found.end() :].lstrip()
    if not rest or not (rest[0].isalpha() or rest[0] in "“\"'「《（("):
        return False
    bare = "." not in found[1] and not found[2]
    return not bare or (line[found.end()].isspace() and not rest[0].islower() and rest[0] not in _UNITS)


def _with_blanks(line: str, end: int) -> int:
    return end + len(line[end:]) - len(line[end:].lstrip())
