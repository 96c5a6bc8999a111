"""Is a copy of a database one state of it, whatever is written while it is made?"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import apsw
import pytest

from tests.contract.builders import changes, ids_of, new_job, record, vector
from yiku.adapters.clocks import ManualClock
from yiku.adapters.sqlite import open_sqlite
from yiku.adapters.sqlite.backup import copy_database, verified_copy
from yiku.model.errors import InvalidInput, StorageUnavailable
from yiku.model.limits import Limits

LARGE = {"filler": "x" * 100_000}


async def test_a_copy_is_the_state_at_its_beginning_however_much_is_written_meanwhile(tmp_path: Path) -> None:
    storage = await open_sqlite(tmp_path, clock=ManualClock(), limits=Limits())
    before = [f"before-{number:03}" for number in range(100)]
    for name in before:
        await storage.commit(changes(record(name, "some words", embedding=vector(1, 2), body=LARGE)))
    copying = copy_database(tmp_path / "yiku.db", tmp_path / "copy.db")
    steps = 0
    for done, pages in copying:
        steps += 1
        assert 0 < done <= pages
        await storage.commit(
            changes(
                record(f"after-{steps}", "other words"), deletes=[before[steps]], enqueues=[new_job(f"job-{steps}")]
            )
        )
    await storage.close()
    assert steps > 2
    assert verified_copy(tmp_path / "copy.db").problems == ()
    (tmp_path / "restored").mkdir()
    (tmp_path / "copy.db").rename(tmp_path / "restored" / "yiku.db")
    restored = await open_sqlite(tmp_path / "restored", clock=ManualClock(), limits=Limits())
    assert await ids_of(restored) == before
    await restored.close()


async def test_a_copy_that_is_given_up_does_not_hold_up_the_store(tmp_path: Path) -> None:
    storage = await open_sqlite(tmp_path, clock=ManualClock(), limits=Limits())
    for number in range(100):
        await storage.commit(changes(record(f"r-{number}", body=LARGE)))
    copying = copy_database(tmp_path / "yiku.db", tmp_path / "copy.db")
    next(copying)
    copying.close()
    await storage.commit(changes(record("after")))
    await storage.close()


_HALF = """
import os, signal, sys
from pathlib import Path
from yiku.adapters.sqlite.backup import copy_database
next(copy_database(Path(sys.argv[1]), Path(sys.argv[2])))
os.kill(os.getpid(), signal.SIGKILL)
"""


async def test_the_half_file_of_a_copy_that_was_killed_is_not_taken_for_a_backup(tmp_path: Path) -> None:
    storage = await open_sqlite(tmp_path, clock=ManualClock(), limits=Limits())
    for number in range(100):
        await storage.commit(changes(record(f"r-{number}", body=LARGE)))
    half = tmp_path / "copy.db.part"
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", _HALF, str(tmp_path / "yiku.db"), str(half))
    assert await killed.wait() == -signal.SIGKILL
    await storage.commit(changes(record("after")))
    await storage.close()
    with pytest.raises((InvalidInput, StorageUnavailable)):
        verified_copy(half)


def test_a_copy_of_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, but long enough to be taken for the beginning of one")
    with pytest.raises(StorageUnavailable):
        list(copy_database(tmp_path / "text", tmp_path / "copy.db"))


def test_a_database_of_another_program_is_no_backup(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "other.db"))
    connection.execute("CREATE TABLE something (else_)")
    connection.close()
    with pytest.raises(InvalidInput, match="no backup of a Yiku store"):
        verified_copy(tmp_path / "other.db")


async def test_a_backup_of_a_newer_yiku_is_refused(tmp_path: Path) -> None:
    storage = await open_sqlite(tmp_path, clock=ManualClock(), limits=Limits())
    await storage.close()
    connection = apsw.Connection(str(tmp_path / "yiku.db"))
    connection.execute("PRAGMA user_version = 1000")
    connection.close()
    with pytest.raises(StorageUnavailable, match="newer Yiku"):
        verified_copy(tmp_path / "yiku.db")
