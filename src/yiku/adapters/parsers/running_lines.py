"""Which lines are on most pages? Running headers and footers say nothing of the page they stand on, and are dropped."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from yiku.adapters.parsers.pdf_pages import Line

_EDGE_LINES = 3
"""How far from the top and from the bottom of a page they may be."""
_PAGES_MIN = 3
_SHARE = 0.5
_CHARACTERS_MAX = 200
_NUMBER = re.compile(r"\d+")
_NUMBERS_MAX = 9


def without_running_lines(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """Lines that stand near the edge of most pages, alike but for a number that counts with the pages."""
    if len(pages) < _PAGES_MIN:
        return list(pages)
    running = _running(pages)
    kept = [_kept(lines, number, running) for number, lines in enumerate(pages)]
    # Of slides that all say the same, that is what they say.
    return kept if any(kept) else list(pages)


def _kept(lines: list[Line], number: int, running: set[tuple[str, tuple[int, ...]]]) -> list[Line]:
    edge = _edge(lines)
    return [line for place, line in enumerate(lines) if place not in edge or not _forms(line, number) & running]


def _running(pages: Sequence[list[Line]]) -> set[tuple[str, tuple[int, ...]]]:
    counted: Counter[tuple[str, tuple[int, ...]]] = Counter()
    seen: defaultdict[tuple[str, tuple[int, ...]], int] = defaultdict(lambda: -1)
    for number, lines in enumerate(pages):
        for place in _edge(lines):
            for form in _forms(lines[place], number):
                if seen[form] != number:
                    seen[form] = number
                    counted[form] += 1
    with_text = sum(bool(lines) for lines in pages)
    enough = max(_PAGES_MIN, with_text * _SHARE)
    return {form for form, count in counted.items() if count >= enough}


def _edge(lines: list[Line]) -> set[int]:
    count = len(lines)
    near = {*range(min(_EDGE_LINES, count)), *range(max(0, count - _EDGE_LINES), count)}
    return {place for place in near if not lines[place].is_table}


def _forms(line: Line, number: int) -> set[tuple[str, tuple[int, ...]]]:
    """A line as it is, and with its numbers counted from the page: "3" on page 3 and "4" on page 4 have one form."""
    text = " ".join(line.text.split())
    if not text or len(text) > _CHARACTERS_MAX:
        return set()
    numbers = _NUMBER.findall(text)
    forms: set[tuple[str, tuple[int, ...]]] = set()
    if any(character.isalpha() for character in text):
        forms.add((text, ()))
    if numbers and len(numbers) <= _NUMBERS_MAX and all(len(found) <= _NUMBERS_MAX for found in numbers):
        template = _NUMBER.sub("#", text)
        values = [int(found) for found in numbers]
        # Either number may be that of the page: "3 / 22", "Report 2018, page 3".
        for counting in range(len(values)):
            if 0 <= values[counting] - number <= 10_000:
                rest = tuple(v - number if i == counting else v for i, v in enumerate(values))
                forms.add((f"{template}@{counting}", rest))
    return forms
