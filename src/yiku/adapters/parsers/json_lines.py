"""What are the records of a JSON Lines file, or of a JSON array?

One line a record, as it was written: a record is found and cited by itself. JSON that is no list of records is laid out
over lines, so that it can be read and searched.
"""

from __future__ import annotations

import json
from typing import Any

from yiku.adapters.parsers.decoding import Decoded, decode
from yiku.adapters.parsers.normalised import as_lines, on_one_line, says_something
from yiku.adapters.parsers.plain_text import notices_of
from yiku.model.parsed import ParsedDocument

_NAMED_LINES_MAX = 10
_LINES_ENDINGS = (".jsonl", ".ndjson")
_UNREADABLE = (ValueError, RecursionError)
"""`ValueError` is the mother of what `json` raises, and what a number of 5,000 digits raises."""
_NO_JSON = "This is not valid JSON ({problem}): it was read as plain text."


def read(content: bytes, name: str) -> ParsedDocument:
    decoded = decode(content)
    text = says_something(as_lines(decoded.text), otherwise=f"{name} is empty: there is nothing to read in it.")
    try:
        return _whole(json.loads(text), decoded, name)
    except _UNREADABLE as error:
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        bad = [number for number, line in enumerate(lines, 1) if not _is_record(line)]
        if len(bad) * 2 >= len(lines):
            return _plain(text, decoded, str(error) or type(error).__name__)
    return _document("jsonl", lines, decoded, _bad_lines(bad, len(lines)))


def _whole(value: Any, decoded: Decoded, name: str) -> ParsedDocument:
    """The file is one value; a JSON Lines file with one record is, too, and only its name tells."""
    if isinstance(value, list) and value and all(isinstance(record, dict) for record in value):
        return _document("json", [_compact(record) for record in value], decoded)
    if name.lower().endswith(_LINES_ENDINGS) and "\n" not in decoded.text.strip():
        return _document("jsonl", [on_one_line(decoded.text)], decoded)
    text = as_lines(json.dumps(value, ensure_ascii=False, indent=2))
    return ParsedDocument(format="json", text=text, encoding=decoded.encoding, notices=notices_of(decoded))


def _document(format: str, lines: list[str], decoded: Decoded, *notices: str) -> ParsedDocument:
    return ParsedDocument(
        format=format,
        text="\n".join(lines),
        lines_are_rows=True,
        encoding=decoded.encoding,
        notices=(*notices_of(decoded), *filter(None, notices)),
    )


def _plain(text: str, decoded: Decoded, problem: str) -> ParsedDocument:
    notices = (*notices_of(decoded), _NO_JSON.format(problem=problem))
    return ParsedDocument(format="json", text=text, encoding=decoded.encoding, notices=notices)


def _compact(record: dict[str, Any]) -> str:
    return as_lines(json.dumps(record, ensure_ascii=False))


def _is_record(line: str) -> bool:
    try:
        json.loads(line)
    except _UNREADABLE:
        return False
    return True


def _bad_lines(bad: list[int], lines: int) -> str:
    if not bad:
        return ""
    named = ", ".join(map(str, bad[:_NAMED_LINES_MAX])) + (" …" if len(bad) > _NAMED_LINES_MAX else "")
    return f"{len(bad)} of {lines} lines are not valid JSON and were kept as text: {named}."
