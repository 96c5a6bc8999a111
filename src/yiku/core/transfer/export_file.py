"""Is a file an export, whole and unchanged, and what stands in it? Read once, from front to back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from yiku.core.transfer.lines import END, EXPORT, FORMAT, content_of
from yiku.model.errors import InvalidInput

LINE_BYTES_MAX = 512 * 2**20
"""No line of ours is longer: a document is one, and what a table of 100 megabytes says is a few times as much."""


_END_BEGINS = b'{"%s":' % END.encode()


Line = tuple[int, bytes]
"""A line between the first and the last: its number, and what stands in it. Thousands a second change processes."""


class ExportFile:
    """`lines` come with their ends, and a longer one than `line_bytes_max` in pieces that are longer too.

    `complete` once the last line was read. A file that ends without it was cut.
    """

    def __init__(self, lines: Iterable[bytes], *, line_bytes_max: int = LINE_BYTES_MAX) -> None:
        self._lines = iter(lines)
        self._line_bytes_max = line_bytes_max
        self._digest = sha256()
        self._number = 0
        self.complete = False
        line = self._line()
        kind, header = ("", {}) if line is None else self._content(line)
        self._digest.update(line or b"")
        if kind != EXPORT or not isinstance(header.get("format"), int):
            raise InvalidInput("The file does not begin like a Yiku export: for one of mem0 say --from mem0")
        if header["format"] > FORMAT:
            raise InvalidInput(
                f"The file was written by a newer Yiku ({header.get('yiku')}, format {header['format']}; this one knows"
                f" {FORMAT}): update Yiku, then import it"
            )
        self.workspace = str(header.get("workspace"))
        self.has_vectors = bool(header.get("vectors"))

    def lines(self) -> Iterator[Line]:
        """Every line between the first and the last, unread: what stands in them may be worked out elsewhere.

        `InvalidInput` names the line that is at fault.
        """
        while (line := self._line()) is not None:
            if line.startswith(_END_BEGINS):
                self._end(self._content(line)[1])
                return
            self._digest.update(line)
            yield self._number, line

    def _line(self) -> bytes | None:
        """The next line; None where the file was cut."""
        line = next(self._lines, b"")
        self._number += 1
        if len(line) > self._line_bytes_max:
            raise bad_line(self._number, f"it is longer than {self._line_bytes_max} bytes")
        return line if line.endswith(b"\n") else None

    def _content(self, line: bytes) -> tuple[str, dict[str, Any]]:
        try:
            return content_of(line)
        except InvalidInput as error:
            raise bad_line(self._number, error.message) from error

    def _end(self, content: dict[str, Any]) -> None:
        if content.get("sha256") != self._digest.hexdigest():
            raise InvalidInput(
                "Every line of the file is good, but some are missing or in another order: what it holds was imported;"
                " export again for the rest"
            )
        if next(self._lines, b""):
            raise bad_line(self._number + 1, "it stands after the end of the export")
        self.complete = True


def bad_line(number: int, reason: str) -> InvalidInput:
    return InvalidInput(
        f"Line {number} cannot be imported: {reason}. What stands before it was imported; export again, or remove the"
        " line, and run the same import again"
    )
