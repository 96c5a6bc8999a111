"""Which tables are in a workbook, XLSX or XLS?

Every sheet is a table of its own. Formulas are read as the values that the workbook was saved with.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetTypeEnum

from yiku.adapters.parsers.merging import Merge
from yiku.adapters.parsers.normalised import on_one_line
from yiku.adapters.parsers.tables import Laid, laid_out
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import Cell, Heading, ParsedDocument

_CELLS_MAX = 5_000_000
"""Of one sheet: a sheet with one cell in each corner claims to have 17 billion."""
_OLE = b"\xd0\xcf\x11\xe0"


def read(content: bytes, name: str) -> ParsedDocument:
    sheets = list(_sheets(content, name))
    laid = [(title, found) for title, rows, merges in sheets if (found := laid_out(title, rows, merges))]
    if not laid:
        titles = ", ".join(title for title, _, _ in sheets) or "it has none"
        raise DocumentUnreadable(f"{name} has no text: its sheets are empty ({titles}).", reason="empty")
    text, headings = _written(laid, with_titles=len(sheets) > 1)
    empty = [title for title, _, _ in sheets if title not in dict(laid)]
    return ParsedDocument(
        format="xls" if content.startswith(_OLE) else "xlsx",
        text=text,
        headings=headings,
        lines_are_rows=True,
        tables=tuple(found.table for _, found in laid),
        notices=(f"These sheets are empty: {', '.join(empty)}.",) if empty else (),
    )


def _sheets(content: bytes, name: str) -> Iterator[tuple[str, list[list[Cell]], list[Merge]]]:
    """Charts and macros are no sheets of cells."""
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
        for meta in workbook.sheets_metadata:
            if meta.typ == SheetTypeEnum.WorkSheet:
                sheet = workbook.get_sheet_by_name(meta.name)
                if sheet.total_width * sheet.total_height > _CELLS_MAX:
                    message = f"The sheet {meta.name} of {name} has more than {_CELLS_MAX} cells: divide it."
                    raise DocumentUnreadable(message, reason="too_large")
                rows = [[_cell(value) for value in row] for row in sheet.to_python()]
                yield on_one_line(meta.name) or f"Sheet {meta.name!r}", rows, _merges(sheet)
    except PasswordError as error:
        message = f"{name} is protected with a password: save it without one and send it again."
        raise DocumentUnreadable(message, reason="password") from error
    except CalamineError as error:
        raise DocumentUnreadable(f"{name} cannot be opened as a workbook: {error}.", reason="corrupt") from error


def _merges(sheet: CalamineSheet) -> list[Merge]:
    top, left = sheet.start or (0, 0)
    return [
        Merge(first[0] - top, first[1] - left, last[0] - top, last[1] - left)
        for first, last in sheet.merged_cell_ranges or []
        if first[0] >= top and first[1] >= left
    ]


def _cell(value: Any) -> Cell:
    """A time of midnight is no time: Excel has no dates without one."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return value if isinstance(value, int | str) else None


def _written(laid: list[tuple[str, Laid]], *, with_titles: bool) -> tuple[str, tuple[Heading, ...]]:
    lines: list[str] = []
    headings = []
    for title, found in laid:
        if with_titles:
            lines.append(f"# {title}")
            headings.append(Heading(len(lines), 1, title))
        lines += [*found.above, *found.lines]
    return "\n".join(lines), tuple(headings)
