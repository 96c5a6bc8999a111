"""Which lines of a PDF are headings, and how deep? Its bookmarks say it best; else type and numbering together.

A title has to stand on the lines of its page: what cannot be found there is no heading, whoever says so.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yiku.adapters.parsers.numbering import Numbering, dense, numbering_of
from yiku.adapters.parsers.pdf_layout import LaidHeading
from yiku.adapters.parsers.pdf_pages import Bookmark, Line

_WIDE_MAX = 60
_CHARACTERS_MAX = 120
"""What is longer is a paragraph, however large it is printed (knowledge.md §2)."""
_LINES_MAX = 3
_COMMAS_MIN = 3
_BOOKMARKS_MIN = 3
_STRONG_MAX = 30
"""In Chinese characters, which are two letters wide."""
_ARTICLE_MAX = 20
"""An article of a law goes on after its number: only a short one is a title of its own."""
_ARTICLE_RANK = 3
_SENTENCE_END = tuple("。；;，,、")
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}|·{4,}|\s\d{1,4}$")
_RUN_IN = re.compile(r"[.。]\s+\S+\s+\S+\s+\S")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Title:
    """A heading that was found on `count` lines of its page, from the line `line` (from 0) on."""

    page: int
    line: int
    count: int
    level: int
    text: str


def headings_of(pages: Sequence[list[Line]], bookmarks: Sequence[Bookmark], laid: Sequence[LaidHeading]) -> list[Title]:
    """In the order of the text, one a line at most."""
    marked = _by_bookmarks(pages, bookmarks)
    if len(marked) >= _BOOKMARKS_MIN and len(marked) * 2 >= len(bookmarks):
        return marked
    return _by_type(pages, laid)


def _by_bookmarks(pages: Sequence[list[Line]], bookmarks: Sequence[Bookmark]) -> list[Title]:
    found: dict[tuple[int, int], Title] = {}
    finders = _Finders(pages)
    levels = dense({mark.level for mark in bookmarks})
    for mark in bookmarks:
        if mark.page >= len(pages):
            continue
        # Some point to the top of a page whose title stands on the one before or after.
        for page in (mark.page, mark.page + 1, mark.page - 1):
            place = finders.find(page, mark.title, loosely=True) if 0 <= page < len(pages) else None
            if place:
                line, count = place
                title = " ".join(line.text for line in pages[page][line : line + count])
                title = title if len(title) <= _CHARACTERS_MAX else mark.title
                found[page, line] = Title(page, line, count, levels[mark.level], title)
                break
    return [found[place] for place in sorted(found)]


def _by_type(pages: Sequence[list[Line]], laid: Sequence[LaidHeading]) -> list[Title]:
    finders = _Finders(pages)
    found: dict[tuple[int, int], tuple[int, str, int]] = {}
    for heading in laid:
        title = _without_run_in(heading.title)
        if heading.page < len(pages) and is_title(title) and (numbering_of(title) or _stands_alone(title)):
            place = finders.find(heading.page, title)
            if place:
                found[heading.page, place[0]] = (place[1], title, heading.level)
    for page, line, title in _by_number(pages):
        if not finders.is_taken(page, line):
            found[page, line] = (1, title, 0)
    levels = _levels([(title, size) for _, (_, title, size) in sorted(found.items())])
    return [
        Title(page, line, count, level, title)
        for ((page, line), (count, title, _)), level in zip(sorted(found.items()), levels, strict=True)
    ]


def is_title(text: str) -> bool:
    """Short, said in letters, and no sentence."""
    letters = sum(character.isalpha() for character in text)
    wide = len(_WIDE.findall(text))
    return (
        letters >= (1 if wide else 2)
        and letters * 3 >= len("".join(text.split()))
        and wide <= _WIDE_MAX
        and len(text) <= _CHARACTERS_MAX
        and not text.endswith(_SENTENCE_END)
        and "@" not in text
        and not _LEADERS.search(text)
    )


def _stands_alone(title: str) -> bool:
    """What has no number must not be the middle of a sentence, or the names of those who wrote it."""
    return not title[0].islower() and title.count(",") < _COMMAS_MIN


def _by_number(pages: Sequence[list[Line]]) -> Iterator[tuple[int, int, str]]:
    """Lines whose number alone makes a heading of them. Weak styles do not: on most pages they are items of lists and
    rows of tables."""
    for page, lines in enumerate(pages):
        for place, line in enumerate(lines):
            numbering = None if line.is_table or len(line.text) > _CHARACTERS_MAX else numbering_of(line.text)
            if numbering and numbering.is_strong and _is_short(numbering, line.text) and is_title(line.text):
                yield page, place, line.text


def _is_short(numbering: Numbering, text: str) -> bool:
    """And what follows the number begins like a title: "Section 9 and" goes on with a sentence."""
    rest = text[numbering.length :]
    length = len(text) if _WIDE.search(text) else len(text) // 2
    return length <= (_ARTICLE_MAX if numbering.rank == _ARTICLE_RANK else _STRONG_MAX) and not rest[:1].islower()


def _levels(titles: Sequence[tuple[str, int]]) -> list[int]:
    """The number decides where there is one. A heading without takes the level of numbered ones in its size of type;
    where nothing is numbered, sizes are the levels."""
    numberings = [numbering_of(title) for title, _ in titles]
    by_rank = dense({numbering.rank for numbering in numberings if numbering})
    sizes: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for (_, size), numbering in zip(titles, numberings, strict=True):
        if numbering and size:
            sizes[size][by_rank[numbering.rank]] += 1
    by_size = dense({size for _, size in titles if size})
    return [
        by_rank[numbering.rank] if numbering else _level_of(size, sizes, by_size)
        for (_, size), numbering in zip(titles, numberings, strict=True)
    ]


def _level_of(size: int, sizes: dict[int, Counter[int]], by_size: dict[int, int]) -> int:
    if not sizes:
        return by_size[size]
    if size in sizes:
        return sizes[size].most_common(1)[0][0]
    below = [level for other, counted in sizes.items() if other > size for level in counted]
    return min(below) if below else max(level for counted in sizes.values() for level in counted) + 1


def _without_run_in(title: str) -> str:
    """ "4. TERMINATION. Either party may ..." has its title up to the sentence that follows."""
    numbering = numbering_of(title)
    start = numbering.length if numbering else 0
    found = _RUN_IN.search(title, start) if numbering else None
    return title[: found.start() + 1] if found else title


class _Finders:
    """Each page's lines, squeezed for comparing, once; and which of them are headings already."""

    def __init__(self, pages: Sequence[list[Line]]) -> None:
        self._pages = pages
        self._squeezed: dict[int, list[str]] = {}
        self._taken: set[tuple[int, int]] = set()

    def is_taken(self, page: int, line: int) -> bool:
        return (page, line) in self._taken

    def find(self, page: int, title: str, *, loosely: bool = False) -> tuple[int, int] | None:
        """The first free line of the page from which on the title stands, and over how many lines."""
        wanted = _squeezed(title)
        lines = self._lines(page)
        if not wanted:
            return None
        place = self._exact(page, lines, wanted)
        if place is None and (numbering_of(title) or loosely):
            place = self._beginning(page, lines, wanted)
        if place is None and loosely:
            place = self._exact(page, [_bare(line) for line in lines], _bare(wanted))
        if place:
            self._taken.update((page, place[0] + offset) for offset in range(place[1]))
        return place

    def _exact(self, page: int, lines: list[str], wanted: str) -> tuple[int, int] | None:
        for start, line in enumerate(lines):
            if not line or not wanted.startswith(line):
                continue
            joined = ""
            for count, part in enumerate(lines[start : start + _LINES_MAX], 1):
                joined += part
                if joined == wanted and not any(self.is_taken(page, start + offset) for offset in range(count)):
                    return start, count
        return None

    def _beginning(self, page: int, lines: list[str], wanted: str) -> tuple[int, int] | None:
        for start, line in enumerate(lines):
            if line.startswith(wanted) and not self.is_taken(page, start):
                return start, 1
        return None

    def _lines(self, page: int) -> list[str]:
        if page not in self._squeezed:
            self._squeezed[page] = ["" if line.is_table else _squeezed(line.text) for line in self._pages[page]]
        return self._squeezed[page]


def _squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


_LEADING_NUMBER = re.compile(r"^(?:\d{1,3}(?:\.\d{1,3})*\.?|[ivx]+\.)")


def _bare(squeezed: str) -> str:
    """Without its number, which bookmarks and pages do not always both have."""
    return _LEADING_NUMBER.sub("", squeezed)
