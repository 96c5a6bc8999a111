"""Who has to wait, and for how long, when a lock is held for ever or the network says nothing any more?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager

import psycopg
import pytest

from tests.adapters.postgres_load import works_again
from tests.adapters.postgres_storages import Storages
from tests.contract.builders import ALICE, Found, changes, claim, hit_ids, ids_of, record, search
from tests.postgres.proxy import Proxy
from yiku.adapters.postgres import PostgresStorage
from yiku.model.errors import StorageUnavailable
from yiku.model.scopes import Partition, user_partition

DEADLINE_S = 2.0
GENEROUS_S = 20.0


def _users(count: int) -> list[Partition]:
    return [user_partition("default", f"user-{number}") for number in range(count)]


async def _warmed(storage: PostgresStorage) -> PostgresStorage:
    """With all its connections open."""
    await storage.commit(changes(record("before", "tea")))
    assert await _commits_to(storage, _users(20)) == {type(None)}
    assert await _outcomes(search(storage, "tea") for _ in range(20)) == {Found}
    return storage


@asynccontextmanager
async def _locked(database: str, *partitions: Partition) -> AsyncIterator[None]:
    """What a server does to the others that has stopped in the middle of a commit."""
    async with await psycopg.AsyncConnection.connect(database) as blocker:
        for partition in partitions:
            locked = await blocker.execute(
                "SELECT number FROM partition WHERE owner = %s FOR UPDATE", (partition.owner,)
            )
            assert locked.rowcount == 1
        yield
        await blocker.rollback()


async def _outcomes(calls: Iterable[Awaitable[object]]) -> set[type[object]]:
    """What became of calls that are made at once; they must all have ended in time."""
    async with asyncio.timeout(GENEROUS_S):
        return {type(outcome) for outcome in await asyncio.gather(*calls, return_exceptions=True)}


async def _commits_to(storage: PostgresStorage, users: Iterable[Partition]) -> set[type[object]]:
    return await _outcomes(storage.commit(changes(record("m-1", "tea"), partition=user)) for user in users)


async def test_a_user_who_is_locked_out_waits_alone(storages: Storages, database: str) -> None:
    storage = await storages(deadline_s=DEADLINE_S)
    await storage.commit(changes(record("before", "tea")))
    async with _locked(database, ALICE), asyncio.TaskGroup() as tasks:
        late = tasks.create_task(_commits_to(storage, [ALICE] * 100))
        assert hit_ids(await search(storage, "tea")) == ["before"]
        assert await ids_of(storage) == ["before"]
        assert await _commits_to(storage, _users(20)) == {type(None)}
        assert await claim(storage) == []
        assert await late == {StorageUnavailable}
    await works_again(storage)
    await storage.commit(changes(record("after")))


async def test_every_call_ends_in_time_when_the_only_two_connections_are_run_dry(
    storages: Storages, database: str
) -> None:
    storage = await storages(deadline_s=DEADLINE_S, connections=2)
    await storage.commit(changes(record("before", "tea")))
    async with _locked(database, ALICE), asyncio.TaskGroup() as tasks:
        writes = tasks.create_task(_commits_to(storage, [ALICE] * 50 + _users(50)))
        reads = tasks.create_task(_outcomes(search(storage, "tea") for _ in range(100)))
        assert StorageUnavailable in await writes
        assert Found in await reads
        assert hit_ids(await search(storage, "tea")) == ["before"]
    await works_again(storage)
    assert await _commits_to(storage, [ALICE, *_users(20)]) == {type(None)}


async def test_a_network_that_says_nothing_fails_calls_by_their_deadline_and_heals_by_itself(
    storages: Storages, proxy: Proxy
) -> None:
    storage = await _warmed(await storages(proxy.url, deadline_s=DEADLINE_S))
    assert hit_ids(await search(storage, "tea")) == ["before"]
    proxy.stop_passing()
    assert await _commits_to(storage, [ALICE, *_users(20)]) == {StorageUnavailable}
    assert await _outcomes([search(storage, "tea"), ids_of(storage), claim(storage)] * 10) == {StorageUnavailable}
    proxy.pass_again()
    await works_again(storage)
    assert hit_ids(await search(storage, "tea"))[0] == "before"


async def test_connections_that_say_nothing_are_given_up_for_new_ones(storages: Storages, proxy: Proxy) -> None:
    storage = await _warmed(await storages(proxy.url, deadline_s=DEADLINE_S))
    proxy.stop_passing()
    await _outcomes([search(storage, "tea"), claim(storage), *(ids_of(storage) for _ in range(20))])
    proxy.pass_again(old=False)
    await works_again(storage)
    assert hit_ids(await search(storage, "tea"))[0] == "before"


@pytest.mark.parametrize("busy", [False, True])
async def test_a_storage_whose_network_says_nothing_can_be_closed(storages: Storages, proxy: Proxy, busy: bool) -> None:
    storage = await _warmed(await storages(proxy.url, deadline_s=DEADLINE_S))
    proxy.stop_passing()
    if busy:
        await _outcomes([search(storage, "tea"), storage.commit(changes(record("m-1"))), ids_of(storage)])
    async with asyncio.timeout(GENEROUS_S):
        await storage.close()
