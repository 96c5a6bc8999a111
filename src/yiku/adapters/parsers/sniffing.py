"""Which format is a file? Its content decides; its name only where content cannot tell."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Collection
from unicodedata import category

from yiku.adapters.parsers import compound_files
from yiku.model.errors import DocumentUnreadable

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_PDF_WITHIN = 1_024
"""Readers accept a few bytes of rubbish in front of a PDF, and so do we."""
_HEAD_BYTES = 8_192
_JSON_BYTES_MAX = 4 * 1024 * 1024
"""A file without a telling name is tried as JSON only up to here."""

_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"BM", b"GIF87a", b"GIF89a")

_UNSUPPORTED = (
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\0asm", "a program"),
    (b"ID3", "an audio file"),
    (b"OggS", "an audio file"),
    (b"fLaC", "an audio file"),
    (b"\xff\xfb", "an audio file"),
    (b"\x1aE\xdf\xa3", "a video"),
    (b"\x1f\x8b", "a gzip archive; only ZIP archives can be read"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; only ZIP archives can be read"),
    (b"Rar!", "a RAR archive; only ZIP archives can be read"),
    (b"BZh", "a bzip2 archive; only ZIP archives can be read"),
    (b"\xfd7zXZ", "an xz archive; only ZIP archives can be read"),
    (b"SQLite format 3\0", "a database; export its tables as CSV"),
    (b"{\\rtf", "a file in Rich Text Format; save it as DOCX or PDF"),
    (b"%!PS", "a PostScript file; save it as PDF"),
)
"""How files begin that yield no text, and what a person would call them."""

_OFFICE_FOLDERS = {"word/": "docx", "ppt/": "pptx", "xl/": "xlsx"}
_MIME_TYPES = {"application/epub+zip": "epub", "application/vnd.oasis.opendocument.text": "odt"}
_ENDINGS = {
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "csv": "csv",
    "tsv": "csv",
    "md": "markdown",
    "markdown": "markdown",
    "mdx": "markdown",
    "json": "json",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "eml": "eml",
    # Tables that programs write as text and name like a sheet.
    "xls": "csv",
    "xlsx": "csv",
}
"""Text cannot tell these from each other."""

_HTML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_HTML_TABLE = re.compile(r"\s*<(?:table|meta|style|div)\b", re.I)
_MAIL_FIELD = re.compile(r"^(received|from|to|date|subject|message-id|mime-version|return-path|reply-to):", re.I | re.M)
_STRANGE = {"Cc", "Cn", "Co", "Cs"}
_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\b\x1a\x1b")) + b"\x7f"


def format_of(content: bytes, name: str) -> str:
    """Raises `DocumentUnreadable`: empty, unsupported, password, or corrupt where not even the container is whole."""
    if not content:
        raise DocumentUnreadable("This file is empty: it has no bytes at all.", reason="empty")
    if b"%PDF-" in content[:_PDF_WITHIN]:
        return "pdf"
    if content.startswith(_ZIP):
        return _zip_format(content)
    if content.startswith(compound_files.SIGNATURE):
        return _compound_format(compound_files.top_names(content))
    if _is_image(content):
        return "image"
    for beginning, what in _UNSUPPORTED:
        if content.startswith(beginning) and not (len(beginning) < 3 and is_text(content)):
            raise _unsupported(what)
    if not is_text(content):
        raise _unsupported("not a document, or one in an unknown format")
    return _text_format(content, name)


def is_text(content: bytes) -> bool:
    """In whatever encoding: without the control characters of other files, or in UTF-16."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    if content.count(0) > len(content) // 1_000 + 1:
        return _is_wide_text(content) or _is_text_with_nuls(content)
    return _is_printable(content.replace(b"\0", b""))


def _is_wide_text(content: bytes) -> bool:
    """UTF-16 without a mark has its NULs on one side of each pair of bytes, and says letters when read that way."""
    first, nuls = content[::2].count(0), content.count(0)
    if min(first, nuls - first) > nuls // 4:  # 一 has its NUL on the other side.
        return False
    encoding = "utf-16-be" if first * 2 > nuls else "utf-16-le"
    text = content[:_HEAD_BYTES].decode(encoding, "replace")
    strange = sum(category(character) in _STRANGE and character not in "\t\n\r\f" for character in text)
    return strange <= len(text) // 50 + 1


def _is_text_with_nuls(content: bytes) -> bool:
    """UTF-8 into which NULs have strayed, one by one: other files have them side by side."""
    if b"\0\0" in content or content.count(0) > len(content) // 10:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return _is_printable(content.replace(b"\0", b""))


def _is_printable(content: bytes) -> bool:
    return len(content) - len(content.translate(None, _CONTROL)) <= len(content) // 100


def _is_image(content: bytes) -> bool:
    if content.startswith(b"BM"):  # Two letters begin many a text.
        return not is_text(content)
    return content.startswith(_IMAGES) or (content[:4] == b"RIFF" and content[8:12] == b"WEBP")


def _zip_format(content: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _by_members(archive, archive.namelist())
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, EOFError) as error:
        raise DocumentUnreadable(
            "This file is damaged or was cut off: it begins like an Office file or a ZIP archive and has no end. "
            "Upload it again, or save it anew where it was made.",
            reason="corrupt",
        ) from error


def _by_members(archive: zipfile.ZipFile, names: Collection[str]) -> str:
    if "mimetype" in names:
        with archive.open("mimetype") as member:
            mime_type = member.read(200).decode("ascii", "replace").strip()
        if mime_type in _MIME_TYPES:
            return _MIME_TYPES[mime_type]
        if "opendocument" in mime_type:
            raise _unsupported("an OpenDocument sheet or presentation; save it as XLSX, PPTX or PDF")
    if "[Content_Types].xml" in names:
        for folder, office in _OFFICE_FOLDERS.items():
            if any(name.startswith(folder) for name in names):
                return office
        raise _unsupported("a file of an Office program that is not known here; save it as DOCX, XLSX, PPTX or PDF")
    return "zip"


def _compound_format(names: set[str]) -> str:
    if "EncryptedPackage" in names:
        raise DocumentUnreadable(
            "This Office file is protected by a password: save it without one and upload it again.", reason="password"
        )
    if names & {"Workbook", "Book"}:
        return "xls"
    if "WordDocument" in names:
        return "doc"
    if "PowerPoint Document" in names:
        raise _unsupported("a presentation in the old PPT format; save it as PPTX or PDF")
    if "__properties_version1.0" in names:
        raise _unsupported("a message of Outlook (MSG); save it as EML")
    if not names:
        raise DocumentUnreadable(
            "This file is damaged: it begins like an old Office file, but its directory cannot be read.",
            reason="corrupt",
        )
    raise _unsupported("a file of an Office program that is not known here; save it as DOCX, XLSX, PPTX or PDF")


def _text_format(content: bytes, name: str) -> str:
    head = _head(content)
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if _HTML.match(head) or (_ENDINGS.get(ending) == "csv" and _HTML_TABLE.match(head)):
        return "html"
    if ending == "json":
        return "json" if _is_one_value(content) else "jsonl"
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    if ending in {"txt", "text", "log"}:
        return "text"
    if len({field.lower() for field in _MAIL_FIELD.findall(head.split("\n\n")[0])}) >= 3:
        return "eml"
    if head.lstrip()[:1] in {"{", "["} and len(content) <= _JSON_BYTES_MAX and _is_json(content):
        return "json"
    return "text"


def _head(content: bytes) -> str:
    """Good enough to recognise markup, which is ASCII in all of them."""
    head = content[:_HEAD_BYTES]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", "replace")
    return head.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").decode("latin-1").replace("\r\n", "\n")


def _is_one_value(content: bytes) -> bool:
    """Whether a file named .json is that, and not a record a line. What is neither is left to its reader."""
    lines = content.strip().split(b"\n", 2)
    return len(lines) < 2 or not (_is_json(lines[0]) and _is_json(lines[1]))


def _is_json(content: bytes) -> bool:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True


def _unsupported(what: str) -> DocumentUnreadable:
    return DocumentUnreadable(f"This file cannot be read: it is {what}.", reason="unsupported")
