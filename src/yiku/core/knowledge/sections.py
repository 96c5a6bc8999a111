"""Which sections does a text have, and which stand in which?

A section goes from its heading to the line before the next heading of the same or a higher rank, so it holds its
subsections; what stands directly in it ends at the next heading of any rank. Ranks may be skipped: a third-level
heading below a first-level one is its child.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yiku.core.knowledge.lines import Lines
from yiku.model.parsed import Heading

_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """Lines are counted from 1, ends are included. Nothing stands directly in a section whose `body_end` is before its
    `body_start`. `parent` is the place of the section around it in the list of all.
    """

    title: str
    level: int
    path: tuple[str, ...]
    occurrence: int
    """How many sections of the same title stand before it in the same parent."""
    parent: int | None
    start_line: int
    body_start: int
    body_end: int
    end_line: int


def sections_of(headings: Sequence[Heading], lines: Lines) -> tuple[Section, ...]:
    """In the order of the text, so parents come before their children."""
    known = list(_on_lines_of_their_own(headings, lines.count))
    ends = _ends(known, lines.count)
    parents = _parents(known)
    paths: list[tuple[str, ...]] = []
    seen: Counter[tuple[int | None, str]] = Counter()
    sections = []
    for number, (heading, parent) in enumerate(zip(known, parents, strict=True)):
        paths.append((*paths[parent], heading.title) if parent is not None else (heading.title,))
        next_line = known[number + 1].line if number + 1 < len(known) else lines.count + 1
        section = Section(
            title=heading.title,
            level=heading.level,
            path=paths[number],
            occurrence=seen[parent, heading.title],
            parent=parent,
            start_line=heading.line,
            body_start=min(_line_below(heading, lines), next_line),
            body_end=next_line - 1,
            end_line=ends[number],
        )
        seen[parent, heading.title] += 1
        sections.append(section)
    return tuple(sections)


def _on_lines_of_their_own(headings: Sequence[Heading], last_line: int) -> Iterator[Heading]:
    """Of two headings on one line the first counts: a section has at least that line to itself."""
    line = 0
    for heading in headings:
        if line < heading.line <= last_line:
            yield heading
            line = heading.line


def _parents(headings: Sequence[Heading]) -> list[int | None]:
    parents: list[int | None] = []
    open_sections: list[int] = []
    for number, heading in enumerate(headings):
        while open_sections and headings[open_sections[-1]].level >= heading.level:
            open_sections.pop()
        parents.append(open_sections[-1] if open_sections else None)
        open_sections.append(number)
    return parents


def _ends(headings: Sequence[Heading], last_line: int) -> list[int]:
    ends = [last_line] * len(headings)
    open_sections: list[int] = []
    for number, heading in enumerate(headings):
        while open_sections and headings[open_sections[-1]].level >= heading.level:
            ends[open_sections.pop()] = heading.line - 1
        open_sections.append(number)
    return ends


def _line_below(heading: Heading, lines: Lines) -> int:
    """A line of `=` or `-` right below a title underlines it (Markdown has such headings) and is not its text."""
    below = heading.line + 1
    if below > lines.count or lines.text_of(heading.line, heading.line).lstrip().startswith("#"):
        return below
    return below + 1 if _UNDERLINE.fullmatch(lines.text_of(below, below)) else below
