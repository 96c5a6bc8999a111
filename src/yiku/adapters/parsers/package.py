"""What is in the parts of an Office file or an e-book, which is a ZIP archive of XML?

Parts are read one by one, each with a bound on what it may unpack to.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from yiku.model.errors import DocumentUnreadable

_PART_BYTES_MAX = 64 * 1024 * 1024
_TOTAL_BYTES_MAX = 256 * 1024 * 1024
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)
"""What `zipfile` raises for archives that are cut, encrypted or packed in ways it does not know."""


class Package:
    def __init__(self, content: bytes, name: str) -> None:
        self._name = name
        self._left = _TOTAL_BYTES_MAX
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except _BROKEN as error:
            raise self.broken("it is no whole ZIP archive") from error
        self.parts = frozenset(self._archive.namelist())

    def read(self, part: str) -> bytes:
        try:
            with self._archive.open(part) as opened:
                content = opened.read(min(_PART_BYTES_MAX, self._left) + 1)
        except KeyError as error:
            raise self.broken(f"its part {part} is missing") from error
        except _BROKEN as error:
            raise self.broken(f"its part {part} cannot be unpacked") from error
        self._left -= len(content)
        if len(content) > _PART_BYTES_MAX or self._left < 0:
            raise DocumentUnreadable(f"{self._name} unpacks to more than is read of one file.", reason="too_large")
        return content

    def xml(self, part: str) -> Element:
        try:
            # Entities that expand without end are refused by expat; the process around us bounds the rest.
            return ElementTree.fromstring(self.read(part))  # noqa: S314
        except ElementTree.ParseError as error:
            raise self.broken(f"its part {part} is no XML") from error

    def broken(self, why: str) -> DocumentUnreadable:
        return DocumentUnreadable(f"{self._name} is damaged: {why}. Save it again and send that.", reason="corrupt")


def beside(part: str, reference: str) -> str:
    """The part that `part` refers to."""
    target = unquote(reference.split("#")[0])
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(part), target)).lstrip("/")
