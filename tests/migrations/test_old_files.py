"""Does a file that an older Yiku wrote open, with everything in it?"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest

from tests.contract.builders import search_for
from tests.migrations import make_dump
from tests.migrations.make_dump import ALICE, BOB, BOBS, BRIEF, COFFEE, EVENT, TEA, WRITTEN
from yiku.adapters.clocks import ManualClock
from yiku.adapters.sqlite import open_sqlite
from yiku.engine.migrations import migration_scripts
from yiku.model.conditions import Eq
from yiku.model.limits import Limits
from yiku.model.records import CandidateQuery, Changes, Embedding, PageQuery, Record
from yiku.model.tokens import query_terms
from yiku.ports.storage import Storage

DUMPS = sorted((Path(__file__).parent / "files").glob("*.sql"))


def _load(dump: Path, folder: Path) -> None:
    folder.mkdir()
    connection = apsw.Connection(str(folder / "yiku.db"))
    connection.execute(dump.read_text(encoding="utf-8")).fetchall()
    connection.close()


def _schema(folder: Path) -> set[tuple[str, str]]:
    connection = apsw.Connection(str(folder / "yiku.db"))
    rows = connection.execute("SELECT name, coalesce(sql, '') FROM sqlite_schema").fetchall()
    version = connection.execute("PRAGMA user_version").fetchall()
    connection.close()
    return {(str(name), " ".join(str(sql).split())) for name, sql in rows} | {("user_version", str(version))}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(WRITTEN)


@pytest.fixture(params=DUMPS, ids=lambda dump: dump.stem)
def old_folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    _load(request.param, tmp_path / "old")
    return tmp_path / "old"


@pytest.fixture
async def old(old_folder: Path, clock: ManualClock) -> AsyncIterator[Storage]:
    storage = await open_sqlite(old_folder, clock=clock, limits=Limits())
    yield storage
    await storage.close()


def _facts(record: Record) -> tuple[object, ...]:
    """All of a record but what a read leaves out and what the store counts."""
    return (
        record.id,
        record.body,
        record.created,
        record.updated,
        record.fields,
        record.unique_key,
        record.text,
        record.expires,
    )


async def _found(storage: Storage, text: str | None = None, embedding: Embedding | None = None) -> set[str]:
    terms = None if text is None else query_terms(text, limit=512)
    query = CandidateQuery(partitions=(ALICE,), kind="memory", terms=terms, embedding=embedding)
    return {hit.record.id for hit in (await search_for(storage, query)).hits}


def test_every_version_has_its_dump() -> None:
    assert [int(dump.stem) for dump in DUMPS] == list(range(1, len(migration_scripts("yiku.adapters.sqlite")) + 1))


async def test_an_old_file_has_all_its_records(old: Storage) -> None:
    memories = await old.get(ALICE, "memory", ["tea", "coffee", "brief", "gone"])
    assert [_facts(found) for found in memories] == [_facts(put) for put in (TEA, COFFEE, BRIEF)]
    assert [found.version for found in memories] == [2, 1, 1]
    assert [_facts(found) for found in await old.get(ALICE, "event", ["event"])] == [_facts(EVENT)]
    assert [_facts(found) for found in await old.get(BOB, "memory", ["tea"])] == [_facts(BOBS)]
    assert [found.id for found in await old.find(ALICE, "memory", ["fingerprint-1"])] == ["tea"]
    assert await old.partitions("default", "user:") == sorted([ALICE, BOB])


async def test_an_old_file_is_found_by_words_vectors_and_conditions(old: Storage) -> None:
    assert await _found(old, "喝茶") == {"tea"}
    assert await _found(old, "drink") == {"coffee"}
    assert await _found(old, "茶") == {"tea", "brief"}
    assert await _found(old, embedding=TEA.embedding) == {"tea"}
    assert await _found(old, embedding=COFFEE.embedding) == {"coffee"}
    for field, value in (("agent", "it's"), ("stars", 5), ("share", 0.5), ("open", True), ("run", None), ("tags", 1)):
        page = await old.page(PageQuery(partitions=(ALICE,), kind="memory", where=Eq(field, value)))
        assert [found.id for found in page.records] == ["tea"]


async def test_an_old_file_still_knows_when_its_records_expire(old: Storage, clock: ManualClock) -> None:
    clock.advance(3_601)
    assert await _found(old, "茶") == {"tea"}


async def test_an_old_file_has_its_jobs_and_their_leases(old: Storage, clock: ManualClock) -> None:
    running = await old.job("running")
    assert running is not None
    assert (running.attempts, running.partition, running.enqueued) == (1, ALICE, WRITTEN)
    assert running.lease
    assert await old.claim(["digest"], lease_s=60, limit=10) == []
    clock.advance(make_dump.LEASE_S + 1)
    claimed = await old.claim(["digest"], lease_s=60, limit=10)
    assert [(job.id, job.payload) for job in claimed] == [
        ("running", {"event": "event"}),
        ("waiting", {"text": "等"}),
    ]


async def test_an_old_file_can_be_written_and_is_healthy(old: Storage) -> None:
    before = await old.scan(ALICE)
    await old.commit(Changes(partition=ALICE, puts=(EVENT, make_dump.GONE)))
    assert [change.ref.id for change in await old.scan(ALICE, after=before[-1].sequence)] == ["event", "gone"]
    assert (await old.check()).problems == ()


async def test_migrating_an_old_file_gives_the_same_schema_as_a_new_one(
    old_folder: Path, tmp_path: Path, clock: ManualClock
) -> None:
    for folder in (old_folder, tmp_path / "new"):
        storage = await open_sqlite(folder, clock=clock, limits=Limits())
        await storage.close()
    assert _schema(old_folder) == _schema(tmp_path / "new")
