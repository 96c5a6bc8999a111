"""Columns get names, cells get values, and each row says alone what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yiku.adapters.parsers.cells import date_of, number_of, shown, typed_column
from yiku.adapters.parsers.merging import Merge
from yiku.adapters.parsers.tables import Laid, column_names, laid_out
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import Cell


def laid(*rows: list[Cell], merges: list[Merge] | None = None) -> Laid:
    found = laid_out("表", rows, merges or ())
    assert found is not None
    return found


def test_the_first_row_names_the_columns_and_each_row_is_a_line() -> None:
    found = laid(["产品", "价格"], ["甲", "1,200"], ["乙", ""])
    assert found.table.columns == ("产品", "价格")
    assert found.lines == ("产品: 甲; 价格: 1,200", "产品: 乙")
    assert found.table.rows == (("甲", 1200), ("乙", None))


def test_titles_above_the_names_are_kept_as_lines() -> None:
    found = laid(["2024 年销售表", "", ""], ["", "", ""], ["单位：元"], ["产品", "数量", "金额"], ["甲", 1, 2.5])
    assert found.above == ("2024 年销售表", "单位：元")
    assert found.table.columns == ("产品", "数量", "金额")
    assert found.table.rows == (("甲", 1, 2.5),)


def test_years_are_names_of_columns() -> None:
    assert laid(["Region", 2023, 2024], ["North", 1, 2]).table.columns == ("Region", "2023", "2024")


def test_rows_of_numbers_are_data_and_no_names() -> None:
    found = laid([1, 2, 3], [4, 5, 6])
    assert found.table.columns == ("col_1", "col_2", "col_3")
    assert len(found.table.rows) == 2


def test_a_table_of_one_column_has_a_name_and_rows() -> None:
    assert laid(["名称"], ["甲"], ["乙"]).lines == ("名称: 甲", "名称: 乙")


def test_a_table_of_names_alone_is_still_a_table() -> None:
    found = laid(["a", "b"])
    assert (found.table.columns, found.table.rows, found.lines) == (("a", "b"), (), ("a; b",))


def test_blank_and_repeated_names_become_unique() -> None:
    assert column_names(["a", "a", "", "A", "a_2", "col_3"]) == ("a", "a_2", "col_3", "A_3", "a_2_2", "col_3_2")


@given(st.lists(st.sampled_from(["", "a", "A", "a_2", "col_1", "名", "a_2_2"]), max_size=12))
def test_names_are_always_unique_and_never_blank(written: list[str]) -> None:
    names = column_names(written)
    assert len({name.lower() for name in names}) == len(written)
    assert all(names)


def test_a_merged_cell_is_given_to_each_of_its_rows() -> None:
    found = laid(["方法", "项目"], ["测序", "a"], ["", "b"], ["", "c"], merges=[Merge(1, 0, 2, 0)])
    assert found.lines == ("方法: 测序; 项目: a", "方法: 测序; 项目: b", "项目: c")


def test_names_in_two_rows_are_read_from_the_top_down() -> None:
    merges = [Merge(0, 0, 1, 0), Merge(0, 1, 0, 2)]
    found = laid(["部门", "日期", ""], ["", "开始", "结束"], ["研发", "10.1", "10.7"], merges=merges)
    assert found.table.columns == ("部门", "日期 开始", "日期 结束")
    assert found.lines == ("部门: 研发; 日期 开始: 10.1; 日期 结束: 10.7",)


def test_a_merged_title_row_is_a_title_though_a_blank_row_follows() -> None:
    merges = [Merge(0, 0, 0, 2), Merge(3, 0, 4, 0)]
    found = laid(["标题", "", ""], ["", "", ""], ["a", "b", "c"], ["x", 1, 2], ["", 3, 4], merges=merges)
    assert found.above == ("标题",)
    assert found.table.rows == (("x", 1, 2), ("x", 3, 4))


def test_rows_with_more_cells_get_columns_of_their_own() -> None:
    found = laid(["a", "b"], ["1", "2", "3"], ["1"])
    assert found.table.columns == ("a", "b", "col_3")
    assert (found.longer, found.shorter) == ((0,), (1,))


def test_a_table_wider_than_sql_can_hold_is_too_large() -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        laid(["x"] * 2_001)
    assert refused.value.reason == "too_large"


def test_a_cell_with_several_lines_stays_on_the_line_of_its_row() -> None:
    found = laid(["a"], ["one\r\ntwo\n three"])
    assert found.lines == ("a: one two three",)
    assert found.table.rows == (("one\ntwo\n three",),)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("1,200", 1200),
        ("￥35", 35),
        ("¥1,234.50", 1234.5),
        ("12%", 0.12),
        ("7.5％", 0.075),
        ("(1,200)", -1200),
        ("-3.5", -3.5),
        ("$ -2", -2),
        ("100元", 100),
        ("0", 0),
        ("0.5", 0.5),
        ("007", None),
        ("13800138000", None),
        ("12345678901234567890", None),
        ("1,20", None),
        ("1e5", None),
        ("12-3", None),
        ("(5", None),
        ("A1", None),
        ("", None),
    ],
)
def test_numbers_are_read_as_people_write_them(written: str, number: float | None) -> None:
    assert number_of(written) == number


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2024-01-05", "2024-01-05"),
        ("2024/1/5", "2024-01-05"),
        ("2024年1月5日", "2024-01-05"),
        ("2024.12.31 8:05", "2024-12-31 08:05:00"),
        ("2024-01-05T08:05:09.123", "2024-01-05 08:05:09"),
        ("2024-13-01", None),
        ("03/04/2024", None),
        ("20240105", None),
    ],
)
def test_dates_become_iso_when_they_can_only_be_one(written: str, date: str | None) -> None:
    assert date_of(written) == date


@pytest.mark.parametrize(
    ("column", "typed"),
    [
        (["1,200", "-", "3"], [1200, None, 3]),
        (["1,200", "about 3"], ["1,200", "about 3"]),
        (["007", "8"], ["007", "8"]),
        (["12%", "3"], ["12%", "3"]),
        (["2024/1/5", ""], ["2024-01-05", None]),
        ([1, 2.5, "n/a"], [1, 2.5, None]),
        (["-", ""], ["-", None]),
    ],
)
def test_a_column_is_of_numbers_only_if_all_of_it_is(column: list[Cell], typed: list[Cell]) -> None:
    assert typed_column(column) == typed


@given(st.integers(-(10**14), 10**14))
def test_a_whole_number_comes_back_from_how_it_is_shown(number: int) -> None:
    if not 13_000_000_000 <= number < 20_000_000_000:
        assert number_of(shown(number)) == number
    assert number_of(f"{number:,}") == number


CELLS = st.one_of(st.none(), st.integers(0, 5_000), st.sampled_from(["", "a", "甲", "1,2", "2024-01-01", "x\ny"]))


@given(st.lists(st.lists(CELLS, max_size=5), max_size=8))
def test_no_row_is_lost_whatever_the_sheet(grid: list[list[Cell]]) -> None:
    found = laid_out("t", grid)
    rows = [row for row in grid if any(cell not in (None, "") for cell in row)]
    if found is None:
        assert not rows
        return
    assert len(found.above) + len(found.table.rows) in {len(rows), len(rows) - 1}
    assert all(line.strip() and "\n" not in line for line in (*found.above, *found.lines))
    assert all(len(row) == len(found.table.columns) for row in found.table.rows)
