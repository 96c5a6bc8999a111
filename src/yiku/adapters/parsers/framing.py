"""How do parent and child speak? A JSON line that says what follows, and the bytes that follow it.

The child has read somebody else's bytes, so its answer is checked like any input: types, sizes, order of lines. Text
and members travel beside the JSON and not inside it; pickle never.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import Cell, Heading, Member, ParsedDocument, ParsedTable

REASONS = ("password", "scan", "empty", "corrupt", "too_large", "too_slow", "unsupported", "refused", "missing")
_MESSAGE_CHARACTERS_MAX = 2_000
_NOT_TEXT = re.compile("[\r\0]")


class Malformed(Exception):
    """The other side does not speak as agreed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What the child is asked. `layout` is False in the second try with a PDF whose layout brought a child down."""

    content: bytes
    name: str
    ocr: bool
    seconds: float
    ocr_seconds: float
    layout: bool


def question_bytes(question: Question) -> bytes:
    header = {
        "name": question.name,
        "ocr": question.ocr,
        "seconds": question.seconds,
        "ocr_seconds": question.ocr_seconds,
        "layout": question.layout,
    }
    return _framed(header, (question.content,))


def question_of(data: bytes) -> Question:
    header, content = _unframed(data)
    return Question(content=content, **header)


def document_bytes(document: ParsedDocument) -> bytes:
    text = document.text.encode()
    header = {
        "format": document.format,
        "text_bytes": len(text),
        "title": document.title,
        "headings": [[heading.line, heading.level, heading.title] for heading in document.headings],
        "page_lines": document.page_lines,
        "lines_are_rows": document.lines_are_rows,
        "tables": [
            {
                "name": table.name,
                "columns": table.columns,
                "rows": [[_sent(cell) for cell in row] for row in table.rows],
            }
            for table in document.tables
        ],
        "members": [[member.name, len(member.content)] for member in document.members],
        "encoding": document.encoding,
        "read_by_ocr": document.read_by_ocr,
        "notices": document.notices,
    }
    return _framed(header, (text, *(member.content for member in document.members)))


def unreadable_bytes(problem: DocumentUnreadable) -> bytes:
    return _framed({"unreadable": [problem.reason, problem.message]}, ())


def document_of(data: bytes) -> ParsedDocument:
    """Raises the `DocumentUnreadable` that the child reports, and `Malformed` when it is no answer at all."""
    header, rest = _unframed(data)
    if "unreadable" in header:
        raise _reported(header["unreadable"])
    text_bytes = _number(header, "text_bytes")
    try:
        text = rest[:text_bytes].decode()
    except UnicodeDecodeError as error:
        raise Malformed("text that is not UTF-8") from error
    _check(len(rest) >= text_bytes and not _NOT_TEXT.search(text) and bool(text.strip()), "text")
    lines = text.count("\n") + 1
    return ParsedDocument(
        format=_words(header, "format"),
        text=text,
        title=_words_or_none(header, "title"),
        headings=_headings(_list(header, "headings"), lines),
        page_lines=_ascending(_list(header, "page_lines"), lines),
        lines_are_rows=header.get("lines_are_rows") is True,
        tables=tuple(_table(table) for table in _list(header, "tables")),
        members=_members(_list(header, "members"), rest[text_bytes:]),
        encoding=_words_or_none(header, "encoding"),
        read_by_ocr=tuple(_whole(page) for page in _list(header, "read_by_ocr")),
        notices=tuple(_text(notice) for notice in _list(header, "notices")),
    )


def _framed(header: dict[str, Any], parts: Sequence[bytes]) -> bytes:
    return b"\n".join((json.dumps(header, allow_nan=False).encode(), b"".join(parts)))


def _unframed(data: bytes) -> tuple[dict[str, Any], bytes]:
    line, _, rest = data.partition(b"\n")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Malformed("no JSON in front") from error
    _check(isinstance(header, dict), "header")
    return header, rest


def _reported(found: Any) -> DocumentUnreadable:
    _check(isinstance(found, list) and len(found) == 2, "unreadable")
    reason, message = _text(found[0]), _text(found[1])
    _check(reason in REASONS, "reason")
    return DocumentUnreadable(message[:_MESSAGE_CHARACTERS_MAX], reason=reason)


def _headings(found: list[Any], lines: int) -> tuple[Heading, ...]:
    _check(all(isinstance(entry, list) and len(entry) == 3 for entry in found), "headings")
    headings = tuple(Heading(_whole(line), _whole(level), _text(title)) for line, level, title in found)
    numbers = _ascending([heading.line for heading in headings], lines)
    _check(len(set(numbers)) == len(numbers), "second heading on a line")
    _check(all(heading.level >= 1 and heading.title and "\n" not in heading.title for heading in headings), "headings")
    return headings


def _ascending(found: list[Any], lines: int) -> tuple[int, ...]:
    numbers = tuple(_whole(number) for number in found)
    _check(all(1 <= number <= lines for number in numbers), "line numbers")
    _check(all(earlier <= later for earlier, later in pairwise(numbers)), "order of lines")
    return numbers


def _table(found: Any) -> ParsedTable:
    _check(isinstance(found, dict), "table")
    columns = tuple(_text(name) for name in _list(found, "columns"))
    _check(len(set(columns)) == len(columns), "columns")
    rows = []
    for row in _list(found, "rows"):
        _check(isinstance(row, list) and len(row) == len(columns), "rows")
        rows.append(tuple(_cell(cell) for cell in row))
    return ParsedTable(_words(found, "name"), columns, tuple(rows))


def _members(found: list[Any], content: bytes) -> tuple[Member, ...]:
    members, start = [], 0
    for entry in found:
        _check(isinstance(entry, list) and len(entry) == 2, "members")
        name, size = _text(entry[0]), _whole(entry[1])
        parts = name.split("/")
        _check(not {"", ".", ".."} & set(parts), "names of members")
        members.append(Member(name, content[start : start + size]))
        start += size
    _check(start == len(content), "sizes of members")
    return tuple(members)


def _sent(cell: Cell) -> Cell:
    """JSON has no word for infinity, and neither has SQL."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _cell(found: Any) -> Cell:
    _check(found is None or (isinstance(found, str | int | float) and not isinstance(found, bool)), "cells")
    return _text(found) if isinstance(found, str) else found


def _text(found: Any) -> str:
    _check(isinstance(found, str) and not any("\ud800" <= character <= "\udfff" for character in found), "text")
    return found  # type: ignore[no-any-return]


def _words(found: dict[str, Any], name: str) -> str:
    words = _text(found.get(name))
    _check(bool(words), name)
    return words


def _words_or_none(found: dict[str, Any], name: str) -> str | None:
    return None if found.get(name) is None else _text(found[name])


def _whole(found: Any) -> int:
    _check(type(found) is int and found >= 0, "numbers")
    return found  # type: ignore[no-any-return]


def _number(found: dict[str, Any], name: str) -> int:
    return _whole(found.get(name))


def _list(found: dict[str, Any], name: str) -> list[Any]:
    _check(isinstance(found.get(name), list), name)
    return found[name]  # type: ignore[no-any-return]


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise Malformed(f"unexpected {what}")
