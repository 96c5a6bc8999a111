"""On which lines does a pattern stand, with what around them? And what stands on these lines?

A text comes in its parts of whole lines, one at a time, so that a long one is never in memory as a whole; what stands
around a match may be in the parts before and after. Pure, and for a thread: megabytes are not for the event loop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from yiku.ports.patterns import Pattern

LINE_CHARACTERS_MAX = 2_000
"""Of a longer line a window is shown: whole books stand on one line."""
COUNT_MAX = 10_000
"""Who has more matches than this needs another pattern, not a number."""
SHOWN_CHARACTERS_MAX = 1_000_000
"""Of all matches with what is around them; those after it are counted only."""
_BEFORE_MATCH = 500
"""Characters of the window that stand before the match."""

Part = tuple[int, str]
"""The number of its first line, and whole lines with their line ends."""


@dataclass(frozen=True, slots=True)
class GrepMatch:
    """`context` are the lines around it, its own included. `column`, from 1, is where the match begins in the whole
    line, of which `line` is a window if `is_cut`."""

    line_number: int
    line: str
    context: tuple[str, ...]
    column: int
    is_cut: bool


@dataclass(frozen=True, slots=True)
class GrepResult:
    """`total` counts the lines that match, also those not shown; `is_cut` says that it was not counted to the end."""

    matches: tuple[GrepMatch, ...]
    total: int
    is_cut: bool


@dataclass(frozen=True, slots=True)
class LinesRead:
    """Without the last line end. `end_line` is before `start_line` where nothing stands. `is_cut`: one line alone was
    longer than what was asked for, and this is its beginning."""

    content: str
    start_line: int
    end_line: int
    total_lines: int
    has_more: bool
    is_cut: bool = False


def grep(
    parts: Iterable[Part], pattern: Pattern, *, context: int, limit: int, count_max: int = COUNT_MAX
) -> GrepResult:
    search = Grep(pattern, context=context, limit=limit, count_max=count_max)
    for first_line, text in parts:
        search.take(first_line, text)
        if search.is_done:
            break
    return search.result()


class Grep:
    """Takes the parts of a text in their order; `is_done` says that the rest would change nothing."""

    def __init__(self, pattern: Pattern, *, context: int, limit: int, count_max: int = COUNT_MAX) -> None:
        self._pattern = pattern
        self._context = context
        self._limit = limit
        self._count_max = count_max
        self._before: deque[str] = deque(maxlen=context)
        """The last lines of the parts that were taken."""
        self._found: list[_Found] = []
        self._shown = 0
        self._total = 0
        self._is_cut = False

    @property
    def is_done(self) -> bool:
        return self._is_cut and not self._open()

    def take(self, first_line: int, text: str) -> None:
        if not text:
            return
        body = text.removesuffix("\n")
        lines = body.split("\n")
        self._complete(lines)
        if not self._is_cut:
            self._search(first_line, lines, body.encode())
        if self._context:
            self._before.extend(_shortened(line) for line in lines[-self._context :])

    def result(self) -> GrepResult:
        return GrepResult(tuple(found.match() for found in self._found), self._total, self._is_cut)

    def _search(self, first_line: int, lines: list[str], content: bytes) -> None:
        for place in self._pattern.lines_with(content):
            if self._total == self._count_max:
                self._is_cut = True
                return
            self._total += 1
            if len(self._found) < self._limit and self._shown < SHOWN_CHARACTERS_MAX:
                self._show(first_line + place, lines, place)

    def _show(self, number: int, lines: list[str], place: int) -> None:
        line, column = lines[place], self._column(lines[place])
        window = _window(line, column)
        before = [_shortened(text) for text in lines[max(place - self._context, 0) : place]]
        missing = self._context - len(before)
        if missing:
            before = [*list(self._before)[-missing:], *before]
        after = [_shortened(text) for text in lines[place + 1 : place + 1 + self._context]]
        self._found.append(_Found(number, window, column, len(window) < len(line), [*before, window, *after], after))
        self._shown += sum(map(len, self._found[-1].context))

    def _column(self, line: str) -> int:
        content = line.encode()
        start, _ = next(self._pattern.matches(content), (0, 0))
        return len(content[:start].decode()) + 1

    def _complete(self, lines: list[str]) -> None:
        """What stands after the last matches of the parts before."""
        for found in self._open():
            more = [_shortened(line) for line in lines[: self._context - len(found.after)]]
            found.context += more
            found.after += more

    def _open(self) -> list[_Found]:
        return [found for found in self._found[-self._context :] if len(found.after) < self._context]


@dataclass(slots=True)
class _Found:
    number: int
    line: str
    column: int
    is_cut: bool
    context: list[str]
    after: list[str]

    def match(self) -> GrepMatch:
        return GrepMatch(self.number, self.line, tuple(self.context), self.column, self.is_cut)


def read_lines(
    parts: Iterable[Part], *, offset: int, limit: int, characters_max: int, total_lines: int | None = None
) -> LinesRead:
    """At most `limit` lines from number `offset` on, and no more of them than fit into `characters_max`.

    Whoever knows `total_lines` may leave out the parts before and after; else they are counted.
    """
    taken: list[str] = []
    size = last_line = 0
    is_full = is_cut = False
    for first_line, text in parts:
        lines = text.removesuffix("\n").split("\n") if text else []
        last_line = first_line + len(lines) - 1
        for line in lines[max(offset - first_line, 0) :]:
            is_full = is_full or len(taken) == limit or (bool(taken) and size + len(line) + 1 > characters_max)
            if is_full:
                break
            is_cut = len(line) > characters_max
            taken.append(line[:characters_max])
            size += len(line) + 1
        if is_full and total_lines is not None:
            break
    total = last_line if total_lines is None else total_lines
    end = offset + len(taken) - 1
    return LinesRead("\n".join(taken), offset, end, total, has_more=end < total and bool(taken), is_cut=is_cut)


def _shortened(line: str) -> str:
    return line[:LINE_CHARACTERS_MAX]


def _window(line: str, column: int) -> str:
    if len(line) <= LINE_CHARACTERS_MAX:
        return line
    start = min(max(column - 1 - _BEFORE_MATCH, 0), len(line) - LINE_CHARACTERS_MAX)
    return line[start : start + LINE_CHARACTERS_MAX]
