"""Every sheet of a workbook is a table, and every row a line."""

from __future__ import annotations

import io
from datetime import date, datetime, time

import pytest
from openpyxl import Workbook

from tests.adapters.parsers.case_files import assert_well_formed, case_file
from yiku.adapters.parsers import spreadsheets
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument


def saved(workbook: Workbook) -> bytes:
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def read(workbook: Workbook) -> ParsedDocument:
    document = spreadsheets.read(saved(workbook), "a.xlsx")
    assert_well_formed(document)
    assert document.lines_are_rows
    return document


def one_sheet(*rows: list[object]) -> Workbook:
    workbook = Workbook()
    for row in rows:
        workbook.active.append(row)
    return workbook


def test_values_are_numbers_dates_and_text() -> None:
    document = read(
        one_sheet(
            ["编号", "价格", "比例", "入职", "时间", "在职", "整数"],
            ["007", "￥1,200", 0.125, date(2024, 1, 5), datetime(2024, 1, 5, 8, 30), True, 3.0],
            ["008", "￥35.50", 1, date(2023, 12, 31), time(9, 5), False, 4],
        )
    )
    assert document.tables[0].rows == (
        ("007", 1200, 0.125, "2024-01-05", "2024-01-05 08:30:00", "TRUE", 3),
        ("008", 35.5, 1, "2023-12-31", "09:05:00", "FALSE", 4),
    )
    assert document.text.split("\n")[0].startswith("编号: 007; 价格: ￥1,200; 比例: 0.125; 入职: 2024-01-05; ")
    assert (document.headings, document.format) == ((), "xlsx")


def test_all_rows_of_all_sheets_are_kept_under_the_names_of_the_sheets() -> None:
    # Public faults: rows of the second sheet were lost, and repeated names of columns stopped everything.
    workbook = one_sheet(["a", "a"], [1, 2])
    workbook.create_sheet("二月").append(["x"])
    workbook["二月"].append(["甲"])
    workbook.create_sheet("空")
    document = read(workbook)
    assert document.text == "# Sheet\na: 1; a_2: 2\n# 二月\nx: 甲"
    assert [(heading.line, heading.title) for heading in document.headings] == [(1, "Sheet"), (3, "二月")]
    assert [table.name for table in document.tables] == ["Sheet", "二月"]
    assert document.notices == ("These sheets are empty: 空.",)


def test_merged_cells_and_titles_are_understood_wherever_the_table_begins() -> None:
    workbook = Workbook()
    sheet = workbook.active
    for place, row in enumerate(
        [["销售表"], ["部门", "日期", None], [None, "开始", "结束"], ["研发", 1, 2], [None, 3, 4]]
    ):
        for column, value in enumerate(row):
            sheet.cell(row=place + 3, column=column + 2, value=value)
    for merged in ("B3:D3", "B4:B5", "C4:D4", "B6:B7"):
        sheet.merge_cells(merged)
    document = read(workbook)
    assert document.text.split("\n") == [
        "销售表",
        "部门: 研发; 日期 开始: 1; 日期 结束: 2",
        "部门: 研发; 日期 开始: 3; 日期 结束: 4",
    ]


def test_a_sheet_of_names_alone_is_a_table_without_rows() -> None:
    document = read(one_sheet(["a", "b"]))
    assert (document.text, document.tables[0].rows) == ("a; b", ())


def test_a_workbook_without_values_is_empty_and_its_sheets_are_named() -> None:
    workbook = Workbook()
    workbook.create_sheet("表二")
    with pytest.raises(DocumentUnreadable, match=r"its sheets are empty \(Sheet, 表二\)") as refused:
        spreadsheets.read(saved(workbook), "a.xlsx")
    assert refused.value.reason == "empty"
    with pytest.raises(DocumentUnreadable, match="its sheets are empty"):
        spreadsheets.read(case_file("xlsx_empty.xlsx"), "a.xlsx")


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"no workbook", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600])
def test_a_broken_workbook_is_corrupt(content: bytes) -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        spreadsheets.read(content, "a.xlsx")
    assert refused.value.reason == "corrupt"


def test_a_workbook_cut_in_half_is_corrupt() -> None:
    with pytest.raises(DocumentUnreadable) as refused:
        spreadsheets.read(saved(one_sheet(["a"], [1]))[:-100], "a.xlsx")
    assert refused.value.reason == "corrupt"


def test_two_distant_cells_are_no_gigantic_sheet() -> None:
    workbook = one_sheet(["a"])
    workbook.active.cell(row=100_000, column=100, value="z")
    with pytest.raises(DocumentUnreadable) as refused:
        spreadsheets.read(saved(workbook), "a.xlsx")
    assert refused.value.reason == "too_large"


def test_the_case_files_keep_their_rows() -> None:
    old = spreadsheets.read(case_file("xls_legacy.xls"), "a.xls")
    assert_well_formed(old)
    assert (old.format, [len(table.rows) for table in old.tables]) == ("xls", [23, 4])
    issues = spreadsheets.read(case_file("xlsx_zh_issues.xlsx"), "a.xlsx")
    assert (len(issues.tables[0].rows), issues.text.count("\n") + 1) == (172, 172)
    mixed = spreadsheets.read(case_file("xlsx_mineru_01.xlsx"), "a.xlsx")
    assert_well_formed(mixed)
    assert [table.name for table in mixed.tables] == ["Sheet1", "Sheet2", "Sheet3", "Sheet4"]
    assert mixed.tables[2].columns[:3] == ("first", "header second", "header third")
