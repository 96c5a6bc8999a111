"""Which places of a table does each cell fill?

A cell over several rows or columns is written into each of them: a row that is found alone must say what it belongs to.
"""

from __future__ import annotations

_ROWS_MAX, _COLUMNS_MAX = 1_000, 100
"""Of one cell."""
_REPEATED_CHARACTERS_MAX = 2_000_000
"""Of one table, a cell counting for at least one: a page of a kilobyte may ask for 1,000 rows of 1,000 columns
in each of its cells. Beyond it a cell stands in its first place only."""


class Grid:
    """Rows and cells as they come; text that stands in no cell is kept with the one before."""

    def __init__(self) -> None:
        self.caption = ""
        self._rows: list[dict[int, str]] = []
        self._below: dict[int, tuple[int, str]] = {}
        """Column → how many more rows the cell above fills, and with what."""
        self._open: tuple[int, int, int] | None = None
        """Of the cell that text goes to: its column, how many rows and columns it fills."""
        self._text: list[str] = []
        self._repeated = 0
        self._column = 0

    def begin_row(self) -> None:
        self.end_cell()
        self._rows.append({})
        self._column = 0
        for column, (rows, text) in list(self._below.items()):
            if rows and self._may_repeat(text):
                self._rows[-1][column] = text
                self._below[column] = (rows - 1, text)
            else:
                del self._below[column]

    def begin_cell(self, rowspan: str | None, colspan: str | None) -> None:
        if not self._rows:
            self.begin_row()
        self.end_cell()
        while self._column in self._rows[-1]:
            self._column += 1
        self._open = (self._column, _span(rowspan, _ROWS_MAX), _span(colspan, _COLUMNS_MAX))

    def add(self, text: str) -> None:
        if text:
            self._text.append(text)

    def end_cell(self) -> None:
        if self._open is None:
            return
        column, rows, columns = self._open
        text = " ".join(self._text)
        for place in range(column, column + columns):
            if place > column and not self._may_repeat(text):
                break
            self._rows[-1][place] = text
            if rows > 1:
                self._below[place] = (rows - 1, text)
        self._column = column + columns
        self._open, self._text = None, []

    def rows(self) -> list[list[str]]:
        self.end_cell()
        width = max((max(row) + 1 for row in self._rows if row), default=0)
        if width * len(self._rows) > _REPEATED_CHARACTERS_MAX:
            return [[row[place] for place in sorted(row)] for row in self._rows]
        return [[row.get(place, "") for place in range(width)] for row in self._rows]

    def _may_repeat(self, text: str) -> bool:
        self._repeated += max(1, len(text))
        return self._repeated <= _REPEATED_CHARACTERS_MAX


def _span(written: str | None, most: int) -> int:
    if written is None or not written.strip().isdecimal() or len(written) > 6:
        return 1
    return min(max(int(written), 1), most)
