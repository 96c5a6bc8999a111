"""What is in a text file, and which of its lines are surely titles?

A text file marks nothing, so only what cannot be meant otherwise counts: 第三章 or Chapter 3 on a short line of its
own, at least twice in the file.
"""

from __future__ import annotations

import re

from yiku.adapters.parsers.decoding import Decoded, decode
from yiku.adapters.parsers.normalised import as_lines, on_one_line, says_something
from yiku.model.parsed import Heading, ParsedDocument

REPLACED = "Some bytes stand for no character in {encoding}: U+FFFD (\ufffd) stands in their place."
NUL_LEFT_OUT = "NUL characters (U+0000) were left out: no text holds any, so the file may be damaged."
_TITLE_CHARACTERS_MAX = 50
_CHINESE_TITLE = re.compile(
    r"\s{0,8}第\s?[零〇一二三四五六七八九十百千两\d]{1,7}\s?([编編卷部篇章回节節])(?:[\s:：、]\s*\S.{0,40})?\s{0,8}"
)
_ENGLISH_TITLE = re.compile(
    r"\s{0,8}(BOOK|PART|CHAPTER|SECTION|Book|Part|Chapter|Section) (?:\d{1,4}|[IVXLC]{1,8}|[A-Z])"
    r"(?:\s*[.:\u2014\u2013-]\s*\S.{0,40}|[.:])?\s{0,8}"
)
_RANKS = {name: rank for rank, names in enumerate(("编編卷部篇", "章回", "节節")) for name in names}
_RANKS |= {"book": 0, "part": 0, "chapter": 1, "section": 2}
_SENTENCE_ENDS = tuple("。！？；，,;!?")
_OF_A_CONTENTS_PAGE = re.compile(r"(?:\.{3}|…|\t|\s)\s*\d{1,4}\s*$")


def read(content: bytes, name: str) -> ParsedDocument:
    decoded = decode(content)
    text = says_something(as_lines(decoded.text), otherwise=f"{name} is empty: there is nothing to read in it.")
    return ParsedDocument(
        format="text",
        text=text,
        headings=headings_of(text),
        encoding=decoded.encoding,
        notices=notices_of(decoded),
    )


def notices_of(decoded: Decoded) -> tuple[str, ...]:
    replaced = (REPLACED.format(encoding=decoded.encoding),) if decoded.replaced else ()
    return (*replaced, NUL_LEFT_OUT) if "\0" in decoded.text else replaced


def headings_of(text: str) -> tuple[Heading, ...]:
    """Levels follow the ranks that occur: 章 is the first level of a book that has no 编 above it."""
    found = [
        (number, rank, line)
        for number, line in enumerate(text.split("\n"), 1)
        if len(line) <= _TITLE_CHARACTERS_MAX and (rank := _rank(line)) is not None
    ]
    found = _without_contents_page(found, text)
    if len(found) < 2:
        return ()
    levels = {rank: level for level, rank in enumerate(sorted({rank for _, rank, _ in found}), 1)}
    return tuple(Heading(number, levels[rank], on_one_line(line)) for number, rank, line in found)


def _rank(line: str) -> int | None:
    if line.rstrip().endswith(_SENTENCE_ENDS) or _OF_A_CONTENTS_PAGE.search(line):
        return None
    found = _CHINESE_TITLE.fullmatch(line) or _ENGLISH_TITLE.fullmatch(line)
    return _RANKS[found[1].lower()] if found else None


def _without_contents_page(found: list[tuple[int, int, str]], text: str) -> list[tuple[int, int, str]]:
    """A title with nothing below it but another of its rank, or above, stands in a list of contents."""
    lines = text.split("\n")
    kept = []
    for at, (number, rank, line) in enumerate(found):
        last = at + 1 == len(found)
        below = lines[number : found[at + 1][0] - 1] if not last else []
        if last or found[at + 1][1] > rank or any(map(str.strip, below)):
            kept.append((number, rank, line))
    return kept
