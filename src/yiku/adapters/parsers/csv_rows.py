"""Which rows are in a CSV file, whatever stands between its cells?

Every row is kept. A quoted line end stays inside its row; a row with more or fewer cells is reported, and so is a quote
that nobody closed, which would otherwise swallow the rest of the file.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from pathlib import PurePosixPath

from yiku.adapters.parsers.decoding import decode
from yiku.adapters.parsers.normalised import as_lines, says_something
from yiku.adapters.parsers.plain_text import notices_of
from yiku.adapters.parsers.tables import Laid, laid_out
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_CHARACTERS = 64_000
_SAMPLE_ROWS = 100
_CELL_CHARACTERS_MAX = 64_000_000
_NAMED_ROWS_MAX = 10
_SAID = re.compile(r"sep=(.)\n")
"""What Excel writes into the first line to say which delimiter follows."""


def read(content: bytes, name: str) -> ParsedDocument:
    decoded = decode(content)
    text = says_something(as_lines(decoded.text), otherwise=f"{name} is empty: there is nothing to read in it.")
    rows, remarks = _rows(text)
    laid = laid_out(PurePosixPath(name).stem or name, rows)
    if laid is None:
        raise DocumentUnreadable(f"{name} has rows, but nothing is written in any of their cells.", reason="empty")
    return ParsedDocument(
        format="csv",
        text="\n".join((*laid.above, *laid.lines)),
        lines_are_rows=True,
        tables=(laid.table,),
        encoding=decoded.encoding,
        notices=(*notices_of(decoded), *remarks, *_odd_rows(laid)),
    )


def _odd_rows(laid: Laid) -> tuple[str, ...]:
    """Which lines of the text have more or fewer cells than the first row of the file."""
    said = []
    for kind, places in (("more", laid.longer), ("fewer", laid.shorter)):
        if places:
            lines = ", ".join(str(len(laid.above) + place + 1) for place in places[:_NAMED_ROWS_MAX])
            more = " and others" if len(places) > _NAMED_ROWS_MAX else ""
            said.append(f"{len(places)} rows have {kind} cells than the first row: lines {lines}{more}. All are kept.")
    return tuple(said)


def _rows(text: str) -> tuple[list[list[str]], list[str]]:
    csv.field_size_limit(_CELL_CHARACTERS_MAX)
    said = _SAID.match(text)
    if said:
        text = text[said.end() :]
    delimiter = said[1] if said else _delimiter(text)
    try:
        return list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)), []
    except csv.Error as error:
        if "unexpected end" not in str(error):
            return list(csv.reader(io.StringIO(text), delimiter=delimiter)), []
    rows = list(csv.reader(io.StringIO(text), delimiter=delimiter, quoting=csv.QUOTE_NONE))
    return rows, ["A quote is opened and never closed: quotes were read as characters like any other."]


def _delimiter(text: str) -> str:
    """The one that divides the most rows into equally many cells, more than one; of equals, into more cells."""
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > len(sample) and "\n" in sample:
        sample = sample[: sample.rindex("\n")]
    return max(_DELIMITERS, key=lambda delimiter: _evenness(sample, delimiter))


def _evenness(sample: str, delimiter: str) -> tuple[float, int]:
    rows = csv.reader(io.StringIO(sample), delimiter=delimiter)
    widths = [len(row) for row, _ in zip(rows, range(_SAMPLE_ROWS), strict=False) if row]
    if not widths:
        return (0.0, 0)
    width, count = Counter(widths).most_common(1)[0]
    return (count / len(widths), width) if width > 1 else (0.0, 0)
