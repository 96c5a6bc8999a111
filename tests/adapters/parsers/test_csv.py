"""A CSV file of whatever program keeps all of its rows, one line each."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.parsers.case_files import assert_well_formed, case_file
from yiku.adapters.parsers import csv_rows
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument


def read(text: str, encoding: str = "utf-8") -> ParsedDocument:
    document = csv_rows.read(text.encode(encoding), "folder/价格.csv")
    assert_well_formed(document)
    assert document.lines_are_rows and document.headings == ()
    return document


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    text = f"name{delimiter}note\n甲{delimiter}a b. c\n乙{delimiter}d\n"
    assert read(text).text == "name: 甲; note: a b. c\nname: 乙; note: d"


def test_commas_in_the_text_do_not_hide_another_delimiter() -> None:
    assert read('name;price\n"a, b";1,5\nc, d;2,5\n').tables[0].columns == ("name", "price")


def test_the_delimiter_that_excel_names_is_taken() -> None:
    assert read("sep=#\na#b\n1,x#2,y").text == "a: 1,x; b: 2,y"


def test_a_quoted_line_end_stays_inside_its_row() -> None:
    document = read('a,b\r\n"one\r\ntwo","say ""hi"""\r\nx,y\r\n')
    assert document.text.split("\n") == ['a: one two; b: say "hi"', "a: x; b: y"]
    assert document.tables[0].rows[0] == ("one\ntwo", 'say "hi"')


def test_a_quote_that_nobody_closed_swallows_no_rows() -> None:
    document = read('size,name\n5",disk\n"3,other\n4,third\n')
    assert document.text.split("\n") == ['size: 5"; name: disk', 'size: "3; name: other', "size: 4; name: third"]
    assert "never closed" in document.notices[0]


def test_rows_of_other_lengths_are_kept_and_reported() -> None:
    document = read("a,b\n1,2\n3,4,5\n6\n")
    assert document.text.split("\n") == ["a: 1; b: 2", "a: 3; b: 4; col_3: 5", "a: 6"]
    assert document.notices == (
        "1 rows have more cells than the first row: lines 2. All are kept.",
        "1 rows have fewer cells than the first row: lines 3. All are kept.",
    )


def test_blank_rows_are_no_rows_and_repeated_names_are_told_apart() -> None:
    document = read("a,a\n\n,\n1,2\n")
    assert document.tables[0].columns == ("a", "a_2")
    assert document.tables[0].rows == ((1, 2),)


def test_the_table_is_named_after_the_file() -> None:
    assert read("a,b\n1,2").tables[0].name == "价格"


@pytest.mark.parametrize("content", ["", "\n\n", ",,\n,,\n"])
def test_a_file_without_a_value_is_refused_as_empty(content: str) -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        csv_rows.read(content.encode(), "a.csv")
    assert refused.value.reason == "empty"


def test_the_case_files_keep_their_rows() -> None:
    gbk = csv_rows.read(case_file("csv_gbk_quotes.csv"), "a.csv")
    assert (gbk.encoding, gbk.tables[0].rows) == ("gb18030", (("甲", 1200, '含"引号"与\n换行'), ("乙", 35, None)))
    sjis = csv_rows.read(case_file("csv_sjis.csv"), "a.csv")
    assert (sjis.encoding, sjis.text.split("\n")[0]) == ("shift_jis", "名前: 佐藤太郎; 年齢: 30; 住所: 東京")
    semicolon = csv_rows.read(case_file("csv_semicolon.csv"), "a.csv")
    assert (len(semicolon.tables[0].columns), len(semicolon.tables[0].rows)) == (12, 5)
    odd = csv_rows.read(case_file("csv_inconsistent_header.csv"), "a.csv")
    assert len(odd.text.split("\n")) == 5 and odd.notices
    issues = csv_rows.read(case_file("csv_zh_issues.csv"), "a.csv")
    assert_well_formed(issues)
    assert len(issues.tables[0].rows) == issues.text.count("\n") + 1 == 172


WORDS = st.text(alphabet="ab甲 ,;\"'\n|", min_size=1, max_size=6).filter(lambda word: word.strip() != "")


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6))
def test_what_the_csv_module_writes_is_read_back(rows: list[tuple[str, str]]) -> None:
    written = io.StringIO()
    csv.writer(written).writerows([("甲列", "乙列"), *rows])
    document = csv_rows.read(b"sep=,\n" + written.getvalue().encode(), "a.csv")
    assert document.tables[0].rows == tuple((one.strip(), other.strip()) for one, other in rows)
