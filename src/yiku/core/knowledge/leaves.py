"""Which passages does a text consist of?

A leaf is what search finds and an embedding model reads at once. Leaves do not overlap, and joined they are the text.
Small paragraphs share one; a table that does not fit is cut between its rows, and each further part brings the names of
its columns and the sentence that announces it as **context**, which is indexed with the leaf but is not its content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from yiku.core.knowledge.cuts import PARAGRAPH, SENTENCE, Sizes, Solid, best_cut, inside, next_of
from yiku.core.knowledge.lines import Lines

LEAF_SIZE = 350
"""In characters' worth (see `cuts`). Of the 256 tokens that the bundled model reads, breadcrumb and context take some:
it reads 95 to 100 percent of such leaves, and 86 to 98 percent of those of 400 (Chinese and English reports, papers,
contracts, Markdown)."""

_SOLID_BEGINS = re.compile(r"^ {0,3}(?:(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})|\|)", re.MULTILINE)
_FENCE_ENDS = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\S\n]*$", re.MULTILINE)
_ROWS = re.compile(r"(?: {0,3}\|[^\n]*+(?:\n|\Z))++")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*+\n)*+(?:[^\S\n]++\Z)?")
_RULE_CHARACTERS = frozenset("|:- \t")
_HEADER_LINES_MAX = 4


@dataclass(frozen=True, slots=True)
class Leaf:
    """Characters `start` to `end` of the text, the end excluded."""

    start: int
    end: int
    context: str = ""


@dataclass(frozen=True, slots=True)
class _Table(Solid):
    header: str
    caption: str
    caption_start: int
    context_size: float


def leaves_of(lines: Lines, sizes: Sizes, first_line: int, last_line: int, *, target: float = LEAF_SIZE) -> list[Leaf]:
    """The leaves of these lines, none larger than `target` and a quarter. No leaf is blank; blank lines have none."""
    start, end = lines.start_of(first_line), lines.start_of(last_line + 1)
    solids = list(_solids(lines.text, sizes, start, end, target))
    leaves = []
    while start < end and sizes.between(start, end) > 0:
        divided = inside(solids, start)
        room = _room(divided, lines.text, sizes, start, target) if isinstance(divided, _Table) else target
        cut = best_cut(lines.text, sizes, solids, start, end, room)
        leaves.append(Leaf(start, cut, _context(solids, start, cut)))
        start = cut
    return leaves


def leaves_of_rows(
    lines: Lines, sizes: Sizes, first_line: int, last_line: int, *, target: float = LEAF_SIZE
) -> list[Leaf]:
    """One leaf for each line, or several where it is too long. Blank lines belong to the row before them."""
    rows = [n for n in range(first_line, last_line + 1) if sizes.between(lines.start_of(n), lines.end_of(n)) > 0]
    starts = [lines.start_of(first_line), *(lines.start_of(row) for row in rows[1:]), lines.start_of(last_line + 1)]
    leaves = []
    for start, end in pairwise(starts) if rows else ():
        while start < end:
            cut = best_cut(lines.text, sizes, [], start, end, target)
            leaves.append(Leaf(start, cut))
            start = cut
    return leaves


def _room(table: _Table, text: str, sizes: Sizes, start: int, target: float) -> float:
    """The context wants its place too, but not that of a row which fits without it."""
    row_end = text.find("\n", start, table.end) + 1 or table.end
    return max(target - table.context_size, min(target, sizes.between(start, row_end)))


def _context(solids: list[Solid], start: int, end: int) -> str:
    """What the first table of a leaf needs, and does not find in the leaf itself, to be understood."""
    table = next_of(solids, start)
    if not isinstance(table, _Table) or table.start >= end:
        return ""
    caption = table.caption if table.caption_start < start else ""
    header = table.header if table.start < start else ""
    return "\n".join(part for part in (caption, header) if part)


def _solids(text: str, sizes: Sizes, start: int, end: int, target: float) -> Iterator[Solid]:
    while match := _SOLID_BEGINS.search(text, start, end):
        if match["fence"]:
            stop = _after(_BLANK_LINES, text, _fence_end(text, match, end), end)
            yield Solid(match.start(), stop)
        else:
            stop = _after(_BLANK_LINES, text, _after(_ROWS, text, match.start(), end), end)
            yield _table(text, sizes, start, (match.start(), stop), target)
        start = stop


def _after(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    match = pattern.match(text, start, end)
    return match.end() if match else start


def _fence_end(text: str, opening: re.Match[str], end: int) -> int:
    """Behind the line that closes a fence: of the same sign, and as many of them at least. Else it goes to the end."""
    for closing in _FENCE_ENDS.finditer(text, opening.end(), end):
        if closing[1].startswith(opening["fence"]):
            return min(closing.end() + 1, end)
    return end


def _table(text: str, sizes: Sizes, above: int, span: tuple[int, int], target: float) -> _Table:
    """`above` is where the text before the table begins. Of the header and the caption a quarter each is kept."""
    start, end = span
    header_end = sizes.reach(start, target / 4, start + len(_header(text[start:end])))
    caption_start, caption_end = _caption(text, sizes, above, start, target / 4)
    caption_size = sizes.between(caption_start, caption_end)
    return _Table(
        start=start,
        end=end,
        header=text[start:header_end].strip(),
        caption=text[caption_start:caption_end],
        caption_start=caption_start,
        context_size=caption_size + sizes.between(start, header_end),
    )


def _header(table: str) -> str:
    """The lines above the rule, or else the first one."""
    beginning = table.split("\n", _HEADER_LINES_MAX + 1)[: _HEADER_LINES_MAX + 1]
    rules = (number for number, line in enumerate(beginning) if "-" in line and set(line) <= _RULE_CHARACTERS)
    return "\n".join(beginning[: next(rules, 0) or 1])


def _caption(text: str, sizes: Sizes, start: int, end: int, size: float) -> tuple[int, int]:
    """The paragraph just above, or its last sentence where it is long."""
    end = start + len(text[start:end].rstrip())
    start = max((match.end() for match in PARAGRAPH.finditer(text, start, end)), default=start)
    start += len(text[start:end]) - len(text[start:end].lstrip())
    if sizes.between(start, end) > size:
        start = max((match.end() for match in SENTENCE.finditer(text, start, end) if match.end() < end), default=start)
    return start, sizes.reach(start, size, end) if start < end else end
