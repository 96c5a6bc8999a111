"""What may stand in the text of a document?

Lines end at `\\r\\n`, at a lone `\\r` and at `\\n`, and nowhere else: a form feed, a vertical tab or U+2028 is a
character like any other, so that search, grep and read count the same lines.
"""

from __future__ import annotations

import re

from yiku.model.errors import DocumentUnreadable

_LINE_ENDS = re.compile(r"\r\n?")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
"""NUL and what drives terminals; the byte order mark, which says nothing once the text is decoded."""
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")
REPLACEMENT = "\ufffd"


def normalised(text: str) -> str:
    """The same text by the rule of `ParsedDocument`. Doing it twice changes nothing."""
    if text.isprintable():
        # The text of nearly every cell of a table, of which there may be millions.
        return text
    text = _LINE_ENDS.sub("\n", text)
    return _SURROGATES.sub(REPLACEMENT, _CONTROLS.sub("", text))


def as_lines(text: str) -> str:
    """Normalised, and without the line end after the last line: it would count as one more line, with nothing on it."""
    return normalised(text).removesuffix("\n")


def on_one_line(text: str) -> str:
    """Normalised, with every run of blanks and line ends as one blank: what a title or a cell becomes."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", normalised(text)).strip()


def says_something(text: str, *, otherwise: str) -> str:
    """The text, unless there is nothing in it to read."""
    if not text.strip().strip(REPLACEMENT):
        raise DocumentUnreadable(otherwise, reason="empty")
    return text
