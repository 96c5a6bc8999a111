"""What is a fetched file called? What its server says, or else the end of its address; never a path.

Servers write names in many ways: `filename*` of RFC 5987 counts before `filename`, in which percent-encoding, raw UTF-8
and raw GB 18030 are met with too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import unquote, unquote_to_bytes

import httpx

UNNAMED = "document"

_HEADER_BYTES_MAX = 4_096
_NAME_CHARACTERS_MAX = 150
_PARAMETER = re.compile(r';\s*(filename\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))', re.IGNORECASE)
_NOT_IN_A_NAME = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, and those that turn the direction of writing: `cod.exe` must not look like `exe.doc`."""


def name_of(headers: httpx.Headers, *, asked: httpx.URL, answered: httpx.URL) -> str:
    """The name that the headers give. Of the addresses, one that ends like a file (`.pdf`) is the better name."""
    ends = [_last_segment(answered), _last_segment(asked)]
    ends.sort(key=lambda name: not PurePosixPath(name).suffix)
    return next((name for name in (*_said(headers), *ends) if name), UNNAMED)


def plain_name(text: str) -> str:
    """The text as the name of a file without a folder; empty where nothing is left."""
    last = re.split(r"[/\\]", _NOT_IN_A_NAME.sub("", text).rstrip("/\\"))[-1].strip()
    if not last.strip("."):
        return ""
    if len(last) <= _NAME_CHARACTERS_MAX:
        return last
    suffix = PurePosixPath(last).suffix
    return last[: _NAME_CHARACTERS_MAX - len(suffix)] + suffix if len(suffix) < 16 else last[:_NAME_CHARACTERS_MAX]


def _last_segment(url: httpx.URL) -> str:
    return plain_name(_decoded(unquote_to_bytes(url.raw_path.partition(b"?")[0].rpartition(b"/")[2])))


def _said(headers: httpx.Headers) -> Iterable[str]:
    header = next((value for name, value in headers.raw if name.lower() == b"content-disposition"), b"")
    # Some leave out the kind of disposition that stands before the first semicolon.
    text = ";" + _decoded(header[:_HEADER_BYTES_MAX])
    found: dict[str, str] = {}
    for name, quoted, token in _PARAMETER.findall(text):
        found.setdefault(name.lower(), re.sub(r'\\(["\\])', r"\1", quoted) or token.strip())
    yield plain_name(_extended(found.get("filename*", "")))
    yield plain_name(_unquoted(found.get("filename", "")))


def _extended(value: str) -> str:
    """`UTF-8'zh'%E6%96%87.pdf` → `文.pdf`."""
    charset, first, rest = value.partition("'")
    _language, second, encoded = rest.partition("'")
    if not (first and second):
        return _unquoted(value)
    try:
        return unquote_to_bytes(encoded).decode(charset)
    except (LookupError, UnicodeError):
        return _unquoted(encoded)


def _unquoted(value: str) -> str:
    """Percent-encoding taken away where it is one: `100%.pdf` is a name as it stands."""
    try:
        return unquote(value, errors="strict")
    except UnicodeDecodeError:
        return value


def _decoded(raw: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")
