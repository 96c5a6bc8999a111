"""What does a document of Word 97 to 2003 say?

Its text lies in pieces, some of one byte a character and some of two, in whatever order it was edited in; a table says
which comes when. Kreuzberg reads Chinese ones as if a character were one byte, so this is our own. Styles are not
read: the only titles are those that a text file would have.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from yiku.adapters.parsers.compound_streams import CompoundFile, Malformed
from yiku.adapters.parsers.normalised import as_lines, says_something
from yiku.adapters.parsers.plain_text import headings_of
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument

_MAGIC = 0xA5EC
_FLAGS_AT, _CHARACTERS_AT, _PIECES_AT = 0x0A, 0x4C, 0x1A2
"""Of the file information block: flags, the length of the main text, where the table of pieces is."""
_IS_ENCRYPTED, _IS_IN_TABLE_1 = 0x0100, 0x0200
_PIECES, _PROPERTIES = 2, 1
_ONE_BYTE = 0x40000000
_FIELD_CODE = re.compile(r"\x13[^\x13\x14\x15]{0,4000}\x14|[\x13\x14\x15]")
"""What a field is computed from, HYPERLINK or PAGEREF; its result stays."""
_MEANT = str.maketrans({"\x0b": "\n", "\x0c": "\n", "\x1e": "-", "\x1f": None, "\x01": None, "\x08": None})


def read(content: bytes, name: str) -> ParsedDocument:
    try:
        written = _main_text(content, name)
    except (Malformed, struct.error) as error:
        message = f"{name} is damaged and cannot be opened. Save it again and send that."
        raise DocumentUnreadable(message, reason="corrupt") from error
    text = says_something(
        as_lines(_readable(written)).strip("\n"), otherwise=f"{name} is empty: there is no text in it."
    )
    return ParsedDocument(format="doc", text=text, headings=headings_of(text))


def _main_text(content: bytes, name: str) -> str:
    """Without footnotes, headers and comments, which follow it."""
    file = CompoundFile(content)
    document = file.stream("WordDocument")
    magic, flags = struct.unpack_from("<H", document)[0], struct.unpack_from("<H", document, _FLAGS_AT)[0]
    if magic != _MAGIC:
        raise Malformed
    if flags & _IS_ENCRYPTED:
        message = f"{name} is protected with a password: save it without one and send it again."
        raise DocumentUnreadable(message, reason="password")
    table = file.stream("1Table" if flags & _IS_IN_TABLE_1 else "0Table")
    start, length = struct.unpack_from("<II", document, _PIECES_AT)
    characters = struct.unpack_from("<I", document, _CHARACTERS_AT)[0]
    return "".join(_pieces(document, _piece_table(table[start : start + length])))[:characters]


def _piece_table(described: bytes) -> bytes:
    """It stands behind any number of lists of properties."""
    at = 0
    while at < len(described) and described[at] == _PROPERTIES:
        at += 3 + struct.unpack_from("<H", described, at + 1)[0]
    if at >= len(described) or described[at] != _PIECES:
        raise Malformed
    return described[at + 5 : at + 5 + struct.unpack_from("<I", described, at + 1)[0]]


def _pieces(document: bytes, table: bytes) -> Iterator[str]:
    count = (len(table) - 4) // 12
    bounds = struct.unpack_from(f"<{count + 1}I", table)
    left = len(document)
    for piece in range(count):
        place = struct.unpack_from("<I", table, 4 * (count + 1) + 8 * piece + 2)[0]
        # Pieces that overlap could repeat one another: together they are no longer than the stream.
        characters = min(max(0, bounds[piece + 1] - bounds[piece]), left)
        left -= characters
        if place & _ONE_BYTE:
            start = (place & ~_ONE_BYTE) // 2
            yield document[start : start + characters].decode("cp1252", "replace")
        else:
            yield document[place : place + 2 * characters].decode("utf-16-le", "replace")


def _readable(written: str) -> str:
    """Cells end with a mark and rows with one more; a row becomes a line."""
    text = _FIELD_CODE.sub("", written).replace("\x07\x07", "\n").replace("\x07", " | ")
    return text.translate(_MEANT)
