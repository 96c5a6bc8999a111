"""What is wrong with a statement, in words for whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import apsw

TOO_SLOW = (
    "The statement takes too long: narrow it with WHERE, join tables on equal columns, and give every recursion an end."
)
TOO_MUCH_MEMORY = "The statement needs too much memory: ask for fewer rows, or for a count or a sum of them."
_NAMES_SHOWN_MAX = 50

Names = Mapping[str, Sequence[str]]
"""Tables and their columns."""


class Refused(Exception):
    """A sentence that leaves the process."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


def problem(error: apsw.Error, names: Names) -> str:
    for kind, sentence in _KINDS:
        if isinstance(error, kind):
            return sentence
    said = str(error).removeprefix("SQLError: ")
    for words, explained in _SAID:
        if found := re.search(words, said):
            return explained(found, names)
    return f"SQLite cannot run the statement: {said}."


def listed(names: Iterable[str]) -> str:
    shown = list(names)
    more = ", …" if len(shown) > _NAMES_SHOWN_MAX else ""
    return ", ".join(quoted(name) for name in shown[:_NAMES_SHOWN_MAX]) + more


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _no_table(found: re.Match[str], names: Names) -> str:
    there = f"the tables are {listed(names)}" if names else "there are no tables"
    return f"There is no table {found[1]}: {there}."


def _no_column(found: re.Match[str], names: Names) -> str:
    columns = "; ".join(f"{quoted(table)} has {listed(columns)}" for table, columns in list(names.items())[:10])
    hint = " Text stands in single quotes, 'so'." if found[1].startswith('"') or "single-quotes" in found.string else ""
    return f"There is no column {found[1]}: {columns}.{hint}"


def _no_function(found: re.Match[str], names: Names) -> str:
    return f"There is no function {found[1]} here."


_KINDS: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.InterruptError, TOO_SLOW),
    (apsw.NoMemError, TOO_MUCH_MEMORY),
    (apsw.TooBigError, "The statement, or a text that it makes, is too long."),
    (apsw.BindingsError, "The statement has parameters (?, :name): write the values themselves."),
)
_SAID: tuple[tuple[str, Callable[[re.Match[str], Names], str]], ...] = (
    (r"no such table: (.+)", _no_table),
    (r"no such column: (\"[^\"]*\"|\S+)", _no_column),
    (r"no such function: (\S+)", _no_function),
    (r"near \"(.+)\": syntax error", lambda found, _: f"The statement is not valid SQL for SQLite near {found[1]!r}."),
    (r"incomplete input|unrecognized token", lambda *_: "The statement is not complete: a quote or bracket is open."),
    (r"ambiguous column name: (.+)", lambda found, _: f"Several tables have a column {found[1]}: write table.column."),
    (r"Expression tree is too large|parser stack overflow", lambda *_: "The statement is nested too deeply."),
    (r"too many terms in compound SELECT", lambda *_: "The statement joins too many SELECTs with UNION."),
)
