"""What the confined process does: load the tables, lock the database, run one SELECT, answer.

Both ways it is JSON. `{tables, statement, rows_max, seconds}` becomes `{columns, rows, is_cut}`, or `{refused}` with a
sentence for whoever asked.
"""

from __future__ import annotations

import json
from typing import Any

from yiku.adapters.sql.checking import checked
from yiku.adapters.sql.loading import loaded
from yiku.adapters.sql.locking import Lock
from yiku.adapters.sql.problems import Refused
from yiku.adapters.sql.running import run
from yiku.model.parsed import ParsedTable


def answer(question: bytes) -> bytes:
    asked = json.loads(question)
    try:
        said = _answered(asked)
    except Refused as refused:
        said = {"refused": refused.sentence}
    return json.dumps(said, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def _answered(asked: dict[str, Any]) -> dict[str, Any]:
    statement = checked(asked["statement"])
    tables = [ParsedTable(table["name"], table["columns"], table["rows"]) for table in asked["tables"]]
    connection, names = loaded(tables)
    lock = Lock(connection, names, seconds=asked["seconds"])
    return run(connection, lock, statement, rows_max=asked["rows_max"])
