"""One line on standard error that tells how far long work is."""

from __future__ import annotations

import sys


class Progress:
    """Silent where nobody watches: when told so, and when standard error is no terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._width = 0

    def show(self, text: str) -> None:
        """Put `text` in the place of what was shown before."""
        if self._shown:
            print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def clear(self) -> None:
        self.show("")
        if self._shown:
            print("\r", end="", file=sys.stderr, flush=True)
