"""Bytes of any origin become the text that was written."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.parsers.case_files import case_file
from yiku.adapters.parsers.decoding import declared_encoding, decode
from yiku.adapters.parsers.normalised import as_lines, normalised, on_one_line


@pytest.mark.parametrize(
    ("written", "encoding"),
    [
        ("设计", "gb18030"),
        ("安徽广潭场", "gb18030"),
        ("测试", "gb18030"),
        ("产品,价格\n甲,1200", "gb18030"),
        ("喆䶮镕", "gb18030"),
        ("第一章 总则：本办法适用于全体员工。", "gb18030"),
        ("臺灣的知識庫", "big5"),
        ("設計", "big5"),
        ("會員資料表", "big5"),
        ("名前,年齢\n佐藤太郎,30", "shift_jis"),
        ("これはテストです", "shift_jis"),
        ("안녕하세요 저는 학생입니다", "euc-kr"),
        ("café", "cp1252"),
        ("Die schöne Frau sagte: “köstlich” – 15,50 €", "cp1252"),
        ("naïve façade été", "cp1252"),
    ],
)
def test_even_short_texts_of_old_encodings_are_told_apart(written: str, encoding: str) -> None:
    decoded = decode(written.encode(encoding))
    assert (decoded.text, decoded.encoding, decoded.replaced) == (written, encoding, False)


@pytest.mark.parametrize("written", ["plain ASCII", "设计", "café", "😀 喆 한국어", ""])
def test_utf_8_is_taken_for_what_it_is(written: str) -> None:
    assert decode(written.encode()).text == written
    assert decode(written.encode()).encoding == "utf-8"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_byte_order_mark_decides_and_is_not_in_the_text(encoding: str) -> None:
    decoded = decode("\ufeff知识库 knowledge".encode(encoding))
    assert (decoded.text, decoded.encoding) == ("知识库 knowledge", encoding)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("written", ["Hello, world.\r\nSecond line", "检索测试 test\n第二行的内容 2\n"])
def test_utf_16_without_a_mark_is_known_by_its_zero_bytes(encoding: str, written: str) -> None:
    assert decode(written.encode(encoding)).text == written


def test_a_stray_zero_byte_makes_no_utf_16_of_a_text() -> None:
    assert decode(b"hello\0 world").text == "hello\0 world"


def test_the_end_of_a_text_counts_as_much_as_its_beginning() -> None:
    # Public fault: the charset was guessed from the first 4,096 bytes.
    content = b"a" * 5_000 + "é".encode()
    assert decode(content).encoding == "utf-8"
    assert decode(content).text.endswith("é")


@pytest.mark.parametrize("cut", [1, 2])
def test_a_character_cut_at_the_end_is_replaced_and_reported(cut: int) -> None:
    decoded = decode("知识库检索".encode()[:-cut])
    assert (decoded.encoding, decoded.replaced) == ("utf-8", True)
    assert decoded.text.startswith("知识库检") and decoded.text.endswith("\ufffd")


def test_a_cut_character_of_gbk_is_replaced_and_reported_too() -> None:
    decoded = decode("我们的设计文件和说明书".encode("gbk")[:-1])
    assert (decoded.encoding, decoded.replaced) == ("gb18030", True)
    assert decoded.text.startswith("我们的设计文件和说明")


def test_a_broken_byte_in_a_long_utf_8_text_costs_one_character() -> None:
    content = "知识库检索测试".encode() * 20
    decoded = decode(content[:60] + b"\xff" + content[60:])
    assert (decoded.encoding, decoded.replaced) == ("utf-8", True)
    assert decoded.text.count("\ufffd") == 1


def test_a_declaration_is_believed_where_the_bytes_allow_it() -> None:
    assert decode("联通".encode("gbk")).encoding in {"utf-8", "gb18030"}  # The famous two characters: valid as both.
    assert decode("联通".encode("gbk"), hint="gb2312").text == "联通"
    assert decode("привет".encode("koi8-r"), hint="koi8-r").text == "привет"


@pytest.mark.parametrize("hint", ["gb2312", "iso-8859-1", "utf-16", "no-such-charset", "hex", "rot13", ""])
def test_a_declaration_that_the_bytes_contradict_is_not(hint: str) -> None:
    assert decode("设计文件 café".encode(), hint=hint).text == "设计文件 café"


@pytest.mark.parametrize(
    ("content", "declared"),
    [
        (b'<meta charset="gbk">', "gbk"),
        (b"<META http-equiv=Content-Type content='text/html; charset=gb2312'>", "gb2312"),
        (b'<?xml version="1.0" encoding="Shift_JIS"?>', "Shift_JIS"),
        (b"<p>charset=gbk</p>", None),
    ],
)
def test_what_a_page_declares_is_found(content: bytes, declared: str | None) -> None:
    assert declared_encoding(content) == declared


@pytest.mark.parametrize(
    ("name", "encoding", "begins"),
    [
        ("txt_big5.txt", "big5", "臺灣的知識庫"),
        ("txt_utf16.txt", "utf-16-le", "This is a test"),
        ("txt_utf16le_bom_crlf.txt", "utf-16-le", "ChatGPT是OpenAI"),
        ("csv_gbk_quotes.csv", "gb18030", "产品"),
        ("csv_sjis.csv", "shift_jis", "名前"),
    ],
)
def test_the_case_files_are_decoded(name: str, encoding: str, begins: str) -> None:
    decoded = decode(case_file(name))
    assert decoded.encoding == encoding
    assert decoded.text.startswith(begins)


@given(st.text())
def test_whatever_is_valid_utf_8_with_a_mark_comes_back(written: str) -> None:
    content = codecs.BOM_UTF8 + written.encode("utf-8", "ignore")
    assert decode(content).text == written.encode("utf-8", "ignore").decode()


@given(st.binary(max_size=200), st.sampled_from([None, "gbk", "utf-16", "latin-1"]))
def test_no_bytes_are_refused(content: bytes, hint: str | None) -> None:
    decoded = decode(content, hint=hint)
    assert normalised(decoded.text).encode().decode() == normalised(decoded.text)


@given(st.text(alphabet=st.characters()))
def test_normalising_twice_changes_nothing_and_leaves_no_other_line_end(written: str) -> None:
    once = normalised(written)
    assert normalised(once) == once
    assert not set(once) & {"\r", "\0"}
    assert once.count("\n") == written.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    assert "\n" not in on_one_line(written)


def test_a_final_line_end_begins_no_line() -> None:
    assert as_lines("a\r\nb\r\n") == "a\nb"
    assert as_lines("a\n\n") == "a\n"
