"""How often must each call wait for the server?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count

import pytest

from tests.adapters.postgres_storages import Storages
from tests.contract.builders import ALICE, changes, new_job, record, search, vector
from tests.postgres.proxy import Proxy
from yiku.adapters.postgres import PostgresStorage
from yiku.model.conditions import Eq
from yiku.model.records import PageQuery

WARMING, TIMES = 8, 20
"""After a few times the driver has prepared its statements, and the index is in memory."""

Call = Callable[[PostgresStorage], Awaitable[object]]

_numbers = count()


def _commit(storage: PostgresStorage) -> Awaitable[object]:
    return storage.commit(changes(record(f"new-{next(_numbers)}", "喝茶", embedding=vector(1, 1), fields={"a": 1})))


def _add(storage: PostgresStorage) -> Awaitable[object]:
    return storage.commit(changes(record("event"), enqueues=[new_job(f"j-{next(_numbers)}")]))


@pytest.mark.parametrize(
    ("call", "trips"),
    [
        pytest.param(lambda storage: storage.get(ALICE, "memory", ["m-1"]), 1, id="get"),
        pytest.param(lambda storage: storage.page(PageQuery(partitions=(ALICE,), kind="memory")), 4, id="page"),
        pytest.param(lambda storage: search(storage, "喝茶", embedding=vector(1, 0)), 4, id="search"),
        pytest.param(
            lambda storage: search(storage, "喝茶", embedding=vector(1, 0), where=Eq("a", 1)), 5, id="filtered search"
        ),
        pytest.param(_commit, 2, id="commit"),
        # And now and then one that tells other servers of the jobs, for which nobody waits.
        pytest.param(_add, 4, id="add"),
    ],
)
async def test_a_call_waits_for_few_answers(storages: Storages, proxy: Proxy, call: Call, trips: int) -> None:
    storage = await storages(proxy.url, connections=2)
    await storage.commit(changes(record("m-1", "喝茶", embedding=vector(1, 0), fields={"a": 1})))
    for _ in range(WARMING):
        await call(storage)
    before = proxy.trips
    for _ in range(TIMES):
        await call(storage)
    assert proxy.trips - before <= TIMES * trips
