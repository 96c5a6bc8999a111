"""Whoever writes SQL sees tables as SQL will."""

from __future__ import annotations

from yiku.model.parsed import ParsedTable
from yiku.model.table_catalogue import CatalogueColumn, ColumnType, catalogue

SHEET = ParsedTable(
    "销售",
    ("地区", "金额", "单价", "备注", "空"),
    (("北京", 100, 1, "n/a", None), ("上海", 9, 2.5, 5, None), ("北京", None, None, "", None)),
)


def test_columns_are_described_by_what_stands_in_them() -> None:
    (table,) = catalogue([SHEET])
    assert (table.name, table.row_count) == ("销售", 3)
    assert table.columns == (
        CatalogueColumn("地区", ColumnType.TEXT, ("北京", "上海")),
        CatalogueColumn("金额", ColumnType.INTEGER, (100, 9)),
        CatalogueColumn("单价", ColumnType.REAL, (1, 2.5)),
        CatalogueColumn("备注", ColumnType.MIXED, ("n/a", 5)),
        CatalogueColumn("空", ColumnType.TEXT, ()),
    )


def test_a_number_that_sql_does_not_know_is_text_to_it() -> None:
    (table,) = catalogue([ParsedTable("t", ("id",), ((2**63,), (1,)))])
    assert table.columns[0].type is ColumnType.MIXED


def test_samples_are_few_and_short() -> None:
    rows = tuple((f"{number} " + "长" * 1_000,) for number in range(50))
    (table,) = catalogue([ParsedTable("t", ("s",), rows)])
    assert len(table.columns[0].samples) == 5
    assert all(len(str(sample)) == 60 for sample in table.columns[0].samples)


def test_names_that_sql_would_confuse_are_told_apart() -> None:
    tables = catalogue(
        [
            ParsedTable("Data", ("ID", "id", "Id_2", ""), ()),
            ParsedTable("data", ("a",), ()),
            ParsedTable(" ", (), ()),
            ParsedTable("sqlite_stat1", (), ()),
        ]
    )
    assert [table.name for table in tables] == ["Data", "data_2", "table", "table_sqlite_stat1"]
    assert [column.name for column in tables[0].columns] == ["ID", "id_2", "Id_2_2", "column"]


def test_a_sheet_of_a_header_alone_is_a_table() -> None:
    (table,) = catalogue([ParsedTable("空表", ("甲", "乙"), ())])
    assert (table.row_count, [column.name for column in table.columns]) == (0, ["甲", "乙"])
