"""Which value does a cell hold?

People write 1,200, ￥35 and 12%, and 007 and 13800138000, which are no numbers to add. A column is of numbers, or of
dates, only if all of its cells are; in any other every cell stays the text it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from yiku.adapters.parsers.normalised import normalised
from yiku.model.parsed import Cell

_NUMBER = re.compile(
    r"([(-]?)\s*[¥￥$€£]?\s*([+-]?)(\d{1,3}(?:[,，]\d{3})+|\d{1,15})(\.\d{1,15})?\s*([%％]?)\s*元?\s*(\)?)"
)
_LEADING_ZERO = re.compile(r"0\d")
_DATE = re.compile(
    r"(\d{4})\s?([-/.年])\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})\s?日?"
    r"(?:[ T]{1,2}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,6})?)?)?"
)
_SAYS_NOTHING = frozenset({"", "-", "--", "—", "——", "/", "n/a", "na", "null", "none", "无"})
_YEARS = range(1900, 2101)
_MOBILE_PHONE = re.compile(r"1[3-9]\d{9}")
"""Of mainland China; others begin with a zero or a plus."""
_WRITTEN_MAX = 64


def shown(cell: Cell) -> str:
    """A value as text: a whole number has no `.0`."""
    if cell is None:
        return ""
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell)


def is_text(cell: Cell) -> bool:
    """Whether a cell could be the name of a column."""
    return isinstance(cell, str) and bool(cell.strip()) and number_of(cell) is None and date_of(cell) is None


def is_year(cell: Cell) -> bool:
    """A year is a number that columns are named after."""
    number = number_of(cell) if isinstance(cell, str) else cell
    return isinstance(number, int | float) and number in _YEARS


def typed_column(cells: Sequence[Cell]) -> list[Cell]:
    """The column with its numbers as numbers and its dates as ISO text."""
    written = [cell for cell in cells if isinstance(cell, str) and cell.strip().lower() not in _SAYS_NOTHING]
    if written and len({_is_percent(cell) for cell in written}) == 1:
        for value_of in (number_of, date_of):
            if values := _all_of(written, value_of):
                return [values.get(cell) if isinstance(cell, str) else cell for cell in cells]
    if not written and any(isinstance(cell, int | float) for cell in cells):
        return [None if isinstance(cell, str) else cell for cell in cells]
    return [_text(cell) for cell in cells]


def _all_of(written: Sequence[str], value_of: Callable[[str], Cell]) -> dict[str, Cell]:
    """The value of each, nothing at all as soon as one of them has none."""
    values: dict[str, Cell] = {}
    for cell in written:
        value = value_of(cell)
        if value is None:
            return {}
        values[cell] = value
    return values


def number_of(written: str) -> int | float | None:
    """None for what only looks like a number: a code with a zero in front, a telephone number, 20 digits."""
    found = _NUMBER.fullmatch(written.strip()) if len(written) <= _WRITTEN_MAX else None
    if found is None or (found[1] == "(") != (found[6] == ")"):
        return None
    digits = found[3].replace(",", "").replace("，", "")
    if _LEADING_ZERO.match(digits) or _MOBILE_PHONE.fullmatch(written.strip()):
        return None
    number: int | float = float(digits + found[4]) if found[4] else int(digits)
    if found[5]:
        # The float nearest to the decimal fraction: 7 % is 0.07, and not 0.07000000000000001.
        number = float(f"{digits}{found[4] or ''}e-2")
    return -number if found[1] or found[2] == "-" else number


def date_of(written: str) -> str | None:
    """The year first, or it could be a day: 03/04/2024 is two dates."""
    found = _DATE.fullmatch(written.strip()) if len(written) <= _WRITTEN_MAX else None
    if found is None:
        return None
    hour, minute, second = (int(part or 0) for part in found.groups()[4:7])
    try:
        moment = datetime(int(found[1]), int(found[3]), int(found[4]), hour, minute, second)
    except ValueError:
        return None
    return moment.date().isoformat() if found[5] is None else moment.isoformat(sep=" ")


def _is_percent(written: str) -> bool:
    return written.strip().endswith(("%", "％"))


def _text(cell: Cell) -> Cell:
    """Blank is nothing; a cell of numbers in a column of text stays a number."""
    if not isinstance(cell, str):
        return cell
    return normalised(cell).strip() or None
