"""Are records found by name without reading all the others? SQLite decides that by itself, and can decide wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.contract.builders import record
from yiku.adapters.clocks import ManualClock
from yiku.adapters.sqlite import DATABASE_FILE, open_sqlite
from yiku.adapters.sqlite.changes import _HELD_ID, _HELD_KEY, _STORED
from yiku.adapters.sqlite.pages import _BY_ID, _BY_KEY, _HOLDERS, _LOCATED, _WITH_EMBEDDING
from yiku.model.limits import Limits
from yiku.model.records import Changes
from yiku.model.scopes import user_partition

NAMES = '["m-1", "no-such"]'


@pytest.fixture
async def stored(tmp_path: Path) -> Path:
    """Several users with some records each."""
    storage = await open_sqlite(tmp_path, clock=ManualClock(), limits=Limits())
    for user in ("ann", "ben", "安"):
        puts = tuple(record(f"{user}-{number}", "tea", unique_key=f"key {number}") for number in range(50))
        await storage.commit(Changes(partition=user_partition("default", user), puts=puts))
    await storage.close()
    return tmp_path / DATABASE_FILE


@pytest.fixture
def connection(stored: Path) -> Iterator[apsw.Connection]:
    connection = apsw.Connection(str(stored), flags=apsw.SQLITE_OPEN_READONLY)
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("statement", "bindings", "way"),
    [
        (_BY_ID, (1, "memory", NAMES, 0), "record_by_id (id=? AND kind=? AND partition=?)"),
        (_BY_KEY, (1, "memory", NAMES, 0), "record_by_key (partition=? AND kind=? AND unique_key=?)"),
        (_LOCATED, ("memory", "m-1", 0, "default"), "record_by_id (id=? AND kind=?)"),
        (_HOLDERS, (NAMES, "memory", 0, "default"), "record_by_id (id=? AND kind=?)"),
        (_STORED, (1, "memory", "m-1"), "record_by_id (id=? AND kind=? AND partition=?)"),
        (_HELD_ID, (NAMES, "memory", 1), "record_by_id (id=? AND kind=? AND partition=?)"),
        (_HELD_KEY, (NAMES, "memory", 1), "record_by_key (partition=? AND kind=? AND unique_key=?)"),
        (_WITH_EMBEDDING, ("[1, 2]", 0), "record USING INTEGER PRIMARY KEY (rowid=?)"),
    ],
    ids=["by id", "by key", "located", "holders", "stored", "held id", "held key", "with embedding"],
)
def test_a_look_by_name_goes_straight_to_it(
    connection: apsw.Connection, statement: str, bindings: tuple[Any, ...], way: str
) -> None:
    plan = [str(step[-1]) for step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", bindings)]
    assert any(way in step for step in plan), plan
    others = [step for step in plan if " record " in step and way not in step]
    assert others == []
