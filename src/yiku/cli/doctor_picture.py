"""A picture in which the doctor has two letters read: nobody knows otherwise whether an installed recogniser works."""

from __future__ import annotations

import struct
import zlib

WORD = "OK"
_LETTERS = (
    "###.#..#",
    "#.#.#.#.",
    "#.#.##..",
    "#.#.#.#.",
    "###.#..#",
)
_MARGIN = 4
_DOT_PIXELS = 12
"""Large enough to be seen, and small enough to take a second with the loading of the models."""


def picture() -> bytes:
    """A PNG, black on white."""
    width, margin = len(_LETTERS[0]) + 2 * _MARGIN, "." * _MARGIN
    blank = ["." * width] * _MARGIN
    rows = [*blank, *(f"{margin}{row}{margin}" for row in _LETTERS), *blank]
    lines = b"".join(_line(row) * _DOT_PIXELS for row in rows)
    head = struct.pack(">IIBBBBB", width * _DOT_PIXELS, len(rows) * _DOT_PIXELS, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines)) + _chunk(b"IEND", b"")


def _line(row: str) -> bytes:
    """Every line of a PNG begins with how it was filtered: not at all."""
    return b"\0" + b"".join((b"\0" if dot == "#" else b"\xff") * _DOT_PIXELS for dot in row)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
