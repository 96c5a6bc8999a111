"""How far is long work? One line on standard error that changes; in a file or a pipe, lines that stay."""

from __future__ import annotations

import sys


class Progress:
    """Silent when told so."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._logged = not quiet and not self._shown
        self._width = 0

    def show(self, text: str) -> None:
        """Put `text` in the place of what was shown before, on a terminal."""
        if self._shown:
            print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def log(self, text: str) -> None:
        """A line about what is over, for who reads a file later; a terminal has shown it already."""
        if self._logged:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        self.show("")
        if self._shown:
            print("\r", end="", file=sys.stderr, flush=True)
