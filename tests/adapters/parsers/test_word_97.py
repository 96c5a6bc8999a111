"""Documents of old Word: pieces of one and of two bytes a character, in the order that their table has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.parsers.case_files import assert_well_formed
from tests.adapters.parsers.written_word import word_97
from yiku.adapters.parsers import documents
from yiku.adapters.parsers.sniffing import format_of
from yiku.model.errors import DocumentUnreadable


def read(content: bytes) -> str:
    document = documents.read(content, "旧.doc")
    assert_well_formed(document)
    assert document.format == "doc"
    return document.text


def test_chinese_and_english_pieces_come_in_the_order_of_the_text() -> None:
    content = word_97("第一章 总则\r员工手册适用于全体。\r", b"Hello \x93world\x94\r", "第二章 附则\r完")
    assert format_of(content, "a.doc") == "doc"
    assert read(content) == "第一章 总则\n员工手册适用于全体。\nHello “world”\n第二章 附则\n完"
    assert [heading.line for heading in documents.read(content, "a.doc").headings] == [1, 4]


def test_rows_of_a_table_are_lines_and_fields_show_their_results() -> None:
    table = "部门\x07日期\x07\x07研发\x0710.1\x07\x07"
    assert (
        read(word_97(table + '\x13 HYPERLINK "x" \x14链接\x15 end\x0bnext'))
        == "部门 | 日期\n研发 | 10.1\n链接 end\nnext"
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (word_97("x", flags=0x0100), "password"),
        (word_97("\r \r"), "empty"),
        (word_97("x", flags=0x0200), "corrupt"),
        (word_97("x")[:1_000], "corrupt"),
        (word_97("x")[:10], "corrupt"),
    ],
)
def test_what_cannot_be_read_says_why(content: bytes, reason: str) -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        documents.read(content, "旧.doc")
    assert refused.value.reason == reason


@given(st.lists(st.text("甲乙 丙abc", max_size=30) | st.binary(max_size=30).map(bytes.hex).map(str.encode), max_size=8))
def test_the_pieces_joined_are_the_text(pieces: list[str | bytes]) -> None:
    written = "".join(piece if isinstance(piece, str) else piece.decode() for piece in pieces)
    if written.strip():
        assert read(word_97(*pieces)) == written


@given(st.lists(st.tuples(st.integers(0, 6_000), st.integers(0, 255)), max_size=12))
def test_damage_anywhere_is_answered_and_never_hangs(damage: list[tuple[int, int]]) -> None:
    content = bytearray(word_97("第一章 总则\r正文", b"plain text", "结尾"))
    for place, value in damage:
        content[place % len(content)] = value
    try:
        assert_well_formed(documents.read(bytes(content), "a.doc"))
    except DocumentUnreadable as refused:
        assert refused.reason in {"corrupt", "empty", "password"}
