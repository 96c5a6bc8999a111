"""What does SQLite have to get right that the contract cannot see: its file, its one writer, its memory of indexes?"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import apsw
import pytest
import structlog

from tests.contract.builders import (
    ALICE,
    Found,
    changes,
    hit_ids,
    ids_of,
    new_job,
    random_vectors,
    record,
    search,
    vector,
)
from yiku.adapters.clocks import ManualClock
from yiku.adapters.sqlite import DATABASE_FILE, SqliteStorage, open_sqlite
from yiku.model.errors import KeyTaken, StorageUnavailable
from yiku.model.limits import Limits
from yiku.model.scopes import Partition, user_partition


class Opener:
    """Opens storages on one folder, as several processes would, and closes what a test leaves open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._opened: list[SqliteStorage] = []

    @property
    def database(self) -> Path:
        return self.folder / DATABASE_FILE

    async def __call__(self, *, deadline_s: float = 30.0, cache_bytes: int = 2**24) -> SqliteStorage:
        limits = Limits(storage_deadline_s=deadline_s)
        storage = await open_sqlite(self.folder, clock=ManualClock(), limits=limits, cache_bytes=cache_bytes)
        self._opened.append(storage)
        return storage

    async def close(self) -> None:
        for storage in self._opened:
            await storage.close()


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opener]:
    opener = Opener(tmp_path / "data")
    yield opener
    await opener.close()


def _execute(database: Path, *statements: str) -> None:
    connection = apsw.Connection(str(database))
    for statement in statements:
        connection.execute(statement).fetchall()
    connection.close()


@contextmanager
def _write_lock(database: Path) -> Iterator[None]:
    """What another process does to us that is in the middle of a commit."""
    connection = apsw.Connection(str(database))
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.close()


@contextmanager
def _no_file_may_grow_beyond(size: int) -> Iterator[None]:
    """The nearest thing to a full disk that a process can do to itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _log(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


def _commits_in_log(database: Path) -> int:
    """How many transactions the write-ahead log holds: frames that carry the size of the database end one."""
    log = _log(database).read_bytes()
    page_size, salts = int.from_bytes(log[8:12], "big"), log[16:24]
    frames = [log[start : start + 24] for start in range(32, len(log), 24 + page_size)]
    return sum(frame[4:8] != b"\0\0\0\0" and frame[8:16] == salts for frame in frames)


async def test_a_file_that_was_deleted_or_moved_takes_no_more_writes(opened: Opener) -> None:
    storage = await opened()
    await storage.commit(changes(record("m-1")))
    away = opened.folder / "away"
    opened.database.rename(away)
    with pytest.raises(StorageUnavailable, match="moved or deleted"):
        await storage.commit(changes(record("m-2")))
    away.rename(opened.database)
    await storage.commit(changes(record("m-3")))
    assert await ids_of(storage) == ["m-1", "m-3"]


async def test_commits_that_wait_together_share_a_flush_and_a_refused_one_harms_no_other(opened: Opener) -> None:
    storage = await opened()
    await storage.commit(changes(record("holder", unique_key="taken")))
    before = _commits_in_log(opened.database)
    puts = [record(f"m-{number:03}", unique_key="taken" if number == 50 else None) for number in range(100)]
    with _write_lock(opened.database):
        commits = [asyncio.create_task(storage.commit(changes(put))) for put in puts]
        # Commits are prepared by the threads that also read, first come first served: behind this read, most are ready.
        await asyncio.sleep(0)
        await storage.get(ALICE, "memory", ["holder"])
    outcomes = await asyncio.gather(*commits, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes if outcome is not None] == [KeyTaken]
    assert len(await ids_of(await opened())) == 100
    assert _commits_in_log(opened.database) - before < 20


async def test_two_storages_on_one_folder_see_each_other(opened: Opener) -> None:
    ours, theirs = await opened(), await opened()
    await ours.commit(changes(record("tea", "喝茶", embedding=vector(1, 0)), enqueues=[new_job("j-1"), new_job("j-2")]))
    for storage in (ours, theirs):
        assert hit_ids(await search(storage, "喝茶", embedding=vector(1, 0))) == ["tea"]
    await theirs.commit(changes(record("tea", "喝咖啡", embedding=vector(1, 0)), record("milk", "喝茶")))
    for storage in (ours, theirs):
        assert [found.version for found in await storage.get(ALICE, "memory", ["tea"])] == [2]
        assert await ids_of(storage) == ["milk", "tea"]
        found = await search(storage, "喝茶", limit=10)
        assert hit_ids(found) == ["milk"]
        assert found.statistics.records == 2
    claimed = [await storage.claim(["digest"], lease_s=60, limit=1) for storage in (ours, theirs)]
    assert [[job.id for job in jobs] for jobs in claimed] == [["j-1"], []]


async def test_a_partition_that_the_other_storage_dropped_and_made_anew_has_nothing_old(opened: Opener) -> None:
    ours, theirs = await opened(), await opened()
    await ours.commit(changes(record("old", "喝茶")))
    assert hit_ids(await search(ours, "喝茶")) == ["old"]
    await theirs.drop(ALICE)
    assert hit_ids(await search(ours, "喝茶")) == []
    await theirs.commit(changes(record("new", "喝茶")))
    assert hit_ids(await search(ours, "喝茶")) == ["new"]


def _comparable(found: Found) -> object:
    return found.statistics, {hit.record.id: (hit.record, hit.frequencies, hit.words, hit.cosine) for hit in found.hits}


async def test_an_index_kept_up_to_date_finds_what_one_loaded_anew_finds(opened: Opener) -> None:
    kept = await opened()
    chance = Random(7)
    vectors = random_vectors(40, dimensions=16, seed=7)
    for _ in range(60):
        number = chance.randrange(40)
        words = " ".join(chance.choices(["茶", "咖啡", "小明喝茶", "coffee", "running", "iphone15"], k=3))
        embedding = chance.choice([vectors[number], None])
        put = record(f"m-{number:02}", chance.choice([words, None]), embedding=embedding, fields={"even": number % 2})
        await kept.commit(changes(put, deletes=[f"m-{chance.randrange(40):02}"]))
        question = {"text": chance.choice(["喝茶", "茶", "run iphone", "咖啡"]), "embedding": vectors[0], "limit": 7}
        fresh = await opened(cache_bytes=0)
        assert _comparable(await search(kept, **question)) == _comparable(await search(fresh, **question))  # type: ignore[arg-type]
        await fresh.close()


async def test_an_index_full_of_replaced_rows_is_made_anew(opened: Opener) -> None:
    storage = await opened()
    for text in ("第一", "第二", "第三"):
        await storage.commit(changes(*(record(f"m-{number}", text) for number in range(1_200))))
        assert (await search(storage, text, limit=1)).statistics.document_frequencies == (1_200,)
        held = storage.cache_bytes_held
    assert held < 3_000 * 60
    assert (await search(storage, "第二", limit=1)).statistics.document_frequencies[0] == 0


def _owners(count: int) -> list[Partition]:
    return [user_partition("default", f"user-{number}") for number in range(count)]


def _name(number: int) -> str:
    """A word of its own for each number."""
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:04}")


async def test_indexes_in_memory_stay_within_their_bound_and_answers_stay_right(opened: Opener) -> None:
    bound = 20_000
    storage = await opened(cache_bytes=bound)
    owners = _owners(30)
    for number, owner in enumerate(owners):
        puts = [record(f"{number}-{part}", f"喝茶 {_name(number)}", embedding=vector(1, part)) for part in range(20)]
        await storage.commit(changes(*puts, partition=owner))
    for _ in range(2):
        for number, owner in enumerate(owners):
            found = await search(storage, _name(number), embedding=vector(1, 0), partitions=[owner], limit=5)
            assert found.statistics.document_frequencies == (20,)
            assert all(hit.partition == owner for hit in found.hits)
            assert 0 < storage.cache_bytes_held <= bound
    everywhere = await search(storage, "喝茶", partitions=owners, limit=1_000)
    assert everywhere.statistics.records == len(everywhere.hits) == 600
    assert storage.cache_bytes_held <= bound


async def test_an_index_larger_than_the_whole_bound_is_used_but_not_kept(opened: Opener) -> None:
    storage = await opened(cache_bytes=100)
    await storage.commit(changes(record("tea", "喝茶")))
    for _ in range(2):
        with structlog.testing.capture_logs() as logs:
            assert hit_ids(await search(storage, "喝茶")) == ["tea"]
        assert storage.cache_bytes_held == 0
        assert [(log["event"], log["cache_bytes"]) for log in logs] == [("index.larger_than_the_cache", 100)]


async def test_an_index_that_cannot_be_kept_drives_no_other_out(opened: Opener) -> None:
    small, large = _owners(2)
    storage = await opened(cache_bytes=10_000)
    await storage.commit(changes(record("tea", "喝茶"), partition=small))
    await storage.commit(changes(*(record(f"m-{n}", f"喝茶 {_name(n)}") for n in range(500)), partition=large))
    await search(storage, "喝茶", partitions=[small])
    held = storage.cache_bytes_held
    assert len((await search(storage, "喝茶", partitions=[large], limit=1_000)).hits) == 500
    assert storage.cache_bytes_held == held > 0


async def test_a_new_tokeniser_reads_every_text_again(opened: Opener) -> None:
    storage = await opened()
    await storage.commit(changes(*(record(f"m-{number}", f"喝茶 {_name(number)}") for number in range(1_100))))
    await storage.close()
    _execute(
        opened.database,
        "UPDATE meta SET value = '0' WHERE name = 'tokeniser'",
        "UPDATE feature SET terms = x'', length = 0",
    )
    storage = await opened()
    found = await search(storage, "喝茶", limit=1)
    assert found.statistics.document_frequencies == (1_100,)
    assert found.statistics.average_length == 2
    assert hit_ids(await search(storage, _name(1_099))) == ["m-1099"]
    assert (await storage.check()).details["tokeniser"] != "0"


async def test_a_file_that_is_no_database_is_refused_and_left_alone(opened: Opener) -> None:
    opened.folder.mkdir()
    opened.database.write_bytes(b"my holiday photographs" * 1_000)
    with pytest.raises(StorageUnavailable, match="not a database"):
        await opened()
    assert opened.database.read_bytes() == b"my holiday photographs" * 1_000


async def test_the_database_of_another_program_is_refused(opened: Opener) -> None:
    opened.folder.mkdir()
    _execute(opened.database, "CREATE TABLE photograph (id)")
    with pytest.raises(StorageUnavailable, match="another program"):
        await opened()


async def test_a_folder_of_a_newer_yiku_is_refused_with_what_to_do(opened: Opener) -> None:
    await (await opened()).close()
    _execute(opened.database, "PRAGMA user_version = 999")
    with pytest.raises(StorageUnavailable, match=r"newer Yiku .*: update Yiku"):
        await opened()


async def test_a_place_that_can_be_no_folder_is_refused(opened: Opener) -> None:
    opened.folder.write_text("a file")
    with pytest.raises(StorageUnavailable, match="cannot be used"):
        await opened()


async def test_only_the_owner_of_the_process_can_read_the_data_folder(opened: Opener) -> None:
    await opened()
    assert opened.folder.stat().st_mode & 0o777 == 0o700


async def test_two_processes_may_open_a_new_folder_at_once(opened: Opener) -> None:
    storages = await asyncio.gather(*(opened() for _ in range(4)))
    await storages[0].commit(changes(record("tea", "喝茶")))
    for storage in storages:
        assert hit_ids(await search(storage, "喝茶")) == ["tea"]


async def test_a_write_that_waits_too_long_for_another_process_says_that_it_may_still_happen(opened: Opener) -> None:
    hurried, patient = await opened(deadline_s=1.0), await opened()
    with _write_lock(opened.database), pytest.raises(StorageUnavailable, match="may still be applied"):
        await hurried.commit(changes(record("late")))
    await patient.commit(changes(record("tea")))
    assert {"tea"} <= set(await ids_of(patient)) <= {"late", "tea"}


async def test_a_full_disk_refuses_the_write_whole_and_the_next_one_works(opened: Opener) -> None:
    storage = await opened()
    await storage.commit(changes(record("before")))
    with _no_file_may_grow_beyond(_log(opened.database).stat().st_size + 10_000):
        big = [record(f"big-{number}", body={"text": "x" * 10_000}) for number in range(100)]
        with pytest.raises(StorageUnavailable):
            await storage.commit(changes(*big))
    assert await ids_of(storage) == ["before"]
    await storage.commit(changes(record("after")))
    assert await ids_of(storage) == ["after", "before"]
    assert (await storage.check()).problems == ()


async def test_a_damaged_file_is_an_error_that_says_what_to_do_and_never_an_empty_answer(opened: Opener) -> None:
    storage = await opened()
    await storage.commit(changes(*(record(f"m-{number}", "喝茶", body={"text": "x" * 500}) for number in range(500))))
    await storage.close()
    content = opened.database.read_bytes()
    opened.database.write_bytes(content[:4_096] + b"\xff" * (len(content) - 4_096))
    with pytest.raises(StorageUnavailable, match="restore a backup"):
        await ids_of(await opened())


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("DELETE FROM feature WHERE model IS NULL", "1 records have a text but cannot be found"),
        ("UPDATE feature SET sequence = sequence + 100", "2 search entries belong to no record"),
        ("DELETE FROM half", "1 vectors are kept in one of their two sizes only"),
        ("UPDATE feature SET model = NULL", "1 vectors are kept in one of their two sizes only"),
        ("UPDATE field SET sequence = sequence + 100", "3 filter values belong to no record"),
        ("DELETE FROM field WHERE type = 'text'", "number of filter values"),
        ("UPDATE record SET partition = 99", "2 records belong to no partition"),
        ("UPDATE job SET partition = 99", "1 jobs belong to no partition"),
        ("UPDATE meta SET value = 5 WHERE name = 'jobs'", "counter is wrong by 4"),
    ],
)
async def test_the_check_finds_tables_that_disagree(opened: Opener, damage: str, problem: str) -> None:
    storage = await opened()
    puts = [
        record("tea", "喝茶", embedding=vector(1, 0), fields={"a": 1}),
        record("milk", "奶", fields={"a": (1, "1")}),
    ]
    await storage.commit(changes(*puts, enqueues=[new_job("j-1")]))
    assert (await storage.check()).problems == ()
    _execute(opened.database, damage)
    assert any(problem in found for found in (await storage.check()).problems)
