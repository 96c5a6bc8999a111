"""How do tables get into SQLite, so that names are found and numbers are compared as numbers?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import apsw

from yiku.adapters.sql.problems import quoted
from yiku.model.parsed import Cell, ParsedTable
from yiku.model.table_catalogue import INTEGERS, ColumnType, column_names, column_type, table_names

_COLUMNS_MAX = 2_000
"""SQLite's own bound for a table: those after it cannot be asked for, and are missed by name."""
_DECLARED = {
    ColumnType.INTEGER: "INTEGER",
    ColumnType.REAL: "REAL",
    ColumnType.TEXT: "TEXT",
    # Without a type nothing is converted: '007' stays text beside the numbers.
    ColumnType.MIXED: "BLOB",
}


def loaded(tables: list[ParsedTable]) -> tuple[apsw.Connection, dict[str, list[str]]]:
    """A database in memory, and what is in it: tables and their columns."""
    connection = apsw.Connection(":memory:")
    names: dict[str, list[str]] = {}
    with connection:
        for name, table in zip(table_names(tables), tables, strict=True):
            names[name] = column_names(table)[:_COLUMNS_MAX]
            _load(connection, name, names[name], table)
    return connection, names


def _load(connection: apsw.Connection, name: str, columns: list[str], table: ParsedTable) -> None:
    if not columns:
        return
    width = len(columns)
    cells = list(zip(*table.rows, strict=True)) or [()] * width
    types = [column_type(column) for column in cells[:width]]
    declared = ", ".join(f"{quoted(column)} {_DECLARED[kind]}" for column, kind in zip(columns, types, strict=True))
    places = ", ".join("?" * width)
    connection.execute(f"CREATE TABLE {quoted(name)} ({declared})")
    # Whatever is not bound is a name, and quoted.
    connection.executemany(f"INSERT INTO {quoted(name)} VALUES ({places})", _rows(table, types))  # noqa: S608


def _rows(table: ParsedTable, types: list[ColumnType]) -> Iterator[Sequence[Cell]]:
    if ColumnType.MIXED not in types:
        yield from (row[: len(types)] for row in table.rows)
        return
    for row in table.rows:
        yield [_storable(cell) for cell in row[: len(types)]]


def _storable(cell: Cell) -> Cell:
    return str(cell) if isinstance(cell, int) and cell not in INTEGERS else cell
