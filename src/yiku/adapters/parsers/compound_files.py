"""What is in an OLE compound file, the container of the old Office formats? The names that stand at its top.

Only the directory is read; what is embedded deeper (a sheet in a letter) does not count.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_END = 0xFFFFFFFA
"""Sector numbers from here on have special meanings: the end of a chain, unused."""
_ENTRY_BYTES = 128
_ENTRIES_MAX = 100_000
_NOBODY = 0xFFFFFFFF


def top_names(content: bytes) -> set[str]:
    """Empty when the directory cannot be followed."""
    try:
        directory = _directory(content)
        return {_name(directory, entry) for entry in _top_entries(directory)}
    except (struct.error, IndexError):
        return set()


def _directory(content: bytes) -> bytes:
    sector_bytes = 1 << min(struct.unpack_from("<H", content, 30)[0], 16)
    first = struct.unpack_from("<I", content, 48)[0]
    allocation = _allocation(content, sector_bytes)
    sectors: list[bytes] = []
    sector, seen = first, set[int]()
    while sector < _END and sector not in seen and len(sectors) * sector_bytes < _ENTRIES_MAX * _ENTRY_BYTES:
        seen.add(sector)
        sectors.append(_sector(content, sector, sector_bytes))
        sector = allocation[sector]
    return b"".join(sectors)


def _allocation(content: bytes, sector_bytes: int) -> list[int]:
    """The next sector of each sector, as far as the table in the header goes: 7 MB of a file and more, and the
    directory usually stands near its end or its start."""
    table: list[int] = []
    for place in struct.unpack_from("<109I", content, 76):
        if place >= _END:
            break
        part = _sector(content, place, sector_bytes)
        table += struct.unpack(f"<{len(part) // 4}I", part[: len(part) // 4 * 4])
    return table


def _sector(content: bytes, number: int, sector_bytes: int) -> bytes:
    start = (number + 1) * sector_bytes
    return content[start : start + sector_bytes]


def _top_entries(directory: bytes) -> Iterator[int]:
    """The root is entry 0, its children a binary tree: each names a left and a right neighbour."""
    waiting, seen = [struct.unpack_from("<I", directory, 76)[0]], set()
    while waiting:
        entry = waiting.pop()
        if entry == _NOBODY or entry in seen or (entry + 1) * _ENTRY_BYTES > len(directory):
            continue
        seen.add(entry)
        yield entry
        waiting += struct.unpack_from("<2I", directory, entry * _ENTRY_BYTES + 68)


def _name(directory: bytes, entry: int) -> str:
    start = entry * _ENTRY_BYTES
    length = struct.unpack_from("<H", directory, start + 64)[0]
    return directory[start : start + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
