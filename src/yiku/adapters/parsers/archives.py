"""What is in a ZIP archive? Its members, each to become a document of its own, and those refused with the reason.

Nothing is written to disk, and what a member claims of its size is only believed as far as it helps to refuse it.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator

from yiku.adapters.parsers.sniffing import format_of
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import Member, ParsedDocument

MEMBERS_MAX = 1_000
MEMBER_BYTES_MAX = 100 * 1024 * 1024
TOTAL_BYTES_MAX = 200 * 1024 * 1024
_RATIO_MAX = 200
_RATIO_FROM_BYTES = 10 * 1024 * 1024
"""Small members may be compressed as well as they like."""
_LISTED_MAX = 2_000
_NAME_CHARACTERS_MAX = 1_000
_IS_UTF8 = 0x800
_IS_ENCRYPTED = 0x1
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_DRIVE = re.compile(r"[A-Za-z]:")
_LEFTOVERS = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)", re.I)
"""What operating systems leave in archives: nobody misses it."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError)


class _Refused(Exception):
    """A member that is not taken; says why."""


def read(content: bytes, name: str) -> ParsedDocument:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (*_BROKEN, NotImplementedError) as error:
        raise DocumentUnreadable(
            "This archive is damaged or was cut off: pack it anew and upload it again.", reason="corrupt"
        ) from error
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        members, listed = _taken(archive, entries)
    if not listed:
        raise DocumentUnreadable("There are no files in this archive.", reason="empty")
    if not members:
        raise DocumentUnreadable(
            f"Nothing in this archive can be taken in: {'; '.join(listed[:10])}.", reason="refused"
        )
    refused = len(listed) - len(members)
    notices = (f"{refused} files of this archive were not taken in; its text names them.",) if refused else ()
    return ParsedDocument(format="zip", text="\n".join(listed), members=tuple(members), notices=notices)


def _taken(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> tuple[list[Member], list[str]]:
    members: list[Member] = []
    listed: list[str] = []
    names: set[str] = set()
    left = TOTAL_BYTES_MAX
    for entry, written in _named(entries):
        try:
            name = _safe_name(written)
            if name in names:
                raise _Refused("another file of this archive has the same name")
            if len(members) == MEMBERS_MAX:
                raise _Refused(f"at most {MEMBERS_MAX} files are taken from one archive")
            content = _content(archive, entry, left)
            _check_format(content, name)
        except _Refused as reason:
            listed.append(f"{_shown(written)} — not taken: {reason}")
            continue
        names.add(name)
        left -= len(content)
        members.append(Member(name, content))
        listed.append(f"{name} ({len(content)} bytes)")
    if len(listed) > _LISTED_MAX:
        listed = [*listed[:_LISTED_MAX], f"… and {len(listed) - _LISTED_MAX} more, not taken"]
    return members, listed


def _named(entries: list[zipfile.ZipInfo]) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    for entry in entries:
        written = _name_of(entry)
        if not _LEFTOVERS.search(written):
            yield entry, written


def _name_of(entry: zipfile.ZipInfo) -> str:
    """Programs that do not say UTF-8 write whatever their system has: in China, GBK."""
    if entry.flag_bits & _IS_UTF8:
        return entry.filename
    try:
        raw = entry.filename.encode("cp437")
    except UnicodeEncodeError:
        return entry.filename
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return entry.filename


def _safe_name(written: str) -> str:
    name = written.replace("\\", "/")
    if name.startswith("/") or _DRIVE.match(name):
        raise _Refused("its name is an absolute path")
    parts: list[str] = []
    for part in name.split("/"):
        if part == "..":
            if not parts:
                raise _Refused("its name leads out of the archive")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if not parts or len(name) > _NAME_CHARACTERS_MAX or _CONTROLS.search(name):
        raise _Refused("its name is none that a file can have")
    return "/".join(parts)


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise _Refused("it is a link")
    if entry.flag_bits & _IS_ENCRYPTED:
        raise _Refused("it is protected by a password")
    if entry.file_size > MEMBER_BYTES_MAX:
        raise _Refused(f"it is larger than {MEMBER_BYTES_MAX} bytes")
    if entry.file_size > left:
        raise _Refused(f"the archive holds more than {TOTAL_BYTES_MAX} bytes")
    if entry.file_size > max(_RATIO_FROM_BYTES, entry.compress_size * _RATIO_MAX):
        raise _Refused("it is compressed so much that it can only be meant to do harm")
    try:
        with archive.open(entry) as member:
            content = member.read(entry.file_size + 1)
    except NotImplementedError as error:
        raise _Refused("it is compressed in a way that is not known here") from error
    except (*_BROKEN, RuntimeError) as error:
        raise _Refused("it is damaged") from error
    if len(content) > entry.file_size:
        raise _Refused("it is larger than the archive says")
    return content


def _check_format(content: bytes, name: str) -> None:
    try:
        is_archive = format_of(content, name) == "zip"
    except DocumentUnreadable as problem:
        raise _Refused(problem.message.rstrip(".")) from problem
    if is_archive:
        raise _Refused("an archive inside an archive is not opened")


def _shown(name: str) -> str:
    """On one line, whatever stands in it."""
    shown = _CONTROLS.sub("?", name)
    return shown if len(shown) <= _NAME_CHARACTERS_MAX else f"{shown[:_NAME_CHARACTERS_MAX]}…"
