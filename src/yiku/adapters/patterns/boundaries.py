"""Where do words begin and end in a line? RE2 cannot tell outside ASCII, so the line is given marks that it can match.

Words are what they are to Python's `re`: a run of Chinese characters is one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from yiku.adapters.patterns.translation import BOUNDARY, INSIDE

_MARKS_AT_ONE_PLACE_MAX = 4
"""`\\b(?:\\bAPI|接口)` takes two marks at the same place; more than a few are nobody's intention."""
_BOUNDARY = re.compile(r"\b")
_INSIDE = re.compile(r"\B")
_MARK = re.compile(f"(?:{BOUNDARY}|{INSIDE})+".encode())
_TAKEN = re.compile(f"[{BOUNDARY}{INSIDE}]")


def with_marks(line: bytes, *, count: int, insides: bool) -> bytes:
    # Whatever has our marks in it is no text by Unicode's own rules; U+FFFD is as long.
    text = _TAKEN.sub("\ufffd", line.decode("utf-8", "replace"))
    times = min(count, _MARKS_AT_ONE_PLACE_MAX)
    if not insides:
        return _BOUNDARY.sub(BOUNDARY * times, text).encode()
    places = {found.start(): BOUNDARY * times for found in _BOUNDARY.finditer(text)}
    places |= {found.start(): INSIDE * times for found in _INSIDE.finditer(text)}
    return "".join(places.get(at, "") + text[at : at + 1] for at in range(len(text) + 1)).encode()


def without_marks(marked: bytes, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The same places in the line as it was; each once, for a mark may stand there more than once."""
    seen = counted = 0
    last: tuple[int, int] | None = None
    for start, end in spans:
        counted += _unmarked(marked, seen, start)
        width = _unmarked(marked, start, end)
        if (counted, counted + width) != last:
            last = (counted, counted + width)
            yield last
        seen = end
        counted += width


def _unmarked(marked: bytes, start: int, end: int) -> int:
    return len(_MARK.sub(b"", marked[start:end]))
