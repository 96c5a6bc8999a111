"""What a parser makes of a file: one normalised text, and where its parts stand in it.

Everything that is said of the text is said in its lines, which are counted from 1: search, grep, read, contents and
citations all speak of the same lines.
"""

from __future__ import annotations

from dataclasses import dataclass

Cell = str | int | float | None
"""A value of a table: numbers as numbers, dates as ISO text."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A title and the line it stands on. `level` begins at 1 and may skip; `title` is one line without markup."""

    line: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class ParsedTable:
    """A sheet or a CSV file. Names of columns are unique and never blank; each row has as many cells as `columns`."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive, under the name it has there (with `/` between folders; never absolute, never `..`)."""

    name: str
    content: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedDocument:
    """A file as text.

    `text` has `\\n` between its lines, and no other line end, NUL or lone surrogate; it says something. `format` is a
    short name: pdf, docx, pptx, xlsx, xls, csv, html, epub, eml, markdown, text, json, jsonl, image, zip.
    `headings` ascend by line. `page_lines[i]` is the line on which page (or slide) `i + 1` begins; empty where the
    format has no pages. With `lines_are_rows` every line that is no heading is a row of a table or a record, and
    belongs to nobody but itself. `notices` say what a person should know: rows that did not fit, characters that were
    replaced, pages without text.
    """

    format: str
    text: str
    title: str | None = None
    headings: tuple[Heading, ...] = ()
    page_lines: tuple[int, ...] = ()
    lines_are_rows: bool = False
    tables: tuple[ParsedTable, ...] = ()
    members: tuple[Member, ...] = ()
    """Of an archive, each to become a document of its own; its `text` lists them, and those refused with the reason."""
    encoding: str | None = None
    read_by_ocr: tuple[int, ...] = ()
    """Pages whose text was read from their image."""
    notices: tuple[str, ...] = ()
