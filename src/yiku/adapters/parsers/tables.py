"""What are the columns of a sheet, and what does one of its rows say alone?

A row becomes one line, `column: value; column: value`, in every language: it is found, cited and read by itself, so it
has to name what its values are. The same rows are kept with numbers as numbers, for SQL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yiku.adapters.parsers.cells import is_text, is_year, shown, typed_column
from yiku.adapters.parsers.merging import Merge, filled, header_rows, without_rows
from yiku.adapters.parsers.normalised import on_one_line
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import Cell, ParsedTable

SEPARATOR = "; "
"""Between the values of a row; between a column and its value stands `: `."""
_COLUMNS_MAX = 2_000
"""What SQLite can hold in a table."""
_HEADER_WITHIN = 20
_MEASURED_ROWS = 50
_TEXT_SHARE = 0.6

Row = Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Laid:
    """A sheet: lines that stand above its columns, the table, and of each row the line it becomes."""

    above: tuple[str, ...]
    table: ParsedTable
    lines: tuple[str, ...]
    longer: tuple[int, ...] = ()
    shorter: tuple[int, ...] = ()
    """Places in `lines` of rows that have more, or fewer, cells than the first."""


def laid_out(name: str, grid: Sequence[Row], merges: Sequence[Merge] = ()) -> Laid | None:
    """None where no cell says anything."""
    kept = [place for place, row in enumerate(grid) if any(map(_says, row))]
    if not kept:
        return None
    rows: list[Row] = [grid[place] for place in kept]
    merges = without_rows(merges, kept)
    start, is_headed = header_place(rows)
    below = start + header_rows(start, merges) if is_headed else start
    first = _width(rows[start])
    if merges:
        rows = list(filled(rows, merges))
    body = rows[below:]
    width = max(map(_width, rows[start:]))
    if width > _COLUMNS_MAX:
        raise DocumentUnreadable(
            f"The table {name} has {width} columns, more than {_COLUMNS_MAX}: divide it.", reason="too_large"
        )
    columns = column_names(_joined(rows[start:below], width))
    return Laid(
        above=tuple(on_one_line(" ".join(dict.fromkeys(map(shown, row)))) for row in rows[:start]),
        table=ParsedTable(name, columns, _typed(body, width)),
        lines=tuple(row_line(columns, row) for row in body) or (SEPARATOR.join(columns),),
        longer=tuple(place for place, row in enumerate(body) if _width(row) > first) if not merges else (),
        shorter=tuple(place for place, row in enumerate(body) if len(row) < first),
    )


def header_place(rows: Sequence[Row]) -> tuple[int, bool]:
    """The row with the names of the columns, and whether there is one: else it is the first row of data.

    Above the names may stand titles and remarks, which fill few of the columns.
    """
    usual = _usual_cells(rows)
    for place, row in enumerate(rows[:_HEADER_WITHIN]):
        filled = [cell for cell in row if _says(cell)]
        if len(filled) >= min(usual, max(2, usual / 2)):
            names = sum(1 for cell in filled if is_text(cell) or is_year(cell))
            return place, names >= _TEXT_SHARE * len(filled) and any(map(is_text, filled))
    return 0, False


def column_names(header: Sequence[str]) -> tuple[str, ...]:
    """Unique without regard to case, as SQL compares them, and never blank: `a`, `a_2`, `col_3`."""
    names: list[str] = []
    taken: set[str] = set()
    last: dict[str, int] = {}
    for place, written in enumerate(header, 1):
        wish = written or f"col_{place}"
        name, number = wish, last.get(wish.lower(), 1)
        while name.lower() in taken:
            number += 1
            name = f"{wish}_{number}"
        last[wish.lower()] = number
        taken.add(name.lower())
        names.append(name)
    return tuple(names)


def row_line(columns: Sequence[str], row: Row) -> str:
    """Values as they are written in the file; a cell with several lines becomes one. Blank cells say nothing."""
    values = zip(columns, map(on_one_line, map(shown, row)), strict=False)
    return SEPARATOR.join(f"{column}: {value}" for column, value in values if value)


def _says(cell: Cell) -> bool:
    return cell is not None and (not isinstance(cell, str) or bool(cell.strip()))


def _width(row: Row) -> int:
    """Without blank cells at its end."""
    return next((place for place in range(len(row), 0, -1) if _says(row[place - 1])), 0)


def _usual_cells(rows: Sequence[Row]) -> float:
    """How many cells a row of data fills: that of the upper quarter, for sheets have gaps."""
    filled = sorted(sum(map(_says, row)) for row in rows[:_MEASURED_ROWS])
    return filled[len(filled) * 3 // 4]


def _joined(header: Sequence[Row], width: int) -> list[str]:
    """Names that stand in several rows are read from the top down: `日期` over `开始` is `日期 开始`."""
    names = []
    for place in range(width):
        parts = [on_one_line(shown(row[place])) for row in header if place < len(row)]
        names.append(" ".join(dict.fromkeys(filter(None, parts))))
    return names


def _typed(body: Sequence[Row], width: int) -> tuple[tuple[Cell, ...], ...]:
    if not body:
        return ()
    columns = [typed_column([row[place] if place < len(row) else None for row in body]) for place in range(width)]
    return tuple(zip(*columns, strict=True))
