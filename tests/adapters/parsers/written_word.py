"""A document of Word 97, written in a test: a compound file with a text and the table of its pieces."""

from __future__ import annotations

import struct

from yiku.adapters.parsers.compound_files import SIGNATURE

_SECTOR, _SHORT_SECTOR, _SHORT_BELOW = 512, 64, 4_096
_FREE, _END, _FAT_SECTOR = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_ONE_BYTE = 0x40000000
_TEXT_AT = 1_024


def word_97(*pieces: str | bytes, flags: int = 0) -> bytes:
    """Pieces of bytes have one byte a character. They are laid down in reverse: only their table knows the order."""
    head, places = bytearray(_TEXT_AT), []
    for piece in reversed(pieces):
        places.append(len(head) * 2 | _ONE_BYTE if isinstance(piece, bytes) else len(head))
        head += piece if isinstance(piece, bytes) else piece.encode("utf-16-le")
    bounds = [sum(map(len, pieces[:count])) for count in range(len(pieces) + 1)]
    described = struct.pack(f"<{len(bounds)}I", *bounds)
    described += b"".join(struct.pack("<HIH", 0, place, 0) for place in reversed(places))
    # A list of properties, three bytes long, stands in front.
    table = b"\1\3\0abc" + struct.pack("<BI", 2, len(described)) + described
    struct.pack_into("<H8xH", head, 0, 0xA5EC, flags)
    struct.pack_into("<I", head, 0x4C, bounds[-1])
    struct.pack_into("<II", head, 0x1A2, 0, len(table))
    return _compound(bytes(head).ljust(_SHORT_BELOW, b"\0"), table)


def _compound(document: bytes, table: bytes) -> bytes:
    """Sector 0 says which sector follows which, sector 1 is the directory, 2 the chains of short sectors, 3 those
    sectors themselves, which hold the table; then the document."""
    document = document.ljust(-(-len(document) // _SECTOR) * _SECTOR, b"\0")
    shorts = -(-len(table) // _SHORT_SECTOR)
    follows = [_FAT_SECTOR, _END, _END, _END, *range(5, 4 + len(document) // _SECTOR), _END]
    entries = [
        _entry("Root Entry", 5, 3, _SECTOR, child=1),
        _entry("0Table", 2, 0, len(table), right=2),
        _entry("WordDocument", 2, 4, len(document)),
    ]
    header = SIGNATURE + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIIII", 0, 1, 1, 0, _SHORT_BELOW, 2, 1, _END, 0, 0)
    directory = b"".join(entries).ljust(_SECTOR, b"\0")
    short_chains = _numbers([*range(1, shorts), _END])
    return (
        header.ljust(_SECTOR, b"\xff")
        + _numbers(follows)
        + directory
        + short_chains
        + table.ljust(_SECTOR, b"\0")
        + document
    )


def _numbers(numbers: list[int]) -> bytes:
    return struct.pack(f"<{_SECTOR // 4}I", *numbers, *[_FREE] * (_SECTOR // 4 - len(numbers)))


def _entry(name: str, kind: int, first: int, size: int, *, child: int = _FREE, right: int = _FREE) -> bytes:
    written = (name + "\0").encode("utf-16-le")
    shape = struct.pack("<HBBIII", len(written), kind, 1, _FREE, right, child)
    return written.ljust(64, b"\0") + shape + bytes(36) + struct.pack("<IQ", first, size)
