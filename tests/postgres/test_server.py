"""Do the servers of the tests keep what was committed, through each way to end, and leave nothing behind?"""

from __future__ import annotations

import os
import select
import signal
import sys
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from tests.postgres.databases import Databases
from tests.postgres.private import PrivateServer

ROOT = Path(__file__).parents[2]

UNTIL_KILLED = """
from tests.postgres.server import running_server

with running_server() as server:
    print(server.url(), flush=True)
    input()
"""


async def execute(url: str, statement: str) -> list[tuple[object, ...]]:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        cursor = await connection.execute(statement)
        return await cursor.fetchall() if cursor.description else []


async def test_a_fresh_database_is_empty_and_its_own(databases: Databases) -> None:
    with databases.fresh_database() as ours, databases.fresh_database() as theirs:
        await execute(ours, "CREATE EXTENSION vector")
        await execute(ours, "CREATE TABLE kept (id INTEGER)")
        assert await execute(theirs, "SELECT extname FROM pg_extension") == [("plpgsql",)]
        assert await execute(theirs, "SELECT 1 FROM pg_tables WHERE tablename = 'kept'") == []
        assert await execute(theirs, "SHOW server_encoding") == [("UTF8",)]


async def test_a_database_is_dropped_under_those_who_still_use_it(databases: Databases) -> None:
    with databases.fresh_database() as url:
        connection = await psycopg.AsyncConnection.connect(url)
    databases.wait()
    with pytest.raises(psycopg.OperationalError):
        await connection.execute("SELECT 1")
    await connection.close()
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        await psycopg.AsyncConnection.connect(url)


async def test_a_commit_is_flushed_to_disk(databases: Databases) -> None:
    with databases.fresh_database() as url:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert await execute(url, f"SHOW {setting}") == [("on",)]


async def test_a_private_server_comes_back_with_what_was_committed(private_postgres: PrivateServer) -> None:
    url = private_postgres.url()
    await execute(url, "CREATE TABLE kept AS SELECT 1 AS id")
    ends = (private_postgres.kill, private_postgres.stop, partial(private_postgres.stop, "immediate"))
    for end in (*ends, *ends):
        await end()
        with pytest.raises(psycopg.OperationalError):
            await psycopg.AsyncConnection.connect(url)
        await private_postgres.start()
        assert await execute(url, "SELECT id FROM kept") == [(1,)]


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux lets us wait for processes that are not ours")
@pytest.mark.usefixtures("private_postgres")  # Where no server can be run, this is skipped too.
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_killed_leaves_no_server_and_no_files(number: signal.Signals) -> None:
    command = [sys.executable, "-c", UNTIL_KILLED]
    with Popen(command, cwd=ROOT, text=True, stdin=PIPE, stdout=PIPE, stderr=DEVNULL) as run:
        assert run.stdout is not None
        url = run.stdout.readline().strip()
        with psycopg.connect(url) as connection:
            [[data]] = connection.execute("SHOW data_directory")
        started = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        handles = [os.pidfd_open(int(process)) for process in started]
        run.send_signal(number)
    for handle in handles:
        assert select.select([handle], [], [], 30)[0], "a process has not ended"
        os.close(handle)
    assert not Path(data).exists()
    assert not Path(parse_qs(urlsplit(url).query)["host"][0]).exists()
