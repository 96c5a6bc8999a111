"""What is in a stream of an OLE compound file, the container of the old Office formats?

A file system in a file: sectors in chains, a directory, and a second, finer division for short streams. Every chain is
followed only as far as the file is long, whatever it claims.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

_SPECIAL = 0xFFFFFFFA
"""Sector numbers from here on are no sectors: the end of a chain, unused."""
_ENTRY_BYTES = 128
_SHORT_BELOW = 4_096
_SHORT_SECTOR_BYTES = 64
_ROOT, _STREAM = 5, 2


class Malformed(Exception):
    """The file is not laid out as a compound file has to be."""


class CompoundFile:
    def __init__(self, content: bytes) -> None:
        try:
            self._content = content
            self._sector_bytes = 1 << min(struct.unpack_from("<H", content, 30)[0], 16)
            self._next = self._allocation()
            directory = b"".join(self._chain(struct.unpack_from("<I", content, 48)[0]))
            self._entries = list(_entries(directory))
            shorts = b"".join(self._chain(struct.unpack_from("<I", content, 60)[0]))
        except struct.error as error:
            raise Malformed from error
        self._next_short = _numbers(shorts)
        root = next((entry for entry in self._entries if entry[1] == _ROOT), None)
        self._short_sectors = b"".join(self._chain(root[2])) if root else b""

    def stream(self, name: str) -> bytes:
        """The bytes of the stream with this name, the first if several folders have one."""
        for found, kind, first, size in self._entries:
            if kind == _STREAM and found == name:
                chain = self._chain(first) if size >= _SHORT_BELOW else self._short_chain(first)
                return b"".join(chain)[:size]
        raise Malformed

    def _allocation(self) -> list[int]:
        """The sector that follows each. Where the table itself lies is said in the header, for large files in a chain
        of sectors more."""
        places = list(struct.unpack_from("<109I", self._content, 76))
        more = struct.unpack_from("<I", self._content, 68)[0]
        for _ in range(len(self._content) // self._sector_bytes):
            if more >= _SPECIAL:
                break
            numbers = _numbers(self._sector(more))
            if not numbers:
                break
            places += numbers[:-1]
            more = numbers[-1]
        return [number for place in places if place < _SPECIAL for number in _numbers(self._sector(place))]

    def _chain(self, first: int) -> Iterator[bytes]:
        return (self._sector(number) for number in _followed(self._next, first))

    def _short_chain(self, first: int) -> Iterator[bytes]:
        for number in _followed(self._next_short, first):
            start = number * _SHORT_SECTOR_BYTES
            yield self._short_sectors[start : start + _SHORT_SECTOR_BYTES]

    def _sector(self, number: int) -> bytes:
        start = (number + 1) * self._sector_bytes
        return self._content[start : start + self._sector_bytes]


def _followed(following: Sequence[int], first: int) -> Iterator[int]:
    """A chain that bites its own tail is as long as there are sectors, and no longer."""
    number = first
    for _ in range(len(following)):
        if number >= len(following):
            return
        yield number
        number = following[number]


def _numbers(sector: bytes) -> tuple[int, ...]:
    return struct.unpack_from(f"<{len(sector) // 4}I", sector)


def _entries(directory: bytes) -> Iterator[tuple[str, int, int, int]]:
    """Name, kind, first sector and size of all that the file holds."""
    for start in range(0, len(directory) - _ENTRY_BYTES + 1, _ENTRY_BYTES):
        length, kind = struct.unpack_from("<HB", directory, start + 64)
        first, size = struct.unpack_from("<II", directory, start + 116)
        yield directory[start : start + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace"), kind, first, size
