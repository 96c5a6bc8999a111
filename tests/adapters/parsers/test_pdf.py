"""What is written in a PDF: its lines by page, and the headings that bookmarks, type and numbers make."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.parsers.written_pdfs import written_pdf
from yiku.adapters.parsers import pdf
from yiku.adapters.parsers.numbering import dense, numbering_of
from yiku.adapters.parsers.pdf_headings import Title, headings_of, is_title
from yiku.adapters.parsers.pdf_layout import LaidHeading
from yiku.adapters.parsers.pdf_pages import Bookmark, Line
from yiku.adapters.parsers.running_lines import without_running_lines
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument


def read(content: bytes) -> ParsedDocument:
    return pdf.read(content, "a.pdf")


def lines_of(*pages: str) -> list[list[Line]]:
    return [[Line(line) for line in page.split("\n")] if page else [] for page in pages]


def outline(titles: list[Title]) -> list[tuple[int, str]]:
    return [(title.level, title.text) for title in titles]


def laid(*headings: tuple[int, int, str]) -> list[LaidHeading]:
    return [LaidHeading(*heading) for heading in headings]


def test_each_page_begins_on_a_line_of_its_own_and_an_empty_one_has_an_empty_line() -> None:
    found = read(written_pdf([["First line", "Second line"], [], ["Third page"]]))
    assert found.text.split("\n") == ["First line", "Second line", "", "Third page"]
    assert found.page_lines == (1, 3, 4)
    assert found.format == "pdf" and found.read_by_ocr == () and found.notices == ()


def test_an_empty_last_page_still_begins_within_the_text() -> None:
    found = read(written_pdf([["Only words"], []]))
    assert found.page_lines == (1, 2) and found.text == "Only words\n"


def test_running_headers_and_counting_footers_are_left_out_and_other_repetition_stays() -> None:
    pages = [
        [
            "Annual report 2018",
            "Yes",
            f"Something said on page {'abcde'[number]}",
            "Total: 7",
            f"Page {number + 1} of 5",
        ]
        for number in range(5)
    ]
    found = read(written_pdf([[*page[:2], *[f"filler {page[2]} {i}" for i in range(6)], *page[2:]] for page in pages]))
    assert "Annual report" not in found.text and "of 5" not in found.text
    assert found.text.count("Something said on page") == 5 + 5 * 6


def test_a_number_that_does_not_count_with_the_pages_is_no_page_number() -> None:
    pages = lines_of("甲\n17", "乙\n4", "丙\n99", "丁\n4")
    assert without_running_lines(pages) == pages
    counted = without_running_lines(lines_of("甲\n17", "乙\n18", "丙\n19", "丁\n20"))
    assert [[line.text for line in page] for page in counted] == [["甲"], ["乙"], ["丙"], ["丁"]]


@settings(max_examples=100)
@given(st.lists(st.lists(st.sampled_from(["a", "b", "1", "2", "第 3 页"]), max_size=8), max_size=8))
def test_dropping_running_lines_only_ever_drops_lines_near_the_edge(pages: list[list[str]]) -> None:
    before = [[Line(text, start=number) for number, text in enumerate(page)] for page in pages]
    for kept, page in zip(without_running_lines(before), before, strict=True):
        assert kept == [line for line in page if line in kept]
        assert set(page[3:-3]) <= set(kept)


def test_bookmarks_are_the_contents_and_stand_on_their_lines() -> None:
    pages = [["Preface", "words words"], ["1 Method", "more words", "1.1 Data", "even more"], ["2 Results", "the end"]]
    marks = [("Preface", 4), ("Method", 6), ("Data", 6), ("Results", 8)]
    first = 10
    extra = [f"<< /Type /Outlines /First {first + 1} 0 R /Last {first + 4} 0 R /Count 3 >>"]
    links = ("/Next {} 0 R", "/First {} 0 R /Last {} 0 R /Count 1 /Next {} 0 R", "", "")
    numbers = ((12,), (13, 13, 14), (), ())
    for (title, page), link, following in zip(marks, links, numbers, strict=True):
        extra.append(f"<< /Title ({title}) /Parent 10 0 R /Dest [{page} 0 R /Fit] {link.format(*following)} >>")
    found = read(written_pdf(pages, extra=extra, catalog="/Outlines 10 0 R"))
    assert [(heading.line, heading.level, heading.title) for heading in found.headings] == [
        (1, 1, "Preface"),
        (3, 1, "1 Method"),
        (5, 2, "1.1 Data"),
        (7, 1, "2 Results"),
    ]


def test_bookmarks_that_stand_on_no_page_are_not_believed() -> None:
    pages = lines_of("第一章 总则\n本规定适用于所有人", "第二章 附则\n本规定自发布之日起施行")
    marks = [Bookmark(f"扫描_{number:03}", 1, number % 2) for number in range(6)]
    assert outline(headings_of(pages, marks, [])) == [(1, "第一章 总则"), (1, "第二章 附则")]


def test_numbers_say_the_level_across_pages() -> None:
    pages = lines_of("3 Methods\nwords", "3.1 Data\nwords", "3.2 Models\nwords")
    by_type = laid((0, 2, "3 Methods"), (1, 2, "3.1 Data"), (2, 2, "3.2 Models"))
    assert outline(headings_of(pages, [], by_type)) == [(1, "3 Methods"), (2, "3.1 Data"), (2, "3.2 Models")]


def test_chinese_numbers_make_levels_in_the_order_of_their_styles() -> None:
    page = "第一节 重要提示\n一、主要指标\n1、资产负债\n（一）说明\n第二节 其他"
    by_type = laid((0, 2, "第一节 重要提示"), (0, 4, "一、主要指标"), (0, 4, "1、资产负债"), (0, 4, "（一）说明"))
    assert [level for level, _ in outline(headings_of(lines_of(page), [], by_type))] == [1, 2, 4, 3, 1]


def test_a_heading_without_number_takes_the_level_of_numbered_ones_in_its_type() -> None:
    pages = lines_of("Abstract\n1 Introduction\n1.1 History\nReferences")
    by_type = laid((0, 2, "Abstract"), (0, 2, "1 Introduction"), (0, 3, "1.1 History"), (0, 2, "References"))
    assert [level for level, _ in outline(headings_of(pages, [], by_type))] == [1, 1, 2, 1]


def test_a_title_printed_over_several_lines_is_one_line_of_the_text() -> None:
    pages = lines_of("A very long title of\nthe whole thing\nwords")
    found = headings_of(pages, [], laid((0, 1, "A very long title of the whole thing")))
    assert found == [Title(0, 0, 2, 1, "A very long title of the whole thing")]


def test_a_title_that_runs_into_its_sentence_ends_before_it() -> None:
    pages = lines_of("4. TERMINATION. Either party may end this\nagreement at any time")
    found = headings_of(pages, [], laid((0, 1, "4. TERMINATION. Either party may end this")))
    assert outline(found) == [(1, "4. TERMINATION.")]


def test_strong_numbers_are_headings_by_themselves_and_sentences_are_not() -> None:
    page = (
        "第一章 总则\n第一条 为了规范管理，根据有关规定，制定本办法。\n第二章中提到的规定仍然有效，\n"
        "Chapter 2 The road\nSection 9 and an outlook on future work\n一、列表项\n1. an item of a list"
    )
    assert [title for _, title in outline(headings_of(lines_of(page), [], []))] == ["第一章 总则", "Chapter 2 The road"]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("第三节 财务报表", True),
        ("Results and Discussion", True),
        ("附录", True),
        ("2018 年第一季度报告", True),
        ("公司董事会、监事会及董事、监事、高级管理人员保证季度报告内容的真实、准确、完整。", False),
        ("长" * 61, False),
        ("word " * 40, False),
        ("Introduction ........ 5", False),
        ("关于红军作战的原则………………………１", False),
        ("T", False),
        ("4,755,785.11 5,699,227.63", False),
        ("someone@example.org", False),
    ],
)
def test_what_may_be_a_title(text: str, is_one: bool) -> None:
    assert is_title(text) is is_one


@pytest.mark.parametrize(
    ("line", "rank"),
    [
        ("第一编 总则", 0),
        ("Part II Theory", 0),
        ("第十二章 罚则", 1),
        ("Chapter 3: Roads", 1),
        ("第二节 范围", 2),
        ("第五条 定义", 3),
        ("Article 7", 3),
        ("一、概述", 4),
        ("（二）目标", 5),
        ("1. Scope", 6),
        ("1 范围", 6),
        ("3、资产", 6),
        ("3.1 Data", 7),
        ("3.1.2 数据", 8),
        ("(1) 条件", 9),
        ("2018 年", None),
        ("12 月 5 日", None),
        ("3 apples", None),
        ("4.5%", None),
        ("1,200 元", None),
        ("10:30 Meeting", None),
        ("Sectional plans", None),
    ],
)
def test_the_number_of_a_heading_is_understood(line: str, rank: int | None) -> None:
    found = numbering_of(line)
    assert (found.rank if found else None) == rank


@given(st.sets(st.integers(0, 12)))
def test_levels_keep_the_order_and_skip_none(ranks: set[int]) -> None:
    levels = dense(ranks)
    assert [levels[rank] for rank in sorted(ranks)] == list(range(1, len(ranks) + 1))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"%PDF-1.4\nnothing else", "corrupt"),
        (b"%PDF-1.7\n" + b"\0\xff" * 5_000, "corrupt"),
        (written_pdf([[], []]), "empty"),
        (written_pdf([[]]).replace(b"0000000000 65535 f", b"00000 655350000000"), "corrupt"),
        (written_pdf([[] for _ in range(5_001)]), "too_large"),
    ],
)
def test_a_pdf_that_yields_nothing_says_why(content: bytes, reason: str) -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        read(content)
    assert refused.value.reason == reason


def test_text_is_read_where_the_table_of_contents_of_the_file_is_lost() -> None:
    whole = written_pdf([["Recovered words"]])
    assert read(whole.replace(b"xref\n0", b"xxxx\n9")).text == "Recovered words"


def test_pages_that_all_say_the_same_keep_what_they_say() -> None:
    assert read(written_pdf([["Draft"]] * 4)).text.split("\n") == ["Draft"] * 4


def test_without_time_for_the_layout_the_text_is_there_and_says_so() -> None:
    pages = [[f"Words on page {number}" + " and more" * number] for number in range(3)]
    found = pdf.read(written_pdf(pages), "a.pdf", layout_s=1e-9)
    assert found.text.count("Words on page") == 3
    assert found.notices == ("Headings and tables were looked for on the first 0 of 3 pages only.",)
