"""Lines of a text file, and the few of them that are surely titles."""

from __future__ import annotations

import pytest

from tests.adapters.parsers.case_files import assert_well_formed, case_file
from yiku.adapters.parsers import plain_text
from yiku.model.errors import DocumentUnreadable


def titles(text: str) -> list[tuple[int, int, str]]:
    document = plain_text.read(text.encode(), "a.txt")
    assert_well_formed(document)
    return [(heading.line, heading.level, heading.title) for heading in document.headings]


def test_lines_end_at_carriage_returns_and_line_feeds_and_nowhere_else() -> None:
    text = plain_text.read("一\r\n二\r三\n四\u2028五\f六\v七".encode(), "a.txt").text
    assert text.split("\n") == ["一", "二", "三", "四\u2028五\f六\v七"]
    assert plain_text.read(case_file("crlf_cr_mixed.txt"), "a.txt").text.count("\n") == 3


def test_there_is_no_phantom_line_after_the_last_line_end() -> None:
    assert plain_text.read(b"needle\r\n", "a.txt").text == "needle"


def test_characters_that_drive_terminals_are_left_out() -> None:
    assert plain_text.read(b"a\x1b[31mb\x00c\x07\td", "a.txt").text == "a[31mbc\td"


@pytest.mark.parametrize("content", [b"", b" \r\n\t\n", b"\xef\xbb\xbf", "\u3000".encode()])
def test_a_text_that_says_nothing_is_refused_as_empty(content: bytes) -> None:
    with pytest.raises(DocumentUnreadable, match=r"note\.txt is empty") as refused:
        plain_text.read(content, "note.txt")
    assert refused.value.reason == "empty"


def test_a_cut_character_is_reported() -> None:
    document = plain_text.read(case_file("one_line_2MB.txt"), "one_line_2MB.txt")
    assert document.text.count("\n") == 0
    assert document.text.endswith("\ufffd")
    assert any("U+FFFD" in notice for notice in document.notices)


def test_chapters_of_a_chinese_book_are_titles() -> None:
    book = "书名\n\n第一编 总论\n说明。\n第一章 总则\n正文。\n第一节 范围\n正文。\n第二章　附则\n正文。\n"
    assert titles(book) == [
        (3, 1, "第一编 总论"),
        (5, 2, "第一章 总则"),
        (7, 3, "第一节 范围"),
        (9, 2, "第二章 附则"),
    ]


def test_chapters_of_an_english_book_are_titles() -> None:
    assert titles("CHAPTER I\n\nIt was late.\n\nChapter 2: The Road\n\nMorning came.") == [
        (1, 1, "CHAPTER I"),
        (5, 1, "Chapter 2: The Road"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "第三章的内容很多\n第四章规定了费用\n正文",
        "第一章 讲的是开始。\n第二章 讲的是结束。\n",
        "Chapter 5 explains how it works\nChapter 6 goes on\n",
        "第一章 总则\n只有一章",
        "第一章 总则 …… 3\n第二章 附则 …… 9\n正文",
        "1. 买菜\n2. 做饭\n",
    ],
)
def test_what_could_be_a_sentence_or_a_list_is_no_title(text: str) -> None:
    assert titles(text) == []


def test_a_list_of_contents_in_front_is_not_taken_for_the_chapters() -> None:
    book = "第一章 总则\n第二章 附则\n\n前言。\n第一章 总则\n正文。\n第二章 附则\n正文。"
    assert [line for line, _, _ in titles(book)][-2:] == [5, 7]
    assert 1 not in [line for line, _, _ in titles(book)]
