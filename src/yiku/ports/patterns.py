"""The patterns port: regular expressions that anybody may send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol


class Pattern(Protocol):
    def matches(self, line: bytes) -> Iterator[tuple[int, int]]:
        """Where the pattern stands in a line (UTF-8, without its line end): byte offsets, from left to right."""
        ...

    def lines_with(self, text: bytes) -> Iterator[int]:
        """Numbers, from 0, of the lines of a text (joined by `\\n`) in which the pattern stands, each once, ascending.

        The same as asking `matches` of each line, and much faster.
        """
        ...


class Patterns(Protocol):
    """**Linear time.** No pattern takes longer than a constant times the length of the text, whoever wrote it."""

    def compile(self, pattern: str, *, ignore_case: bool, literal: bool) -> Pattern:
        """Raises `InvalidInput` (field `pattern`) that says what is wrong with it and what would work."""
        ...
