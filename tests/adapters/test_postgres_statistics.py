"""Does a database that fills quickly know in time what its tables hold?"""

from __future__ import annotations

from tests.adapters.postgres_storages import Session, Storages
from tests.contract.builders import ALICE, changes, ids_of, record
from yiku.adapters.postgres import PostgresStorage
from yiku.adapters.postgres.statistics import Statistics
from yiku.model.errors import StorageUnavailable

ENOUGH = 1_000


async def fill(storage: PostgresStorage, count: int) -> None:
    for start in range(0, count, 500):
        numbers = range(start, min(start + 500, count))
        await storage.commit(changes(*(record(f"m-{number}", unique_key=f"key {number}") for number in numbers)))


def plan(session: Session) -> str:
    """How the row with one key is found among all of a user."""
    lines = session.execute("""
        EXPLAIN SELECT record.id FROM unnest(ARRAY['key 1', 'no such key']) AS asked (key) CROSS JOIN LATERAL
        (SELECT id FROM record WHERE partition = 1 AND kind = 'memory' AND unique_key = asked.key LIMIT 1) AS record
    """)
    return "\n".join(line for (line,) in lines)


async def test_after_many_records_a_key_is_found_without_reading_them_all(storages: Storages, session: Session) -> None:
    storage = await storages()
    await fill(storage, ENOUGH)
    await storage.close()
    assert "record_by_key" in plan(session)
    gathered = session.execute("SELECT relname FROM pg_stat_user_tables WHERE last_analyze IS NOT NULL").fetchall()
    assert {"record", "feature", "field", "partition"} <= {name for (name,) in gathered}


async def test_after_few_records_nothing_is_gathered(storages: Storages, session: Session) -> None:
    storage = await storages()
    await fill(storage, ENOUGH - 1)
    await storage.close()
    gathered = session.execute("SELECT relname FROM pg_stat_user_tables WHERE last_analyze IS NOT NULL").fetchall()
    assert gathered == []


async def test_a_table_that_somebody_else_looks_after_is_filled_all_the_same(
    storages: Storages, session: Session
) -> None:
    """A vacuum holds the same lock."""
    storage = await storages(deadline_s=1.0)
    session.execute("BEGIN")
    session.execute("LOCK TABLE record IN SHARE UPDATE EXCLUSIVE MODE")
    await fill(storage, ENOUGH)
    await storage.commit(changes(record("after")))
    assert "after" in await ids_of(storage, ALICE)
    await storage.close()
    session.execute("ROLLBACK")


async def test_each_time_there_are_four_times_as_many() -> None:
    noted: list[int] = []
    gathered: list[int] = []

    async def gathering() -> None:
        gathered.append(sum(noted))

    statistics = Statistics(gathering)
    for _ in range(200):
        noted.append(100)
        statistics.note(100)
        await statistics.close()
    assert gathered == [1_000, 4_000, 16_000]


async def test_what_cannot_be_gathered_is_tried_again_later() -> None:
    tries = 0

    async def refused() -> None:
        nonlocal tries
        tries += 1
        raise StorageUnavailable("locked")

    statistics = Statistics(refused)
    for _ in range(2):
        statistics.note(4_000)
        await statistics.close()
    assert tries == 1
    statistics.note(8_000)
    await statistics.close()
    assert tries == 2
