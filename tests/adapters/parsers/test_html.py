"""A web page becomes what it says: its headings on their lines, its tables whole, its scripts and menus gone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.parsers.case_files import assert_well_formed, case_file
from yiku.adapters.parsers import html
from yiku.adapters.parsers.composition import Composition
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument


def read(markup: str, encoding: str = "utf-8") -> ParsedDocument:
    document = html.read(markup.encode(encoding), "a.html")
    assert_well_formed(document)
    return document


def test_headings_paragraphs_and_lists_stand_apart() -> None:
    document = read(
        "<title>公告 &amp; more</title><h1>关于放假的<br>通知</h1><p>各部门：\n  请注意。<p>第二段<h2>一、时间</h2>"
        "<ul><li>一<ul><li>内</ul><li>二</ul><ol><li>first<li>second</ol>end"
    )
    assert document.title == "公告 & more"
    assert [(h.line, h.level, h.title) for h in document.headings] == [(1, 1, "关于放假的 通知"), (7, 2, "一、时间")]
    assert document.text.split("\n") == [
        "# 关于放假的 通知",
        "",
        "各部门： 请注意。",
        "",
        "第二段",
        "",
        "## 一、时间",
        "",
        "- 一",
        "  - 内",
        "- 二",
        "",
        "1. first",
        "2. second",
        "",
        "end",
    ]


def test_scripts_styles_navigation_and_what_is_hidden_are_left_out() -> None:
    text = read(
        "<head><style>p{}</style><title>t</title></head><nav>首页 <nav>x</nav> 关于</nav><p>正文</p>"
        "<script>var x='<p># no</p>'</script><div style='color:red; display: none'>secret</div><div hidden>y</div>"
        "<div role=navigation>menu</div><!-- <p>comment</p> --><template>z</template><p>end"
    ).text
    assert text == "正文\n\nend"


def test_a_head_that_nobody_closed_hides_no_page() -> None:
    assert read("<html><head><title>t</title><meta charset=utf-8><p>正文").text == "正文"


def test_an_unclosed_hidden_item_hides_only_what_it_must() -> None:
    assert "二" in read("<ul><li style='display:none'>一<li>二</ul>").text


def test_code_keeps_its_lines_and_makes_no_heading() -> None:
    document = read("<h1>A</h1><pre># not heading\n  indented\n\nafter</pre>")
    assert document.text == "# A\n\n# not heading\n  indented\n\nafter"
    assert len(document.headings) == 1


def test_a_merged_cell_stands_in_each_of_its_places() -> None:
    text = read(
        "<table><caption>排班</caption><tr><th rowspan=2>部门<th colspan=2>日期<tr><th>开始<th>结束"
        "<tr><td rowspan=2>研发 | A<td>10.1<td>10.7<tr><td>11.1<td><b>x</b><p>y</p></table>"
    ).text
    assert text.split("\n") == [
        "排班",
        "",
        "| 部门 | 日期 | 日期 |",
        "| --- | --- | --- |",
        "| 部门 | 开始 | 结束 |",
        "| 研发 \\| A | 10.1 | 10.7 |",
        "| 研发 \\| A | 11.1 | x y |",
    ]


def test_a_table_in_a_table_is_text_of_its_cell() -> None:
    assert "| a | 1 2 |" in read("<table><tr><td>h<td>i<tr><td>a<td><table><tr><td>1<td>2</table></table>").text


def test_a_heading_in_a_table_that_only_places_things_is_kept_as_text() -> None:
    assert read("<table><tr><td><h1>标题</h1><p>正文</p></td></tr></table>").text == "标题 正文"


@pytest.mark.parametrize("encoding", ["gbk", "big5", "shift_jis", "euc-kr"])
def test_a_page_is_decoded_by_its_meta_tag(encoding: str) -> None:
    assert read(f"<meta charset={encoding}><p>日本</p>", encoding).text == "日本"


@pytest.mark.parametrize("markup", ["<script>x</script>", "<title>only</title>", "<p> &nbsp; </p>", "<!-- open"])
def test_a_page_that_says_nothing_is_refused_as_empty(markup: str) -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        html.read(markup.encode(), "a.html")
    assert refused.value.reason == "empty"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("a < b and 3<4 &lt;x&gt; &unknown; &#20013;", "a < b and 3<4 <x> &unknown; 中"),
        ("<p title='>'>x<p\ntitle=\">\"\n>y", "x\n\ny"),
        ("<textarea><p>no markup</textarea>", "<p>no markup"),
        ("x<br/>y<hr/>z", "x\ny\n\nz"),
        ("<P>UP</P><scripty>s</scripty>", "UP\n\ns"),
        ("shown<!doctype x><?php y ?><![CDATA[ & z]]>", "shown & z]]>"),
        ("<img src=x alt='图'>text", "图 text"),
    ],
)
def test_markup_is_read_as_browsers_read_it(markup: str, text: str) -> None:
    assert read(markup).text == text


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "markup",
    [
        "<p>x" + "<!--" * 100_000,
        "<" * 200_000,
        "x" + "<a " * 100_000,
        "x" + "<a b=\"c' " * 60_000,
        "<div>" * 50_000 + "x",
        "<table>" * 30_000 + "x",
        "<ol><li>a" * 5_000,
        "<table><tr>" + f"<td rowspan=1000 colspan=1000>{'x' * 1_000}" * 500,
        "<script>" + "</scrip" * 100_000,
        "x<a" + " " * 200_000,
        "&" * 200_000 + "&#" * 100_000,
    ],
)
def test_hostile_markup_makes_neither_long_work_nor_a_huge_text(markup: str) -> None:
    composition = Composition()
    html.write_page(markup, composition)
    assert len(composition.text) < 5_000_000


def test_the_case_files_say_what_they_say() -> None:
    gbk = html.read(case_file("html_gbk_meta.html"), "a.html")
    assert (gbk.encoding, gbk.title) == ("gb18030", "公告")
    assert "首页" not in gbk.text and "var x" not in gbk.text
    assert html.read(case_file("html_cp1252.html"), "a.html").encoding == "cp1252"
    assert "köstlich" in html.read(case_file("html_cp1252.html"), "a.html").text
    duck = html.read(case_file("html_wiki_duck.html"), "a.html")
    assert_well_formed(duck)
    assert len(duck.headings) == 20
    china = html.read(case_file("html_zh_wikipedia_1.4M.html"), "a.html")
    assert_well_formed(china)
    assert (len(china.headings), china.headings[0].title) == (61, "中國")


PIECES = [
    "<h1>",
    "</h1>",
    "<p>",
    "<table>",
    "<tr>",
    "<td rowspan=3>",
    "</table>",
    "<ul>",
    "<li>",
    "</ul>",
    "<pre>",
    "</pre>",
]
PIECES += ["<nav>", "</nav>", "<br>", "标题", "text ", "\r\n", "&lt;", "<!--", "-->", "<", '"', "<a b='"]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_headings_stand_on_their_lines_whatever_the_markup(pieces: list[str]) -> None:
    composition = Composition()
    html.write_page("".join(pieces), composition)
    lines = composition.text.split("\n")
    assert all(heading.title in lines[heading.line - 1] for heading in composition.headings)
