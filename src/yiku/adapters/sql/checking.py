"""Is this one SELECT? What is asked here is a courtesy that finds good words; the boundary is `locking`."""

from __future__ import annotations

import re

from yiku.adapters.sql.problems import Refused

STATEMENT_BYTES_MAX = 20_000
_APART = re.compile(
    r"""'(?:[^']|'')*(?:'|\Z) | "(?:[^"]|"")*(?:"|\Z) | `[^`]*(?:`|\Z) | \[[^\]]*(?:\]|\Z)
    | (?P<comment> --[^\n]* | /\*.*?(?:\*/|\Z) ) | (?P<end> ; )""",
    re.VERBOSE | re.DOTALL,
)
"""Where a semicolon is text, and where it ends a statement."""
_READS = re.compile(r"[\s(]*(SELECT|WITH|VALUES)\b", re.IGNORECASE)


def checked(statement: str) -> str:
    """The statement without comments and without its semicolon."""
    if len(statement.encode("utf-8", "replace")) > STATEMENT_BYTES_MAX:
        raise Refused(f"The statement is longer than {STATEMENT_BYTES_MAX} bytes.")
    if "\0" in statement:
        raise Refused("The statement has a NUL character.")
    first, *others = [part for part in _statements(statement) if part.strip()] or [""]
    if not first:
        raise Refused("The statement is empty: write a SELECT.")
    if others:
        raise Refused("Only one statement at a time: there is more after the semicolon.")
    if _READS.match(first) is None:
        raise Refused("Only reading is possible: the statement must begin with SELECT, WITH or VALUES.")
    return first


def _statements(statement: str) -> list[str]:
    parts: list[str] = [""]
    at = 0
    for found in _APART.finditer(statement):
        parts[-1] += statement[at : found.start()]
        if found["end"]:
            parts.append("")
        else:
            parts[-1] += " " if found["comment"] else found[0]
        at = found.end()
    parts[-1] += statement[at:]
    return parts
