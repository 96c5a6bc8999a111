"""Each question goes to a fresh process, which knows the tables and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import structlog

from yiku.adapters.confined import Bounds, ConfinedFailure, Ending, run_confined
from yiku.adapters.deadlines import deadline
from yiku.adapters.sql.problems import TOO_MUCH_MEMORY, TOO_SLOW
from yiku.model.errors import InvalidInput, TooLarge, Unavailable
from yiku.model.parsed import Cell, ParsedTable
from yiku.model.table_catalogue import table_names
from yiku.ports.sql import SqlAnswer

log = structlog.get_logger()

_MODULE = "yiku.adapters.sql.child"
_FIELD = "sql"
_CELLS_MAX = 2_000_000
_QUESTION_BYTES_MAX = 50 * 1024 * 1024
_LOADED_A_SECOND = 5 * 1024 * 1024
"""Bytes of a question, on a busy machine: that a sheet is large is not the fault of the statement."""
_ANSWER_BYTES_MAX = 16 * 1024 * 1024
_MEMORY_BYTES = 1536 * 1024 * 1024
_STATEMENT_CHARACTERS_MAX = 20_000
_SHARE = 0.8
"""Of the time the statement itself may take: what it takes too long for is then said by SQLite, not by a kill."""
_QUEUE_S = 10.0
_BUSY = "Too many statements are being answered: try again in a few seconds."
_TOO_LARGE = f"The tables are too large to be asked together, more than {_CELLS_MAX:,} cells: name fewer of them."
_FAILED = "The statement could not be answered: the process that runs it ended. The log has more."

_ENDINGS = {
    Ending.TOO_SLOW: TOO_SLOW,
    Ending.OUT_OF_MEMORY: TOO_MUCH_MEMORY,
    Ending.ANSWER_TOO_LARGE: "The answer is too large: ask for fewer columns or rows.",
}


class ChildSql:
    """`seconds` bounds a question from the start of its process to its answer; what is loaded adds to them."""

    def __init__(self, *, seconds: float = 5.0, processes: int = 2) -> None:
        self._seconds = seconds
        self._slots = asyncio.Semaphore(processes)
        self._running: set[asyncio.Task[bytes]] = set()
        self._is_closed = False

    async def ask(self, tables: Sequence[ParsedTable], statement: str, *, rows_max: int) -> SqlAnswer:
        if len(statement) > _STATEMENT_CHARACTERS_MAX:
            raise TooLarge(f"The statement is longer than {_STATEMENT_CHARACTERS_MAX} characters.", field=_FIELD)
        async with deadline(_QUEUE_S, message=_BUSY, unavailable=Unavailable):
            await self._slots.acquire()
        try:
            # In a thread: tables may have a million cells.
            question = await asyncio.to_thread(_question, tables, statement, rows_max, self._seconds * _SHARE)
            said = await self._run(question)
            return await asyncio.to_thread(_answer, said)
        finally:
            self._slots.release()

    async def _run(self, question: bytes) -> bytes:
        if self._is_closed:
            raise Unavailable("The server is stopping.")
        seconds = self._seconds + len(question) / _LOADED_A_SECOND
        bounds = Bounds(
            wall_s=seconds,
            cpu_s=int(seconds) + 1,
            memory_bytes=_MEMORY_BYTES,
            answer_bytes_max=_ANSWER_BYTES_MAX,
        )
        task = asyncio.create_task(run_confined(_MODULE, question, bounds=bounds))
        self._running.add(task)
        try:
            return await task
        except ConfinedFailure as failure:
            raise _unanswered(failure) from failure
        except asyncio.CancelledError:
            if self._is_closed and task.cancelled():
                raise Unavailable("The server is stopping.") from None
            raise
        finally:
            self._running.discard(task)

    async def close(self) -> None:
        self._is_closed = True
        running = tuple(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _question(tables: Sequence[ParsedTable], statement: str, rows_max: int, seconds: float) -> bytes:
    # What the statement does not name is there to be named, but not loaded.
    rows = [
        table.rows if _is_named(name, statement) else ()
        for name, table in zip(table_names(tables), tables, strict=True)
    ]
    if sum(len(some) * len(table.columns) for some, table in zip(rows, tables, strict=True)) > _CELLS_MAX:
        raise TooLarge(_TOO_LARGE, field=_FIELD)
    asked = {
        "tables": [
            {"name": table.name, "columns": table.columns, "rows": some}
            for some, table in zip(rows, tables, strict=True)
        ],
        "statement": statement,
        "rows_max": rows_max,
        "seconds": seconds,
    }
    # Half a character, which JSON may carry and SQLite refuses, becomes a question mark.
    question = json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")
    if len(question) > _QUESTION_BYTES_MAX:
        raise TooLarge(_TOO_LARGE, field=_FIELD)
    return question


def _is_named(table: str, statement: str) -> bool:
    """Or something that looks like it: a quote in a name is written twice."""
    lowered, name = statement.lower(), table.lower()
    return any(name.replace(quote, quote * 2) in lowered for quote in ("", '"', "`"))


def _unanswered(failure: ConfinedFailure) -> InvalidInput | Unavailable:
    log.warning("sql_process_failed", ending=failure.ending.value, said=failure.said)
    sentence = _ENDINGS.get(failure.ending)
    return Unavailable(_FAILED) if sentence is None else InvalidInput(sentence, field=_FIELD)


def _answer(said: bytes) -> SqlAnswer:
    """What the process says is checked like anything that comes from outside: it ran somebody else's statement."""
    try:
        answer = json.loads(said)
        if "refused" in answer:
            raise InvalidInput(str(answer["refused"]), field=_FIELD)
        columns = tuple(str(name) for name in answer["columns"])
        rows = tuple(_row(row, len(columns)) for row in answer["rows"])
        return SqlAnswer(columns, rows, is_cut=bool(answer["is_cut"]))
    except (ValueError, KeyError, TypeError) as error:
        raise Unavailable(_FAILED) from error


def _row(row: list[Any], width: int) -> tuple[Cell, ...]:
    if len(row) != width or not all(cell is None or isinstance(cell, str | int | float) for cell in row):
        raise ValueError("a row is not as wide as the columns, or a cell is no cell")
    return tuple(row)
