"""Where the shared files of the cases are: outside of the project, so a test without them is skipped."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from yiku.model.parsed import ParsedDocument

CASE_FILES = Path(__file__).parents[4] / "shared" / "cases" / "files"


def case_file(name: str) -> bytes:
    path = CASE_FILES / name
    if not path.exists():
        pytest.skip(f"the shared case file {name} is not beside this checkout")
    return path.read_bytes()


def assert_well_formed(document: ParsedDocument) -> None:
    """What `ParsedDocument` promises of any text, whatever the format."""
    assert document.text.strip()
    assert not set(document.text) & {"\r", "\0", "\ufeff"}
    document.text.encode()
    lines = document.text.split("\n")
    assert all(earlier.line < later.line for earlier, later in pairwise(document.headings))
    for heading in document.headings:
        assert heading.level >= 1
        assert heading.title == " ".join(heading.title.split()) != ""
        assert heading.title.split()[0] in lines[heading.line - 1]
    assert list(document.page_lines) == sorted(document.page_lines)
    assert all(1 <= line <= len(lines) for line in document.page_lines)
    for table in document.tables:
        assert len({column.lower() for column in table.columns}) == len(table.columns)
        assert all(column.strip() for column in table.columns)
        assert all(len(row) == len(table.columns) for row in table.rows)
