"""Is all that was acknowledged still there when PostgreSQL goes away under load, and do calls work when it is back?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest

from tests.adapters.postgres_load import RECOVERY_S, Load, assert_truth_was_told, works_again
from tests.adapters.postgres_storages import Session, Storages
from tests.contract.builders import changes, ids_of, record, search
from tests.postgres.private import PrivateServer
from yiku.model.errors import StorageUnavailable
from yiku.model.scopes import user_partition

TERMINATIONS = 20
AWAY_S = 7.0
"""Longer than a lost connection is tried again by itself."""


@pytest.fixture
async def mortal_storages(private_postgres: PrivateServer) -> AsyncIterator[Storages]:
    """On a server that the test may kill."""
    opened = Storages(private_postgres.url())
    yield opened
    await opened.close()


async def test_all_connections_may_be_ended_under_load_again_and_again(storages: Storages, session: Session) -> None:
    chance = Random(20260102)
    ended = """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE application_name = 'yiku' AND datname = current_database()
    """
    ours, theirs = await storages(), await storages()
    load = Load(ours, theirs)
    async with load.running():
        for _ in range(TERMINATIONS):
            await load.goes_on(chance.randrange(1, 30))
            await asyncio.to_thread(session.execute, ended)
    await works_again(ours)
    await assert_truth_was_told(load, theirs)


@pytest.mark.parametrize("how", ["stopped", "killed"])
async def test_a_server_that_goes_away_under_load_and_comes_back_has_lost_nothing_acknowledged(
    private_postgres: PrivateServer, mortal_storages: Storages, how: str
) -> None:
    ours, theirs = await mortal_storages(), await mortal_storages()
    load = Load(ours, theirs)
    async with load.running():
        for _ in range(2):
            await load.goes_on(100)
            await (private_postgres.stop("fast") if how == "stopped" else private_postgres.kill())
            await private_postgres.start()
            await load.goes_on(100)
    for storage in (ours, theirs):
        await works_again(storage)
    await assert_truth_was_told(load, ours)


async def test_calls_made_while_the_server_is_away_for_long_are_served_as_soon_as_it_is_back(
    private_postgres: PrivateServer, mortal_storages: Storages
) -> None:
    storage = await mortal_storages()
    users = [user_partition("default", f"user-{number}") for number in range(20)]
    await asyncio.gather(*(storage.commit(changes(record("before", "tea"), partition=user)) for user in users))
    await private_postgres.stop()
    commits = [asyncio.create_task(storage.commit(changes(record("m-1"), partition=user))) for user in users]
    searches = [asyncio.create_task(search(storage, "tea", partitions=[user])) for user in users]
    told, _ = await asyncio.wait([*commits, *searches], timeout=AWAY_S)
    assert all(isinstance(task.exception(), StorageUnavailable) for task in told)
    await private_postgres.start()
    async with asyncio.timeout(RECOVERY_S / 2):
        outcomes = await asyncio.gather(*commits, *searches, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes if isinstance(outcome, BaseException)} <= {StorageUnavailable}
    await works_again(storage)
    for user, outcome in zip(users, outcomes, strict=False):
        assert ("m-1" in await ids_of(storage, user)) >= (outcome is None)


async def test_a_server_that_does_not_come_back_fails_every_call_by_its_deadline_and_can_be_closed(
    private_postgres: PrivateServer, mortal_storages: Storages
) -> None:
    storage = await mortal_storages(deadline_s=1.0)
    await storage.commit(changes(record("before")))
    await private_postgres.stop()
    async with asyncio.timeout(RECOVERY_S):
        calls = [storage.commit(changes(record("m-1"))) for _ in range(20)] + [ids_of(storage) for _ in range(20)]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [StorageUnavailable] * 40
        await storage.close()
