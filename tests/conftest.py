"""Which place does a test get for its data, on which engine, and which PostgreSQL server is behind it?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.engines import ENGINES
from tests.postgres.databases import Databases, databases_on
from tests.postgres.home import NoPostgres
from tests.postgres.private import PrivateServer
from tests.postgres.server import Server, running_server

GIVEN_SERVER = "POSTGRES_TEST_URL"


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are not named by what they hold: an archive that is made for a test holds the time, and processes that run
    tests beside each other must call them the same."""
    return argname if isinstance(val, bytes) else None


def _start(stack: ExitStack) -> Server:
    """A server until the stack is closed. A test that needs one is skipped where none can be run."""
    try:
        return stack.enter_context(running_server())
    except (NoPostgres, PermissionError) as reason:
        pytest.skip(f"PostgreSQL cannot be run here: {reason}")


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """On the server that is given, or else on one of our own, which all tests of the run share."""
    with ExitStack() as stack:
        yield stack.enter_context(databases_on(os.environ.get(GIVEN_SERVER) or _start(stack).url()))


@pytest.fixture
def private_postgres() -> Iterator[PrivateServer]:
    """A server that the test may kill."""
    with ExitStack() as stack:
        yield PrivateServer(_start(stack))


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A fresh place on each engine in turn. A server is started by the first test that wants one."""
    if request.param == "sqlite":
        yield str(tmp_path / "data")
        return
    databases: Databases = request.getfixturevalue("databases")
    with databases.fresh_database() as url:
        yield url
