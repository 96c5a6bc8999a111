"""How does a document that is no text become lines, with its headings on exactly those lines?

Readers of formats with markup write what they find into a `Composition`, block by block; it counts the lines.
"""

from __future__ import annotations

from collections.abc import Sequence

from yiku.adapters.parsers.normalised import normalised, on_one_line
from yiku.model.parsed import Heading

_LEVELS_MAX = 6


class Composition:
    """Markdown, near enough for a person or a model to read: nobody parses it again."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._headings: list[Heading] = []
        self._page_lines: list[int] = []

    def heading(self, level: int, title: str) -> None:
        title = on_one_line(title)
        if not title:
            return
        level = min(max(level, 1), _LEVELS_MAX)
        self._begin_block()
        self._lines.append(f"{'#' * level} {title}")
        self._headings.append(Heading(len(self._lines), level, title))

    def block(self, text: str) -> None:
        """Lines that belong together, apart from what stands before."""
        text = normalised(text).strip("\n").rstrip()
        if text.strip():
            self._begin_block()
            self._lines += [line.rstrip() for line in text.split("\n")]

    def line(self, text: str) -> None:
        """One more line of the block before, like the next item of a list."""
        text = " ".join(normalised(text).rstrip().split("\n"))
        if text.strip():
            self._lines.append(text)

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """As Markdown has it, the first row for a head. A table of one cell only places what stands in it."""
        cells = [[on_one_line(cell).replace("|", "\\|") for cell in row] for row in rows]
        cells = [row for row in cells if any(row)]
        width = max(map(len, cells), default=0)
        if width < 2:
            self.block("\n".join(row[0] for row in cells if row))
            return
        lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in cells]
        self.block("\n".join([lines[0], "|" + " --- |" * width, *lines[1:]]))

    def page(self) -> None:
        """What comes next stands on a new page, which begins with a line of its own."""
        if self._lines:
            self._lines.append("")
        self._page_lines.append(len(self._lines) + 1)

    def append(self, other: Composition) -> None:
        """All of another one, apart from what stands before."""
        if other.text:
            self._begin_block()
            offset = len(self._lines)
            self._lines += other.text.split("\n")
            self._headings += [Heading(title.line + offset, title.level, title.title) for title in other.headings]

    @property
    def text(self) -> str:
        return "\n".join(self._lines).rstrip()

    @property
    def headings(self) -> tuple[Heading, ...]:
        return tuple(self._headings)

    @property
    def page_lines(self) -> tuple[int, ...]:
        """Pages at the end that have nothing on them begin on the last line there is."""
        last = self.text.count("\n") + 1
        return tuple(min(line, last) for line in self._page_lines)

    def _begin_block(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")
