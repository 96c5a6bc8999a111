"""What is a fetched file called, and can the name do harm?"""

from __future__ import annotations

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yiku.adapters.fetching.file_names import name_of, plain_name

PLAIN = "http://files.example/download"


def named(disposition: bytes | str | None, url: str = PLAIN, answered: str | None = None) -> str:
    raw = disposition.encode() if isinstance(disposition, str) else disposition
    headers = httpx.Headers([] if raw is None else [(b"Content-Disposition", raw)])
    return name_of(headers, asked=httpx.URL(url), answered=httpx.URL(answered or url))


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="report.pdf"', "report.pdf"),
        ("attachment; filename=report.pdf", "report.pdf"),
        ("filename=report.pdf", "report.pdf"),
        ("attachment; filename=\"a.pdf\"; filename*=UTF-8''%E6%8A%A5%E5%91%8A.pdf", "报告.pdf"),
        ("attachment; filename*=utf-8'zh-CN'%E6%8A%A5%E5%91%8A.pdf; filename=a.pdf", "报告.pdf"),
        ("attachment; filename*=gb18030''%B1%A8%B8%E6.pdf", "报告.pdf"),
        ("attachment; filename*=no-such-charset''%E6%8A%A5%E5%91%8A.pdf", "报告.pdf"),
        ("attachment; filename*=%E6%8A%A5%E5%91%8A.pdf", "报告.pdf"),
        ("attachment; filename=%E6%8A%A5%E5%91%8A.pdf", "报告.pdf"),
        ('attachment; filename="报告.pdf"', "报告.pdf"),
        ('attachment; filename="报告.pdf"'.encode("gb18030"), "报告.pdf"),
        ('attachment; filename="100%.pdf"', "100%.pdf"),
        ('attachment; filename="a; b.pdf"', "a; b.pdf"),
        (r'attachment; filename="say \"hi\".txt"', 'say "hi".txt'),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ('attachment; filename="C:\\\\Users\\\\me\\\\a.docx"', "a.docx"),
        ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"),
        ('attachment; filename="cod\u202efdp.exe"', "codfdp.exe"),
        ('attachment; filename=".."', "download"),
        ('attachment; filename=""', "download"),
        ("attachment; filename*=UTF-8''%00", "download"),
        ("inline", "download"),
        (None, "download"),
    ],
)
def test_the_server_says_it_in_one_of_many_ways(disposition: bytes | str | None, name: str) -> None:
    assert named(disposition) == name


@pytest.mark.parametrize(
    ("asked", "answered", "name"),
    [
        ("http://h/docs/report.pdf?x=/y.txt#z", None, "report.pdf"),
        ("http://h/%E4%BA%A7%E5%93%81%E6%89%8B%E5%86%8C.docx", None, "产品手册.docx"),
        ("http://h/产品手册.docx", None, "产品手册.docx"),
        ("http://h/%B2%FA%C6%B7.txt", None, "产品.txt"),
        ("http://h/report.pdf", "http://cdn/8f3a?sign=1", "report.pdf"),
        ("http://h/get?id=3", "http://cdn/report.pdf", "report.pdf"),
        ("http://h/a.pdf", "http://cdn/b.pdf", "b.pdf"),
        ("http://h/a%2Fb.pdf", None, "b.pdf"),
        ("http://h/folder/", None, "document"),
        ("http://h", None, "document"),
    ],
)
def test_else_the_address_does(asked: str, answered: str | None, name: str) -> None:
    assert named(None, asked, answered) == name


def test_a_name_that_is_too_long_keeps_its_ending() -> None:
    name = plain_name("长" * 500 + ".xlsx")
    assert (len(name), name[-6:]) == (150, "长.xlsx")


@given(
    st.binary(max_size=300) | st.text(max_size=100).map(lambda text: f'a; filename="{text}"'.encode(errors="ignore"))
)
def test_whatever_a_server_says_the_name_is_no_path(disposition: bytes) -> None:
    name = named(disposition)
    assert name
    assert not set(name) & set("/\\\0\n\r")
    assert name not in (".", "..")
    assert name == plain_name(name)
    name.encode("utf-8")
