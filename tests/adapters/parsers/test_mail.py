"""A letter says who wrote it to whom, what it says, and what is attached."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.parsers.case_files import assert_well_formed
from yiku.adapters.parsers import mail
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument


def read(content: bytes) -> ParsedDocument:
    document = mail.read(content, "a.eml")
    assert_well_formed(document)
    return document


def letter(text: str = "正文第一行\n第二行\n") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "张三 <zhang@example.com>"
    message["To"] = "bob@example.com"
    message["Subject"] = "关于合同 contract"
    message["Date"] = "Fri, 05 Jan 2024 08:00:00 +0800"
    message.set_content(text)
    return message


def test_headers_and_text_become_lines() -> None:
    document = read(bytes(letter()))
    assert document.text.split("\n") == [
        "From: 张三 <zhang@example.com>",
        "To: bob@example.com",
        "Subject: 关于合同 contract",
        "Date: Fri, 05 Jan 2024 08:00:00 +0800",
        "",
        "正文第一行",
        "第二行",
    ]
    assert (document.format, document.title, document.encoding) == ("eml", "关于合同 contract", "utf-8")


def test_plain_text_is_preferred_to_html_and_attachments_are_named() -> None:
    message = letter("plain")
    message.add_alternative("<p>html</p>", subtype="html")
    message.add_attachment(b"12345", maintype="application", subtype="pdf", filename="合同.pdf")
    message.add_attachment("secret text", filename="note.txt")
    document = read(bytes(message))
    assert "html" not in document.text and "secret text" not in document.text
    assert document.text.split("\n")[-2:] == [
        "Attachment: 合同.pdf (application/pdf, 5 bytes)",
        "Attachment: note.txt (text/plain, 11 bytes)",
    ]
    assert document.notices == ("Attachments (2) are named, and were not read.",)


def test_html_is_read_where_there_is_no_plain_text() -> None:
    message = letter()
    message.set_content("<h1>通知</h1><p>正文</p><script>x</script>", subtype="html")
    document = read(bytes(message))
    assert document.text.endswith("# 通知\n\n正文")
    assert document.headings[0].title == "通知"


def test_a_letter_in_a_letter_stays_closed() -> None:
    message = letter("outer")
    message.add_attachment(letter("inner"))
    text = read(bytes(message)).text
    assert "inner" not in text
    assert text.endswith("Attachment: 关于合同 contract (a letter)")


@pytest.mark.parametrize("charset", ["gb2312", "gbk", "big5", "iso-2022-jp", "utf-8"])
def test_the_charset_of_the_text_is_honoured(charset: str) -> None:
    head = f"Subject: x\r\nContent-Type: text/plain; charset={charset}\r\n\r\n".encode()
    assert read(head + "日本\r\n".encode(charset)).text == "Subject: x\n\n日本"


def test_headers_in_raw_gbk_are_decoded() -> None:
    assert read("Subject: 关于合同的通知\r\n\r\ntext".encode("gbk")).title == "关于合同的通知"


def test_a_character_cut_between_two_encoded_words_is_put_together() -> None:
    # What mailers made of 关于合同 in GB2312, folding after an odd number of bytes.
    assert read(b"Subject: =?gb2312?Q?=B9=D8=D3?=\r\n =?gb2312?Q?=DA=BA=CF=CD=AC?=\r\n\r\ntext").title == "关于合同"


@pytest.mark.parametrize("content", [b"", b"\r\n\r\n", b"X-Other: 1\r\n\r\n \r\n"])
def test_a_file_without_headers_and_text_is_no_letter(content: bytes) -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        mail.read(content, "a.eml")
    assert refused.value.reason == "empty"


HEADS = st.sampled_from(
    [
        b"Subject: =?utf-8?b?%%?=",
        b"Subject: =?x?q?=?=",
        b"From: \xff\xfe",
        b"Content-Type: text/plain; charset=\xff",
        b"Content-Type: text/html",
        b"Content-Type: multipart/mixed; boundary=b",
        b"Content-Type: message/rfc822",
        b"Content-Transfer-Encoding: base64",
        b"Content-Disposition: attachment; filename*=x''%ff",
    ]
)


@given(st.lists(HEADS, max_size=4), st.binary(max_size=40) | st.just(b"--b\r\n\r\nx\r\n--b--"))
def test_no_letter_is_too_broken_to_be_answered(heads: list[bytes], body: bytes) -> None:
    try:
        assert_well_formed(mail.read(b"\r\n".join([*heads, b"", body]), "a.eml"))
    except DocumentUnreadable as refused:
        assert refused.reason == "empty"
