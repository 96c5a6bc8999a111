"""What does a test of the PostgreSQL engine get: a database of its own, storages on it, and a proxy in between."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import psycopg
import pytest

from tests.adapters.postgres_storages import Session, Storages
from tests.postgres.databases import Databases
from tests.postgres.proxy import Proxy, running_proxy


@pytest.fixture
def database(databases: Databases) -> Iterator[str]:
    with databases.fresh_database() as url:
        yield url


@pytest.fixture
async def storages(database: str) -> AsyncIterator[Storages]:
    opened = Storages(database)
    yield opened
    await opened.close()


@pytest.fixture
async def proxy(database: str, storages: Storages) -> AsyncIterator[Proxy]:
    """Cut before the storages are closed: one that hangs on it must not hang for ever."""
    async with running_proxy(database) as between:
        yield between


@pytest.fixture
def session(database: str) -> Iterator[Session]:
    """What an administrator, or another server, does in the same database."""
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection
