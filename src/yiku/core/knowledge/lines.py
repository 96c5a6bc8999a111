"""Which line does a character stand on, where does a line begin, and which page is that?

Only `\\n` ends a line: a form feed or U+2028 stands inside one. Lines are counted from 1 and keep their line ends; a
text that ends with a line end has no empty line after it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class Lines:
    """A text, and where its lines begin; `starts` has the end of the text behind them."""

    text: str
    starts: array[int]

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    def start_of(self, line: int) -> int:
        """The first character of a line. The line behind the last one begins where the text ends."""
        return self.starts[line - 1]

    def end_of(self, line: int) -> int:
        """Behind the last character of a line, its line end included."""
        return self.starts[line]

    def text_of(self, first: int, last: int) -> str:
        """Both lines included."""
        return self.text[self.start_of(first) : self.end_of(last)]

    def line_at(self, character: int) -> int:
        """The line that a character of the text stands on."""
        return bisect_right(self.starts, character, 0, self.count)


def lines_of(text: str) -> Lines:
    lengths = [len(line) + 1 for line in text.split("\n")]
    # The last piece has no line end; when it is empty it is no line.
    lengths[-1] -= 1
    if not lengths[-1]:
        lengths.pop()
    return Lines(text, array("q", accumulate(lengths, initial=0)))


def page_at(line: int, page_lines: Sequence[int]) -> int | None:
    """The page on which a line begins; None where the format has no pages.

    Of pages that begin on the same line all but the last are empty. What stands before the first one belongs to it.
    """
    return max(bisect_right(page_lines, line), 1) if page_lines else None
