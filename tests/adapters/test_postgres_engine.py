"""What does PostgreSQL have to get right that the contract cannot see: its index entries, its sweep, its own check?"""

from __future__ import annotations

import asyncio
from typing import LiteralString, NoReturn

import psycopg
import pytest

from tests.adapters.postgres_storages import Session, Storages
from tests.contract.builders import (
    ALICE,
    BOB,
    changes,
    claim,
    hit_ids,
    ids_of,
    job_ids,
    new_job,
    record,
    search,
    vector,
)
from yiku.adapters.postgres import PostgresStorage
from yiku.model.conditions import Condition, Eq, Exists, Fields, Glob, Range
from yiku.model.errors import StorageUnavailable
from yiku.model.records import PageQuery
from yiku.model.scopes import Partition, user_partition

GENEROUS_S = 30.0
ONE_SWEEP = 500
LONGEST_ID = "😀" * 64
"""256 bytes: the longest identifier that a client may choose (`Limits.user_id_bytes`)."""
INCOMPRESSIBLE = "".join(chr(0x4E00 + (number * 7919 + number * number * 104_729) % 20_000) for number in range(5_400))
"""16 KB of text: as much as all metadata of a memory may hold (`Limits.metadata_bytes`)."""


async def test_no_identifier_is_too_long_for_an_index(storages: Storages) -> None:
    storage = await storages()
    for partition in (
        user_partition("default", LONGEST_ID),
        user_partition(LONGEST_ID, LONGEST_ID, store=LONGEST_ID, app=LONGEST_ID),
        Partition(INCOMPRESSIBLE[:85], INCOMPRESSIBLE[85:340]),
    ):
        lane = f"digest:{partition.workspace}:{partition.owner}"
        job = new_job(f"job {LONGEST_ID} {partition.workspace}", lane=lane, kind=LONGEST_ID)
        put = record(LONGEST_ID, "喝茶", kind=LONGEST_ID, unique_key=INCOMPRESSIBLE[:256])
        await storage.commit(changes(put, partition=partition, enqueues=[job]))
        assert await ids_of(storage, partition, kind=LONGEST_ID) == [LONGEST_ID]
        assert len(await storage.find(partition, LONGEST_ID, [INCOMPRESSIBLE[:256]])) == 1
        assert await storage.partitions(partition.workspace, partition.owner) == [partition]
        assert job_ids(await claim(storage, kinds=[LONGEST_ID])) == [job.id]
        await storage.drop(partition)


async def test_filter_names_and_values_of_any_length_are_kept_and_found(storages: Storages) -> None:
    storage = await storages()
    odd = "".join(map(chr, range(1, 32))) + "\x7f\u2028\ufeff\U0010ffff'\"\\%_"
    fields: Fields = {INCOMPRESSIBLE: 1, "text": INCOMPRESSIBLE, odd: odd, "list": tuple(INCOMPRESSIBLE[:128])}
    await storage.commit(changes(record("m-1", odd, fields=fields, body={odd: INCOMPRESSIBLE}), record("m-2")))
    questions: tuple[Condition, ...] = (
        Exists(INCOMPRESSIBLE),
        Eq("text", INCOMPRESSIBLE),
        Eq(odd, odd),
        Range("text", gt=INCOMPRESSIBLE[:-1], lte=INCOMPRESSIBLE),
        Glob("text", f"*{INCOMPRESSIBLE[100:]}"),
        Eq("list", INCOMPRESSIBLE[127]),
    )
    for where in questions:
        page = await storage.page(PageQuery(partitions=(ALICE,), kind="memory", where=where))
        assert [(found.id, found.fields, found.text) for found in page.records] == [("m-1", fields, odd)]
    assert (await storage.check()).problems == ()


async def _until(session: Session, question: LiteralString, answer: object) -> None:
    async with asyncio.timeout(GENEROUS_S):
        while await asyncio.to_thread(lambda: session.execute(question).fetchone()) != (answer,):
            continue


async def test_what_has_expired_leaves_every_table_and_what_was_put_again_stays(
    storages: Storages, session: Session
) -> None:
    storage = await storages()
    for number in range(3):
        user = user_partition("default", f"user-{number}")
        dying = [
            record(
                f"m-{part}", "喝茶", fields={"a": part}, embedding=vector(1, part), unique_key=str(part), expires_s=1
            )
            for part in range(ONE_SWEEP // 2)
        ]
        await storage.commit(changes(*dying, record("lasting", "喝茶"), partition=user))
    await storage.commit(changes(record("again", "喝茶", expires_s=1), record("later", "喝茶", expires_s=9)))
    storages.clock.advance(2)
    await storage.commit(changes(record("again", "喝茶")))
    # Every storage sweeps when it is opened.
    sweeper = await storages()
    await _until(session, "SELECT count(*) FROM record", 5)
    for table, rows in (("feature", 5), ("field", 0), ("embedding", 0), ("job", 0)):
        assert session.execute(f"SELECT count(*) FROM {table}").fetchone() == (rows,)
    assert await ids_of(storage) == ["again", "later"]
    assert [found.version for found in await storage.get(ALICE, "memory", ["again"])] == [1]
    for searched in (storage, sweeper):
        assert hit_ids(await search(searched, "喝茶")) == ["again", "later"]
    assert [change.ref.id for change in await storage.scan(ALICE)] == ["later", "again"]
    assert (await storage.check()).problems == ()


async def test_sweeps_of_several_servers_and_new_puts_do_not_disturb_each_other(
    storages: Storages, session: Session
) -> None:
    storage = await storages()
    names = [f"m-{number:04}" for number in range(3 * ONE_SWEEP)]
    await storage.commit(changes(*(record(name, "喝茶", expires_s=1) for name in names)))
    storages.clock.advance(2)
    sweepers = await asyncio.gather(*(storages(connections=2) for _ in range(4)))
    kept = names[::5]
    await asyncio.gather(*(storage.commit(changes(record(name, "喝茶"))) for name in kept))
    await _until(session, "SELECT count(*) FROM record", len(kept))
    for searched in (storage, *sweepers):
        assert await ids_of(searched) == kept
        assert (await search(searched, "喝茶")).statistics.document_frequencies == (len(kept),)
    assert (await storage.check()).problems == ()


async def test_a_put_that_had_expired_already_counts_for_nothing_within_its_own_commit(storages: Storages) -> None:
    storage = await storages()
    ended = record("m-1", unique_key="key", expires_s=0)
    await storage.commit(changes(ended, record("m-1", unique_key="key")))
    assert [found.version for found in await storage.get(ALICE, "memory", ["m-1"])] == [1]
    await storage.commit(changes(ended, record("m-2", unique_key="key")))
    assert await ids_of(storage) == ["m-2"]


PAUSE = """
CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('application_name') = 'yiku' THEN PERFORM pg_advisory_xact_lock(7); END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER pause AFTER INSERT ON partition FOR EACH STATEMENT EXECUTE FUNCTION pause();
"""
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


async def test_a_commit_whose_new_partition_is_dropped_under_it_is_never_acknowledged_unmade(
    storages: Storages, session: Session, database: str
) -> None:
    """The partition appears just before our commit would make it, and goes before our commit can lock it."""
    storage = await storages()
    session.execute(PAUSE)
    session.execute("SELECT pg_advisory_lock(7)")
    async with await psycopg.AsyncConnection.connect(database) as other, asyncio.timeout(GENEROUS_S):
        await other.execute("INSERT INTO partition (workspace, owner) VALUES (%s, %s)", (ALICE.workspace, ALICE.owner))
        commit = asyncio.create_task(storage.commit(changes(record("m-1"), enqueues=[new_job("j-1")])))
        await _until(session, WAITING, 1)
        await other.commit()
        await _until(session, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", 1)
        await storage.drop(ALICE)
        session.execute("SELECT pg_advisory_unlock(7)")
        await commit
    assert await ids_of(storage) == ["m-1"]
    assert job_ids(await claim(storage)) == ["j-1"]


async def _commit_often(storage: PostgresStorage, name: str) -> None:
    for number in range(40):
        await storage.commit(changes(record(f"{name}-{number}", "喝茶", embedding=vector(1, number))))
        await search(storage, "喝茶", embedding=vector(1, 0), limit=10)


async def test_drops_and_commits_of_several_servers_leave_nothing_behind(storages: Storages, session: Session) -> None:
    opened = [await storages() for _ in range(3)]

    async def drop_often(storage: PostgresStorage) -> None:
        for _ in range(40):
            await storage.drop(ALICE)

    async with asyncio.TaskGroup() as tasks:
        for number, storage in enumerate(opened):
            tasks.create_task(_commit_often(storage, f"writer-{number}"))
            tasks.create_task(drop_often(storage))
    assert (await opened[0].check()).problems == ()
    held = await ids_of(opened[0])
    for storage in opened:
        assert hit_ids(await search(storage, "喝茶", limit=1_000)) == sorted(held)
    await opened[0].drop(ALICE)
    for table in ("record", "feature", "field", "embedding", "tombstone", "job", "partition"):
        assert session.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


async def test_an_index_in_memory_does_not_outlive_a_database_that_was_restored(
    storages: Storages, session: Session
) -> None:
    """After a restore, or on a standby that had not heard of the last commits, the numbers begin at an older one."""
    storage = await storages()
    await storage.commit(changes(record("kept", "喝茶")))
    saved = session.execute("SELECT counter FROM partition").fetchone()
    await storage.commit(changes(record("lost", "喝茶"), record("also lost", "喝茶")))
    assert hit_ids(await search(storage, "喝茶")) == ["also lost", "kept", "lost"]
    session.execute("DELETE FROM feature USING record WHERE feature.sequence = record.sequence AND id LIKE '%lost'")
    session.execute("DELETE FROM record WHERE id LIKE '%lost'")
    session.execute("UPDATE partition SET counter = %s", saved)
    found = await search(storage, "喝茶")
    assert (hit_ids(found), found.statistics.records) == (["kept"], 1)
    await storage.commit(changes(record("new", "咖啡")))
    found = await search(storage, "喝茶")
    assert (hit_ids(found), found.statistics.records) == (["kept"], 2)
    assert hit_ids(await search(storage, "咖啡")) == ["new"]


async def test_a_new_tokeniser_reads_every_text_again(storages: Storages, session: Session) -> None:
    storage = await storages()
    words = [f"喝茶 {chr(ord('a') + number // 26)}{chr(ord('a') + number % 26)}x" for number in range(650)]
    await storage.commit(changes(*(record(f"m-{number}", text) for number, text in enumerate(words))))
    await storage.close()
    session.execute("UPDATE meta SET value = '0' WHERE name = 'tokeniser'")
    session.execute("UPDATE feature SET terms = '', length = 0")
    for storage in await asyncio.gather(*(storages() for _ in range(4))):
        found = await search(storage, "喝茶", limit=1)
        assert found.statistics.document_frequencies == (650,)
        assert found.statistics.average_length == 2
        assert hit_ids(await search(storage, words[-1].split()[1])) == ["m-649"]


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("DELETE FROM feature WHERE model IS NULL", "1 records have a text but cannot be found"),
        ("UPDATE feature SET sequence = sequence + 100", "2 search entries belong to no record"),
        ("DELETE FROM embedding", "1 vectors are kept in one of their two sizes only"),
        ("UPDATE feature SET model = NULL", "1 vectors are kept in one of their two sizes only"),
        ("UPDATE field SET sequence = sequence + 100", "3 filter values belong to no record"),
        ("DELETE FROM field WHERE number IS NULL", "number of filter values"),
        ("UPDATE record SET partition = 99", "2 records belong to no partition"),
        ("UPDATE job SET partition = 99", "1 jobs belong to no partition"),
        ("UPDATE partition SET counter = 1", "1 partitions would give out numbers a second time"),
    ],
)
async def test_the_check_finds_tables_that_disagree(
    storages: Storages, session: Session, damage: LiteralString, problem: str
) -> None:
    storage = await storages()
    puts = [
        record("tea", "喝茶", embedding=vector(1, 0), fields={"a": 1}),
        record("milk", "奶", fields={"a": (1, "1")}),
    ]
    await storage.commit(changes(*puts, enqueues=[new_job("j-1")]))
    await storage.commit(changes(record("other", "茶"), partition=BOB))
    await storage.drop(BOB)
    assert (await storage.check()).problems == ()
    session.execute(damage)
    assert any(problem in found for found in (await storage.check()).problems)


class _Unreadable(dict[str, object]):
    """A body that cannot be written down, for a reason that no engine knows of."""

    def items(self) -> NoReturn:  # type: ignore[override]  # That is the point.
        raise RuntimeError("nobody foresaw this")


async def test_an_error_that_nobody_foresaw_is_told_and_does_not_stop_the_commits_after_it(storages: Storages) -> None:
    storage = await storages()
    outcomes = await asyncio.gather(
        storage.commit(changes(record("m-1"))),
        storage.commit(changes(record("odd", body=_Unreadable(a=1)), partition=BOB)),
        storage.commit(changes(record("m-2"))),
        return_exceptions=True,
    )
    assert isinstance(outcomes[1], StorageUnavailable)
    await storage.commit(changes(record("m-3")))
    kept = [f"m-{number}" for number, outcome in ((1, outcomes[0]), (2, outcomes[2])) if outcome is None]
    assert await ids_of(storage) == [*kept, "m-3"]
