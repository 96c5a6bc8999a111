"""The SQL port: read-only questions to the tables of a knowledge base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from yiku.model.parsed import Cell, ParsedTable


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """`is_cut` says that there were more rows, or that cells were shortened."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_cut: bool


class Sql(Protocol):
    """**Somebody else's SQL.** It runs in a process of its own, over tables alone: nothing can be written or read
    beside them, and time, memory and the size of the answer are bounded by a wall-clock kill.
    """

    async def ask(self, tables: Sequence[ParsedTable], statement: str, *, rows_max: int) -> SqlAnswer:
        """The answer of one SELECT over the tables (quoted by their names).

        Raises `InvalidInput` (field `sql`) with what is wrong: not a SELECT, an unknown table or column, a function
        that is not allowed, too slow.
        """
        ...

    async def close(self) -> None:
        """Kill what still runs. Calling it twice is fine."""
        ...
