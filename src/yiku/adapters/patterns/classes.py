"""What does a class such as `[^\\w一-龥]` hold? It is read as Python does and written as RE2 wants it."""

from __future__ import annotations

import re

from yiku.adapters.patterns.escapes import code_range, escape_at, negated_set
from yiku.adapters.patterns.refusal import refused

MARKS = r"\x{fdd0}\x{fdd1}"
"""Of word boundaries: characters that no text has and nothing negated may find."""
_BACKSPACE = 8
_POSIX = re.compile(r"\[:\^?[a-z]+:\]")

Item = int | str
"""One character, or several as RE2 writes them."""


def negated(several: str) -> str:
    return f"[^{several}{MARKS}]"


def class_at(pattern: str, at: int) -> tuple[str, int]:
    """The class whose bracket stands at `at`, and where it ends."""
    start = at + 2 if pattern.startswith("[^", at) else at + 1
    content, end = _content(pattern, start)
    return (negated(content) if start == at + 2 else f"[{content}]"), end


def _content(pattern: str, start: int) -> tuple[str, int]:
    pieces: list[str] = []
    at = start
    # A bracket that comes first does not close.
    while at == start or not pattern.startswith("]", at):
        first, at = _item(pattern, at)
        last: Item = first
        if isinstance(first, int) and pattern.startswith("-", at) and not pattern.startswith("-]", at):
            last, at = _item(pattern, at + 1)
        pieces.append(_written(first, last))
    return "".join(pieces), at + 1


def _item(pattern: str, at: int) -> tuple[Item, int]:
    if at >= len(pattern):
        raise refused(r"has a '[' that is never closed: write \[ to find a bracket")
    if posix := _POSIX.match(pattern, at):
        return posix[0], posix.end()
    if pattern[at] != "\\":
        return ord(pattern[at]), at + 1
    if pattern.startswith("b", at + 1):
        return _BACKSPACE, at + 2
    escape = escape_at(pattern, at)
    if escape.code is not None:
        return escape.code, escape.end
    return (negated_set(escape) if escape.is_negated else escape.several), escape.end


def _written(first: Item, last: Item) -> str:
    if isinstance(first, str):
        return first
    if isinstance(last, str) or last < first:
        raise refused("has a range within brackets that does not ascend, such as z-a: put the lower end first")
    return code_range(first, last)
