"""What do the lines of an export say? One JSON object a line, each with its own checksum.

The first line is the `export` (format, origin), the last the `end` (counts, SHA-256 of all before it). Between them
stand `record` lines, `again` lines (a record that changed while the export ran: it takes the place of the earlier one)
and `gone` lines (one that was deleted meanwhile).
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite, isinf
from typing import Any, NoReturn
from zlib import crc32

import numpy as np

from yiku.model.conditions import INTEGER_MAX, INTEGER_MIN, Fields
from yiku.model.errors import InvalidInput
from yiku.model.records import Embedding, Record
from yiku.model.times import format_timestamp

FORMAT = 1
EXPORT, RECORD, AGAIN, GONE, END = "export", "record", "again", "gone", "end"
"""The kinds of lines."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Made once: the one that `json.dumps` makes for each call costs as much as a record."""
_DIGITS_MAX = 20
_CHECKSUM_BYTES = len(b',"crc32":"00000000"}')
_ESCAPES = re.compile(rb"(?<!\\)(?:\\\\)*\\u(?:0000|[dD][89a-fA-F])")
"""Characters that no store can hold (NUL, lone surrogates) can only come in as escapes, and we write none. Behind a
backslash of its own, as in a path or in JSON that somebody quotes, it is text like any other."""


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if isinf(number):
        raise InvalidInput("it holds a number that cannot be stored")
    return number


def _within_64_bits(digits: str) -> int:
    if len(digits) > _DIGITS_MAX or not INTEGER_MIN <= (number := int(digits)) <= INTEGER_MAX:
        raise InvalidInput("it holds a number that cannot be stored")
    return number


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite, parse_int=_within_64_bits)
"""Made once, as the encoder."""


def line_of(kind: str, content: Mapping[str, Any]) -> bytes:
    """The line, with its end."""
    start = _ENCODER.encode({kind: content})[:-1].encode()
    return b'%s,"crc32":"%08x"}\n' % (start, crc32(start))


def content_of(line: bytes) -> tuple[str, dict[str, Any]]:
    """Kind and content of a line. `InvalidInput` says what is wrong with it, but not where it stands."""
    line = line.rstrip(b"\r\n")
    start, checksum = line[:-_CHECKSUM_BYTES], line[-_CHECKSUM_BYTES:]
    try:
        parsed = _DECODER.decode(line.decode())
        del parsed["crc32"]
        [(kind, content)] = parsed.items()
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise InvalidInput("it is no line of a Yiku export") from error
    if not isinstance(content, dict) or checksum != b',"crc32":"%08x"}' % crc32(start):
        raise InvalidInput("it was changed after the export: its checksum does not fit")
    if b"\\u" in line and _ESCAPES.search(line):
        raise InvalidInput("it holds characters that cannot be stored")
    return kind, content


def record_content(owner: str, record: Record, *, with_vector: bool) -> dict[str, Any]:
    content: dict[str, Any] = {
        "owner": owner,
        "kind": record.kind,
        "id": record.id,
        "version": record.version,
        "created": format_timestamp(record.created),
        "updated": format_timestamp(record.updated),
        "body": record.body,
    }
    if record.unique_key is not None:
        content["key"] = record.unique_key
    if record.expires is not None:
        content["expires"] = format_timestamp(record.expires)
    if record.text is not None:
        content["text"] = record.text
    if record.fields:
        content["fields"] = record.fields
    if with_vector and record.embedding is not None:
        half = record.embedding.values.astype(np.float16).tobytes()
        content["vector"] = {"model": record.embedding.model, "float16": b64encode(half).decode()}
    return content


def parts_of(content: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The owner, and of what a `Record` is to be made.

    The version is left out: the store that takes the record in counts its own.
    """
    try:
        parts = {
            "kind": _text(content["kind"]),
            "id": _text(content["id"]),
            "body": _object(content["body"]),
            "created": _moment(content["created"]),
            "updated": _moment(content["updated"]),
            "fields": _fields(_object(content.get("fields", {}))),
            "unique_key": _text(content["key"]) if "key" in content else None,
            "text": _text(content["text"]) if "text" in content else None,
            "embedding": _embedding(_object(content["vector"])) if "vector" in content else None,
            "expires": _moment(content["expires"]) if "expires" in content else None,
        }
        return _text(content["owner"]), parts
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("its record is not complete") from error


def _moment(text: str) -> datetime:
    """A moment that every store can hold: with a zone, and within the years that there are in UTC."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("no zone")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("no year") from error


def _embedding(vector: Mapping[str, Any]) -> Embedding:
    values = np.frombuffer(b64decode(vector["float16"], validate=True), np.float16).astype(np.float32)
    # The sum of squares is finite when they all are: half the cost of looking at each.
    if not len(values) or not isfinite(values.dot(values)):
        raise ValueError("no vector")
    return Embedding(_text(vector["model"]), values)


def _fields(stored: Mapping[str, Any]) -> Fields:
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()}
    for value in fields.values():
        for held in value if isinstance(value, tuple) else (value,):
            if isinstance(held, list | dict):
                raise TypeError("no field")
    return fields


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("no object")
    return value
