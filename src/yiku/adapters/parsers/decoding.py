"""Which characters do these bytes stand for?

In this order: a byte order mark; what the file says of itself, unless the bytes contradict; UTF-8; UTF-16 by its zero
bytes; and then the encodings of the Chinese, Japanese, Korean and Western past, each of which is tried and judged by
the text that it makes. The whole content is judged, never its first bytes: one é may stand at the very end.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from yiku.adapters.parsers.frequency import share_of_letters, weight

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""UTF-32 before UTF-16: the mark of the one begins with that of the other."""

_CODECS = {"gb18030": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc-kr": "cp949", "cp1252": "cp1252"}
"""Our name for an encoding → the widest codec of that family. The first wins where two readings are equally good."""

_FAMILIES = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
    "big5hkscs": "big5",
    "cp950": "big5",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "euc_kr": "euc-kr",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    # A declaration that could be read as ASCII cannot stand in a UTF-16 file.
    "utf-16": "utf-8",
    "utf-8-sig": "utf-8",
}
"""What a declaration says → what is meant by it in practice: programs say `gb2312` and write characters of GBK."""

_DECLARED = re.compile(
    rb"""<meta\b[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})|^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{2,40})""",
    re.I,
)
_DECLARED_WITHIN = 4_096
_CUT_BYTES_MAX = 3
_BROKEN_SHARE_MAX = 0.05
_JUDGED_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """`replaced` says that some bytes stood for no character, and U+FFFD stands in their place."""

    text: str
    encoding: str
    replaced: bool = False


def decode(content: bytes, *, hint: str | None = None) -> Decoded:
    """The text of these bytes. `hint` is what the file, or the letter that it came with, says of its encoding."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _replacing(content[len(mark) :], encoding)
    utf8 = _utf8(content)
    if b"\0" in content and (utf16 := _utf16(content, utf8)):
        return utf16
    declared = _declared(content, hint)
    if declared and (utf8 is None or _reads_better(declared, utf8, content)):
        return declared
    if utf8 is not None:
        return utf8
    return _judged(content) or _mostly_utf8(content) or _replacing(content, "gb18030")


def declared_encoding(content: bytes) -> str | None:
    """What an HTML or XML file says of its own encoding."""
    found = _DECLARED.search(content[:_DECLARED_WITHIN])
    return (found[1] or found[2]).decode("ascii") if found else None


def _utf8(content: bytes) -> Decoded | None:
    """A character cut at the very end, as a copy that was broken off leaves it, is no reason to think of others."""
    try:
        return Decoded(content.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data" or len(content) - error.start > _CUT_BYTES_MAX or not error.start:
            return None
        before = content[: error.start]
        # é at the end of a Western text looks like the beginning of a longer character: only a text that has whole
        # ones shows that it is UTF-8.
        return None if before.isascii() else _replacing(content, "utf-8")


def _utf16(content: bytes, utf8: Decoded | None) -> Decoded | None:
    """Zero bytes at every second place are those of Latin letters, blanks and line ends."""
    even, odd = content[::2].count(0), content[1::2].count(0)
    if max(even, odd) < 10 * min(even, odd):
        return None
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    found = _strictly(content[: len(content) // 2 * 2], encoding, encoding)
    if found is None or (utf8 and share_of_letters(found.text) <= share_of_letters(utf8.text)):
        return None
    return Decoded(found.text, encoding, replaced=len(content) % 2 == 1)


def _declared(content: bytes, hint: str | None) -> Decoded | None:
    if hint is None:
        return None
    try:
        known = codecs.lookup(hint.strip()).name
        family = _FAMILIES.get(known, known)
        return _strictly(content, family, _CODECS.get(family, family))
    except LookupError:
        return None


def _strictly(content: bytes, name: str, codec: str) -> Decoded | None:
    """None where a byte stands for nothing, and where the codec makes no text at all (`hex`, `zip`)."""
    try:
        return Decoded(content.decode(codec), name)
    except UnicodeError:
        return None


def _reads_better(one: Decoded, other: Decoded, content: bytes) -> bool:
    """Bytes that are valid UTF-8 rarely are anything else, whatever an old template says in its head."""
    if content.isascii() or one.encoding == other.encoding:
        return True
    return _weight(one, content) > _weight(other, content)


def _judged(content: bytes) -> Decoded | None:
    """The reading in which the most characters are common ones."""
    readings = [found for name, codec in _CODECS.items() if (found := _cut_or_strictly(content, name, codec))]
    readings += [found for name in ("utf-16-le", "utf-16-be") if (found := _strictly(content, name, name))]
    best = max(readings, key=lambda reading: _weight(reading, content), default=None)
    return best if best and _weight(best, content) > 0 else None


def _cut_or_strictly(content: bytes, name: str, codec: str) -> Decoded | None:
    try:
        return Decoded(content.decode(codec), name)
    except UnicodeDecodeError as error:
        if error.start < len(content) - _CUT_BYTES_MAX or error.start < len(content) // 2:
            return None
        return _replacing(content, name)


def _mostly_utf8(content: bytes) -> Decoded | None:
    found = _replacing(content, "utf-8")
    characters = sum(1 for character in found.text if character > "\x7f")
    broken = found.text.count("\ufffd")
    return found if broken <= characters * _BROKEN_SHARE_MAX else None


def _replacing(content: bytes, encoding: str) -> Decoded:
    text = content.decode(_CODECS.get(encoding, encoding), "replace")
    return Decoded(text, encoding, replaced="\ufffd" in text)


def _weight(reading: Decoded, content: bytes) -> float:
    """By the byte, so that an encoding of one byte a character does not win by making more characters."""
    return weight(reading.text, reading.encoding, _JUDGED_CHARACTERS) / max(1, len(content))
