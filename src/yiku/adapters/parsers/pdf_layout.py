"""What does a PDF look like to somebody who reads it? Headings by their type, and tables, as liteparse finds them."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import liteparse

from yiku.adapters.parsers.normalised import on_one_line
from yiku.adapters.parsers.pdf_pages import Line, Places

_BATCH_PAGES = 50
_MARGIN_POINTS = 2.0
_TABLE_CELLS_MAX = 20_000
_KEPT = 0.9
"""The share of the characters of lines and cells that must agree before cells stand for lines."""


@dataclass(frozen=True, slots=True)
class LaidHeading:
    page: int
    """From 0."""
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class LaidTable:
    """`box` is left, top, right and bottom in points, from the upper left corner of the page."""

    page: int
    box: tuple[float, float, float, float]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """`pages` of the document were looked at."""

    headings: list[LaidHeading] = field(default_factory=list)
    tables: list[LaidTable] = field(default_factory=list)
    pages: int = 0


def layout_of(content: bytes, *, seconds: float) -> Layout:
    """As much of it as there is time for: the text does not depend on it."""
    end = time.monotonic() + seconds
    parser = liteparse.LiteParse(
        ocr_enabled=False,
        quiet=True,
        num_workers=1,
        output_format="markdown",
        extract_blocks=True,
        continue_on_page_error=True,
    )
    headings: list[LaidHeading] = []
    tables: list[LaidTable] = []
    seen = 0
    try:
        batches = parser.parse_batches(content, _BATCH_PAGES)
        while time.monotonic() < end and (batch := next(batches, None)) is not None:
            for page in batch.result.pages:
                for block in page.blocks or ():
                    _take(block, page.page_num - 1, headings, tables)
            seen = batch.end_page
    except liteparse.ParseError:
        return Layout(headings, tables, seen)
    return Layout(headings, tables, seen)


def woven(lines: list[Line], tables: list[LaidTable], places: Places) -> list[Line]:
    """The lines of a page with its tables as Markdown, where lines and cells hold the same characters: no table is
    worth a lost number."""
    if not places.is_upright:
        return lines
    for table in tables:
        inside = [number for number, line in enumerate(lines) if not line.is_table and _stands_in(table, line, places)]
        if not inside or inside[-1] - inside[0] + 1 != len(inside):
            continue
        replaced = lines[inside[0] : inside[-1] + 1]
        if _agree("".join(line.text for line in replaced), "".join("".join(row) for row in table.rows)):
            lines = [*lines[: inside[0]], *_as_markdown(table), *lines[inside[-1] + 1 :]]
    return lines


def _take(block: Any, page: int, headings: list[LaidHeading], tables: list[LaidTable]) -> None:
    if block.kind == "heading" and block.text:
        headings.append(LaidHeading(page, block.level or 1, on_one_line(block.text)))
    elif block.kind == "table" and block.bbox is not None:
        found = [row for row in (block.header, *(block.rows or ())) if row]
        rows = tuple(tuple(on_one_line(cell.text) for cell in row) for row in found)
        if len(rows) >= 2 and 2 <= max(map(len, rows)) <= _TABLE_CELLS_MAX // len(rows):
            left, top = block.bbox.x, block.bbox.y
            tables.append(LaidTable(page, (left, top, left + block.bbox.width, top + block.bbox.height), rows))


def _stands_in(table: LaidTable, line: Line, places: Places) -> bool:
    left, top, right, bottom = table.box
    ends = places.of(line)
    return ends is not None and all(
        left - _MARGIN_POINTS <= x <= right + _MARGIN_POINTS and top - _MARGIN_POINTS <= y <= bottom + _MARGIN_POINTS
        for x, y in ends
    )


def _agree(one: str, other: str) -> bool:
    first, second = Counter("".join(one.split())), Counter("".join(other.split()))
    return (first & second).total() >= _KEPT * max(first.total(), second.total())


def _as_markdown(table: LaidTable) -> list[Line]:
    width = max(map(len, table.rows))
    written = []
    for row in table.rows:
        cells = [cell.replace("|", "\\|") for cell in (*row, *[""] * (width - len(row)))]
        written.append(f"| {' | '.join(cells)} |")
    written.insert(1, f"|{' --- |' * width}")
    return [Line(text, is_table=True) for text in written]
