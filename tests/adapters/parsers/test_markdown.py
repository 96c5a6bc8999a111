"""Headings of Markdown stand where CommonMark has them, and the text stays as it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.parsers.case_files import assert_well_formed, case_file
from yiku.adapters.parsers import markdown
from yiku.adapters.parsers.normalised import as_lines
from yiku.model.parsed import ParsedDocument


def read(text: str) -> ParsedDocument:
    document = markdown.read(text.encode(), "a.md")
    assert_well_formed(document)
    return document


def headings(text: str) -> list[tuple[int, int, str]]:
    return [(heading.line, heading.level, heading.title) for heading in read(text).headings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Public faults: comments in code became sections; an indented fence swallowed the rest; fences of other kinds.
        ("# A\n```python\n# c\nx\n```\n# B", [(1, 1, "A"), (6, 1, "B")]),
        ("# A\n\n    ```\n# B\n", [(1, 1, "A"), (4, 1, "B")]),
        ("```\n~~~\n# no\n```\n# yes", [(5, 1, "yes")]),
        ("````\n```\n# no\n````\n# yes", [(5, 1, "yes")]),
        ("    # indented code\n\n# 标题", [(3, 1, "标题")]),
        ("## C#\n\n## F# ##\n", [(1, 2, "C#"), (3, 2, "F#")]),
        ("标题一\n===\n\n标题二\n---\n正文", [(1, 1, "标题一"), (4, 2, "标题二")]),
        ("two lines\nof title\n===", [(1, 1, "two lines of title")]),
        ("#没有空格\n\n# 有空格", [(3, 1, "有空格")]),
        ("# **粗** `code` [链接](http://x) ![图](y.png) &amp; \\*", [(1, 1, "粗 code 链接 图 & *")]),
        ("# <b>HTML</b> 里", [(1, 1, "HTML 里")]),
        ("<h1>HTML stays text</h1>\n\n> # quoted\n\n- # item\n", []),
        ("#\n\n## \n\n# x", [(5, 1, "x")]),
        ("### 先三级\n# 后一级", [(1, 3, "先三级"), (2, 1, "后一级")]),
    ],
)
def test_headings_are_those_of_commonmark(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert headings(text) == expected


def test_front_matter_gives_the_title_and_no_heading() -> None:
    document = read('---\ntitle: "员工手册"\ntags: [a]\n---\n# 第一节\n')
    assert document.title == "员工手册"
    assert [(heading.line, heading.title) for heading in document.headings] == [(5, "第一节")]


def test_an_unclosed_rule_in_front_stays_a_rule() -> None:
    assert headings("---\ntitle: D\n\n# H\n\ntext") == [(4, 1, "H")]


def test_two_rules_with_prose_between_them_are_no_front_matter() -> None:
    assert headings("---\n\n# Inside\n\nSome prose.\n\n---\n\n# After") == [(3, 1, "Inside"), (9, 1, "After")]


def test_the_first_heading_is_the_title_where_nothing_else_says_it() -> None:
    assert read("intro\n\n# 手册\n").title == "手册"
    assert read("## 二级\n# 一级\n").title is None


def test_the_text_is_left_as_it_was_but_for_line_ends() -> None:
    written = "\ufeffSetext\r\n===\r\n\r\n*a*  \r\n<b>b</b>\\#\r\n"
    assert read(written).text == "Setext\n===\n\n*a*  \n<b>b</b>\\#"


def test_the_case_files_have_their_headings() -> None:
    assert [h.title for h in markdown.read(case_file("txt_utf8_bom.md"), "a.md").headings] == ["标题"]
    document = markdown.read(case_file("md_setext_maybe.md"), "a.md")
    assert [(h.level, h.title) for h in document.headings] == [(2, "Example Docs"), (4, "XBRL 10-K")]
    readme = markdown.read(case_file("md_zh_readme_html_mix.md"), "a.md")
    assert_well_formed(readme)
    assert len(readme.headings) == 24
    assert '<div align="center">' in readme.text


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["[", "*a_ ", "`", "> ", "- ", "<a ", "![", "# x\n", "a\n===\n"])
def test_hostile_repetition_takes_no_long_time(piece: str) -> None:
    markdown.read((piece * 15_000).encode(), "a.md")
    markdown.read(("# " + piece * 15_000).encode(), "a.md")


@given(st.text(alphabet="# \n`~-=>*abc标题\r\t[]", max_size=80).filter(str.strip))
def test_every_text_is_kept_and_its_headings_stand_on_its_lines(written: str) -> None:
    document = markdown.read(written.encode(), "a.md")
    assert document.text == as_lines(written)
    lines = document.text.split("\n")
    assert all(1 <= heading.line <= len(lines) and heading.title.strip() for heading in document.headings)
