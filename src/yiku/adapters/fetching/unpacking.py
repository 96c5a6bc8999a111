"""How is an answer read that comes compressed though it was asked for plain, when it may be a bomb?

In pieces of bounded size: each can be counted before the next is made.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

from yiku.model.errors import DocumentUnreadable

_PIECE_BYTES = 256 * 1024
"""About a millisecond of work: others have their turn on the event loop in between."""
_PLAIN = ("", "identity")
_DEFLATED = ("gzip", "x-gzip", "deflate")
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class Unpacking(Protocol):
    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        """What a chunk of the answer holds. Raises `DocumentUnreadable` when it is damaged."""
        ...

    def rest(self) -> bytes:
        """What was held back until the answer ended, some hundred bytes. Raises `DocumentUnreadable` if it was cut."""
        ...


def unpacking(encoding: str) -> Unpacking:
    """For an answer with this `Content-Encoding`. Raises `DocumentUnreadable` for one that cannot be unpacked."""
    wanted = encoding.strip().lower()
    if wanted in _PLAIN:
        return _Plain()
    if wanted in _DEFLATED:
        return _Deflated()
    raise DocumentUnreadable(
        "The server sends the file compressed in a way that is not known here, though it was asked for it plain.",
        reason="unsupported",
    )


class _Plain:
    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        yield chunk

    def rest(self) -> bytes:
        return b""


class _Deflated:
    """One or several members, one after the other, as gzip allows."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._is_between = True

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        while chunk:
            if self._is_between:
                chunk = chunk.lstrip(b"\0")  # Padding behind a member.
                self._is_between = not chunk
                continue
            try:
                yield self._member.decompress(chunk, _PIECE_BYTES)
            except zlib.error as error:
                raise _damaged() from error
            chunk = self._member.unconsumed_tail
            if self._member.eof:
                chunk = self._member.unused_data
                self._member, self._is_between = zlib.decompressobj(_GZIP_OR_ZLIB), True

    def rest(self) -> bytes:
        if self._is_between:
            return b""
        rest = self._member.flush()
        if not self._member.eof:
            raise _damaged()
        return rest


def _damaged() -> DocumentUnreadable:
    return DocumentUnreadable("The server sent the file damaged: its compression is broken.", reason="corrupt")
