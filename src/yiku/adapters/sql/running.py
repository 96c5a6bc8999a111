"""How much of an answer is taken? So many rows, so many characters of a cell and in all; what is cut is said."""

from __future__ import annotations

import math
from typing import Any

import apsw

from yiku.adapters.sql.locking import Lock
from yiku.adapters.sql.problems import Refused, problem
from yiku.model.parsed import Cell

CELL_CHARACTERS_MAX = 10_000
ANSWER_CHARACTERS_MAX = 2_000_000
_CHARACTERS_OF_A_NUMBER = 20


def run(connection: apsw.Connection, lock: Lock, statement: str, *, rows_max: int) -> dict[str, Any]:
    columns: list[str] = []

    def note_columns(cursor: apsw.Cursor, _sql: str, _bindings: Any) -> bool:
        # Asked before the first row: where there is none SQLite has forgotten them already.
        columns.extend(name for name, *_ in cursor.get_description())
        return True

    cursor = connection.cursor()
    cursor.exec_trace = note_columns
    try:
        rows, is_cut = _taken(cursor.execute(statement), rows_max)
    except apsw.Error as error:
        raise Refused(lock.denied or problem(error, lock.names)) from error
    return {"columns": columns, "rows": rows, "is_cut": is_cut}


def _taken(cursor: apsw.Cursor, rows_max: int) -> tuple[list[list[Cell]], bool]:
    rows: list[list[Cell]] = []
    left = ANSWER_CHARACTERS_MAX
    is_cut = False
    for row in cursor:
        if len(rows) == rows_max:
            return rows, True
        cells = [_cell(value) for value in row]
        left -= sum(len(cell) if isinstance(cell, str) else _CHARACTERS_OF_A_NUMBER for cell, _ in cells)
        if left < 0:
            return rows, True
        rows.append([cell for cell, _ in cells])
        is_cut = is_cut or any(was_cut for _, was_cut in cells)
    return rows, is_cut


def _cell(value: Any) -> tuple[Cell, bool]:
    """A value as one of ours, and whether it was shortened."""
    if isinstance(value, bytes):
        value = value[:CELL_CHARACTERS_MAX].hex()
    if isinstance(value, float) and not math.isfinite(value):
        value = str(value)
    if isinstance(value, str) and len(value) > CELL_CHARACTERS_MAX:
        return value[:CELL_CHARACTERS_MAX], True
    return value, False
