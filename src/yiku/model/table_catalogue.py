"""What do tables look like to SQL: under which names, with which types, and what stands in them?

Whoever writes a SELECT, a person or a model, needs exactly this; and the tables are loaded by the same names and types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from yiku.model.parsed import Cell, ParsedTable

SAMPLES_MAX = 5
SAMPLE_CHARACTERS_MAX = 60
INTEGERS = range(-(2**63), 2**63)
"""Whole numbers that SQL knows; others are text to it."""
_RESERVED = "sqlite_"


class ColumnType(Enum):
    """MIXED has numbers and text: each is compared as what it is, numbers before text."""

    INTEGER = "INTEGER"
    REAL = "REAL"
    TEXT = "TEXT"
    MIXED = "MIXED"


@dataclass(frozen=True, slots=True)
class CatalogueColumn:
    """`samples` are distinct values in the order of the rows; long ones are cut."""

    name: str
    type: ColumnType
    samples: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class CatalogueTable:
    name: str
    columns: tuple[CatalogueColumn, ...]
    row_count: int


def catalogue(tables: Sequence[ParsedTable]) -> tuple[CatalogueTable, ...]:
    return tuple(_described(name, table) for name, table in zip(table_names(tables), tables, strict=True))


def table_names(tables: Sequence[ParsedTable]) -> list[str]:
    """As SQL knows them: two sheets of the same name are told apart."""
    named = (f"table_{table.name}" if table.name.lower().startswith(_RESERVED) else table.name for table in tables)
    return _told_apart(named, blank="table")


def column_names(table: ParsedTable) -> list[str]:
    """As SQL knows them: `ID` and `id` are the same to it."""
    return _told_apart(table.columns, blank="column")


def column_type(values: Sequence[Cell]) -> ColumnType:
    kinds = set(map(type, values)) - {type(None)}
    if not kinds or kinds == {str}:
        return ColumnType.TEXT
    if str in kinds or any(isinstance(value, int) and value not in INTEGERS for value in values):
        return ColumnType.MIXED
    return ColumnType.REAL if float in kinds else ColumnType.INTEGER


def _described(name: str, table: ParsedTable) -> CatalogueTable:
    columns = []
    for place, column in enumerate(column_names(table)):
        values = [row[place] for row in table.rows]
        columns.append(CatalogueColumn(column, column_type(values), _samples(values)))
    return CatalogueTable(name, tuple(columns), len(table.rows))


def _samples(values: Iterable[Cell]) -> tuple[Cell, ...]:
    found: dict[Cell, None] = {}
    for value in values:
        if value is None or value == "":
            continue
        found[value[:SAMPLE_CHARACTERS_MAX] if isinstance(value, str) else value] = None
        if len(found) == SAMPLES_MAX:
            break
    return tuple(found)


def _told_apart(names: Iterable[str], *, blank: str) -> list[str]:
    taken: set[str] = set()
    unique: list[str] = []
    for name in names:
        plain = name.replace("\0", "").strip() or blank
        candidate, number = plain, 1
        while candidate.lower() in taken:
            number += 1
            candidate = f"{plain}_{number}"
        taken.add(candidate.lower())
        unique.append(candidate)
    return unique
