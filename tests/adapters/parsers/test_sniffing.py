"""Content tells the format; the name helps only where content cannot."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.parsers.case_files import case_file
from yiku.adapters.parsers.sniffing import format_of, is_text
from yiku.model.errors import DocumentUnreadable

BINARY = bytes(range(256)) * 8


def packed(**members: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return written.getvalue()


OFFICE = {"[Content_Types].xml": b"<Types/>"}


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (b"%PDF-1.7\n", "a.docx", "pdf"),
        (b"\xef\xbb\xbf\r\n%PDF-1.7\n", "a.txt", "pdf"),
        (packed(**OFFICE, **{"word/document.xml": b""}), "a.pdf", "docx"),
        (packed(**OFFICE, **{"ppt/presentation.xml": b""}), "a.zip", "pptx"),
        (packed(**OFFICE, **{"xl/workbook.xml": b""}), "", "xlsx"),
        (packed(mimetype=b"application/epub+zip"), "a.zip", "epub"),
        (packed(mimetype=b"application/vnd.oasis.opendocument.text"), "a", "odt"),
        (packed(**{"word/notes.txt": b"x"}), "a.docx", "zip"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a.txt", "image"),
        (b"BM" + BINARY, "a", "image"),
        (b"BM is two letters", "a.txt", "text"),
        (b"MZ is two letters too", "a.txt", "text"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "a", "image"),
        (b"<!-- made by hand -->\n<!DOCTYPE html><p>x", "a.txt", "html"),
        ("\ufeff<html><table>".encode("utf-16-le"), "a.xls", "html"),
        (b"<table><tr><td>1</td></tr></table>", "a.xls", "html"),
        (b"<p>a fragment</p>", "a.htm", "html"),
        (b"<div align=center>\n\n# Title\n", "README.md", "markdown"),
        (b"a\tb\n1\t2\n", "a.xls", "csv"),
        ("列,值\n一,二\n".encode("gbk"), "a.csv", "csv"),
        (b'{"a": 1}\n{"a": 2}\n', "a.json", "jsonl"),
        (b'{"a": [1,\n2]}', "a.json", "json"),
        (b'{"a": 1}', "unnamed", "json"),
        (b'{"a": 1}', "a.txt", "text"),
        (b'{"a": 1}\nnot json\n', "a.jsonl", "jsonl"),
        (b"From: a@b\r\nTo: c@d\r\nSubject: x\r\n\r\nFrom me", "mail", "eml"),
        (b"From: a@b\n\nhello", "a.eml", "eml"),
        (b"From: a\nTo: b\nDate: c\n\nA story", "a.txt", "text"),
        ("设计".encode("gbk"), "a", "text"),
        ("設計".encode("big5"), "a", "text"),
        ("設計".encode("shift_jis"), "a", "text"),
        ("设计说明\n第一章 A\n".encode("utf-16-le"), "a.txt", "text"),
        ("design notes".encode("utf-16-be"), "a.txt", "text"),
        (b"def f():\n    return 1\n", "a.py", "text"),
    ],
)
def test_the_format_is_told(content: bytes, name: str, expected: str) -> None:
    assert format_of(content, name) == expected


@pytest.mark.parametrize(
    ("content", "name", "reason", "said"),
    [
        (b"", "a.docx", "empty", "no bytes"),
        (b"\x7fELF\x02\x01", "a.txt", "unsupported", "a program"),
        (b"MZ" + BINARY, "a.pdf", "unsupported", "a program"),
        (b"ID3\x04\0", "a.mp3", "unsupported", "audio"),
        (b"{\\rtf1 hello}", "a.doc", "unsupported", "Rich Text"),
        (b"Rar!\x1a\x07", "a.zip", "unsupported", "only ZIP"),
        (BINARY, "a.csv", "unsupported", "unknown format"),
        (packed(**OFFICE, **{"visio/document.xml": b""}), "a.vsdx", "unsupported", "save it as DOCX"),
        (packed(mimetype=b"application/vnd.oasis.opendocument.spreadsheet"), "a.ods", "unsupported", "XLSX"),
        (packed(**OFFICE, **{"word/document.xml": b"x" * 500})[:300], "a.docx", "corrupt", "cut off"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 30, "a.doc", "corrupt", "directory"),
    ],
)
def test_what_cannot_be_read_says_why(content: bytes, name: str, reason: str, said: str) -> None:
    with pytest.raises(DocumentUnreadable, match=said) as refused:
        format_of(content, name)
    assert refused.value.reason == reason


def compound(*names: str) -> bytes:
    """An OLE file of a header, an allocation table and a directory whose root has one child with neighbours."""
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".ljust(30, b"\0") + (9).to_bytes(2, "little")
    header = header.ljust(48, b"\0") + (1).to_bytes(4, "little")
    header = header.ljust(76, b"\0") + (0).to_bytes(4, "little")
    table = b"\xfd\xff\xff\xff\xfe\xff\xff\xff"
    nobody = b"\xff" * 4
    directory = "Root".encode("utf-16-le").ljust(64, b"\0") + (10).to_bytes(2, "little") + b"\5\1" + nobody * 2
    directory += (1).to_bytes(4, "little")
    for place, name in enumerate(names, 1):
        following = (place + 1).to_bytes(4, "little") if place < len(names) else nobody
        entry = name.encode("utf-16-le").ljust(64, b"\0") + (2 * len(name) + 2).to_bytes(2, "little") + b"\2\1"
        directory = directory.ljust(128 * place, b"\0") + entry + nobody + following + nobody
    return header.ljust(512, b"\xff") + table.ljust(512, b"\xff") + directory.ljust(512, b"\0")


def test_old_office_files_are_told_apart_by_their_directory() -> None:
    assert format_of(compound("Workbook", "Other"), "a.doc") == "xls"
    assert format_of(compound("Other", "WordDocument"), "a.xls") == "doc"


def test_an_encrypted_office_file_names_the_password() -> None:
    with pytest.raises(DocumentUnreadable, match="password") as refused:
        format_of(compound("EncryptionInfo", "EncryptedPackage"), "a.xlsx")
    assert refused.value.reason == "password"


def test_a_real_sheet_of_old_excel_is_xls() -> None:
    assert format_of(case_file("xls_legacy.xls"), "a") == "xls"


@settings(max_examples=200)
@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"])), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_whatever_people_write_is_text_in_unicode(text: str, encoding: str) -> None:
    assert is_text(text.encode(encoding))


@settings(max_examples=200)
@given(st.binary(min_size=1))
def test_any_bytes_have_a_format_or_a_reason(content: bytes) -> None:
    try:
        assert format_of(content, "file")
    except DocumentUnreadable as problem:
        assert problem.reason in {"unsupported", "corrupt", "password"}
