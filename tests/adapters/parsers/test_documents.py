"""Documents of office programs, slides and e-books: headings on their lines, merged cells in each of their rows."""

from __future__ import annotations

import pytest

from tests.adapters.parsers.case_files import assert_well_formed, case_file
from tests.adapters.parsers.written_packages import docx, epub, odt, package, paragraph, pptx, shape
from yiku.adapters.parsers import documents
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument


def read(content: bytes) -> ParsedDocument:
    document = documents.read(content, "a.docx")
    assert_well_formed(document)
    return document


def refusal(content: bytes) -> DocumentUnreadable:
    with pytest.raises(DocumentUnreadable) as refused:
        documents.read(content, "手册.docx")
    assert "手册.docx" in refused.value.message
    return refused.value


def headings(document: ParsedDocument) -> list[tuple[int, int, str]]:
    return [(heading.line, heading.level, heading.title) for heading in document.headings]


def test_headings_of_a_docx_stand_on_their_lines() -> None:
    body = paragraph("员工手册", "Heading1") + paragraph("正文 # 不是标题") + paragraph("1.2.3Table", "Heading3")
    document = read(docx(body + paragraph("A.PURPOSE", "Heading2") + paragraph("  ", "Heading2") + paragraph("end")))
    assert headings(document) == [(1, 1, "员工手册"), (5, 3, "1.2.3 Table"), (7, 2, "A. PURPOSE")]
    assert document.title == "员工手册"
    assert document.text.endswith("## A. PURPOSE\n\nend")


@pytest.mark.parametrize("title", ["3D printing", "2024年报告", "U.S. law", "1.5倍", "C#", "e.g. this"])
def test_a_title_that_only_looks_numbered_is_left_alone(title: str) -> None:
    assert read(docx(paragraph(title, "Heading1") + paragraph("x"))).headings[0].title == title


def test_what_is_no_markup_in_a_docx_is_not_taken_for_it() -> None:
    assert read(docx(paragraph("SELECT * FROM t; 2*3*4; a_b_c"))).text == "SELECT * FROM t; 2*3*4; a_b_c"


def test_a_value_merged_over_rows_stands_in_each_of_them() -> None:
    # Public fault: it stood in the first row only.
    document = read(case_file("docx_vertical_merge.docx"))
    rows = [line for line in document.text.split("\n") if line.startswith("| Q01")]
    assert len(rows) == 4
    assert all("检测方法：提取外周血" in row for row in rows)
    assert document.text.count("相同值") == 2


def test_the_case_files_have_their_headings() -> None:
    handbook = read(case_file("docx_handbook_872p.docx"))
    assert len(handbook.headings) == 294
    assert {heading.level for heading in handbook.headings} == {1, 2, 3}
    assert "A. PURPOSE" in [heading.title for heading in handbook.headings]
    assert len(read(case_file("docx_numbered_headings.docx")).headings) == 9
    assert len(read(case_file("docx_code_blocks.docx")).headings) == 9
    assert "| Cell 3.0 | Merged Cell 3.1 4.1 | Cell 3.2 |" in read(case_file("docx_tables.docx")).text
    assert read(case_file("wrongext_docx_as.pdf")).format == "docx"
    pictured = read(case_file("docx_zh_image_text.docx"))
    assert "| 我是表格3 | 我是表格4 |" in pictured.text
    assert "pictures (1)" in pictured.notices[0]


def test_a_docx_cut_in_half_is_corrupt() -> None:
    assert refusal(case_file("truncated_docx_half.docx")).reason == "corrupt"


@pytest.mark.parametrize(
    "content",
    [b"PK\x03\x04 nothing", package(**{"a.txt": "x"}), package(**{"word/document.xml": "<w:doc"}), b"no office file"],
)
def test_what_is_no_document_is_corrupt(content: bytes) -> None:
    assert refusal(content).reason == "corrupt"


def test_an_empty_document_is_empty() -> None:
    assert refusal(docx(paragraph(" "))).reason == "empty"
    assert refusal(pptx(shape(" "))).reason == "empty"
    assert refusal(epub("", one="<p> </p>")).reason == "empty"


def test_each_slide_is_a_page_under_its_title() -> None:
    content = pptx(
        shape("先看正文\nsecond line") + shape("产品介绍", "title") + shape("2024-01-01", "dt"),
        "",
        shape("Thanks", "ctrTitle"),
        notes="讲稿",
    )
    document = read(content)
    assert document.text.split("\n") == [
        "# 产品介绍",
        "",
        "先看正文",
        "second line",
        "",
        "Notes: 讲稿",
        "",
        "",
        "# Thanks",
    ]
    assert document.page_lines == (1, 8, 9)
    assert headings(document) == [(1, 1, "产品介绍"), (9, 1, "Thanks")]
    assert (document.format, document.title) == ("pptx", "产品介绍")


def test_slides_come_in_the_order_in_which_they_are_shown() -> None:
    assert read(pptx(shape("one"), shape("two"), order=(2, 1))).text == "two\n\none"


def test_merged_cells_of_a_slide_stand_in_each_of_their_places() -> None:
    cell = "<a:tc{0}><a:txBody><a:p><a:r><a:t>{1}</a:t></a:r></a:p></a:txBody></a:tc>"
    wide = cell.format(' gridSpan="2"', "宽") + cell.format(' hMerge="1"', "")
    rows = f"<a:tr>{wide}</a:tr><a:tr>{cell.format('', 'a')}{cell.format('', 'b')}</a:tr>"
    below = cell.format(' vMerge="1"', "")
    rows += f"<a:tr>{below}{cell.format('', 'c')}</a:tr>"
    assert read(pptx(f"<p:graphicFrame><a:tbl>{rows}</a:tbl></p:graphicFrame>")).text.split("\n") == [
        "| 宽 | 宽 |",
        "| --- | --- |",
        "| a | b |",
        "| a | c |",
    ]


def test_a_slide_that_cannot_be_read_is_named_and_the_others_are_read() -> None:
    document = read(pptx(shape("one"), "<p:sp>", shape("three")))
    assert document.notices == ("Slide 2 could not be read.",)
    assert len(document.page_lines) == 3
    assert refusal(pptx("<p:sp>")).reason == "corrupt"


def test_slides_of_pictures_alone_need_ocr() -> None:
    refused = refusal(pptx("<p:pic/>", "<p:pic/>"))
    assert refused.reason == "scan"
    assert "OCR" in refused.message


def test_the_case_files_of_slides_are_read() -> None:
    deck = read(case_file("pptx_mineru_01.pptx"))
    assert len(deck.page_lines) == 6
    assert [heading.title for heading in deck.headings][-1] == "多级列表和中断有序列表"
    assert "| R3 |  | True |" in deck.text
    assert "| Tangerine | Pink | Aqua |" in read(case_file("pptx_table.pptx")).text
    assert read(case_file("pptx_malformed.pptx")).headings[0].title == "Test Slide"


def test_chapters_of_a_book_are_its_sections() -> None:
    contents = '<li><a href="one.xhtml">第一章</a></li><li><a href="two.xhtml#x">Two</a></li>'
    document = read(epub(contents, two="<h2>Of its own</h2><p>b</p>", one="<p>正文</p>"))
    assert document.text == "## Of its own\n\nb\n\n# 第一章\n\n正文"
    assert headings(document) == [(1, 2, "Of its own"), (5, 1, "第一章")]
    assert (document.format, document.title) == ("epub", "书名")


def test_the_case_file_of_a_book_has_its_chapters() -> None:
    book = read(case_file("epub_small.epub"))
    assert [heading.title for heading in book.headings] == ["Chapter 1: Test Content", "Chapter 2: More Content"]


def test_an_odt_has_headings_lists_and_tables() -> None:
    document = read(
        odt(
            '<text:h text:outline-level="1">第一章 总则</text:h><text:p>正文</text:p>'
            "<text:list><text:list-item><text:p>一</text:p></text:list-item>"
            "<text:list-item><text:p>二</text:p></text:list-item></text:list>"
            "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"
            "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>"
        )
    )
    assert document.text == "# 第一章 总则\n\n正文\n\n- 一\n- 二\n\n| a | b |\n| --- | --- |"
    assert (document.format, headings(document)) == ("odt", [(1, 1, "第一章 总则")])


def test_a_locked_document_says_that_it_has_a_password() -> None:
    assert refusal(odt("<text:p>x</text:p>", encrypted=True)).reason == "password"


def test_a_part_that_unpacks_to_more_than_is_read_is_too_large() -> None:
    bomb = package(**{"ppt/presentation.xml": b" " * (65 * 1024 * 1024)})
    assert refusal(bomb).reason == "too_large"
