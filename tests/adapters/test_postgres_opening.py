"""What is said of a database that cannot be opened, and is it left as it was?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from tests.adapters.postgres_storages import Session, Storages
from tests.contract.builders import changes, hit_ids, ids_of, record, search
from tests.postgres.private import PrivateServer
from yiku.model.errors import StorageUnavailable


@contextmanager
def _role(session: Session, rights: str) -> Iterator[str]:
    """The name of a new user."""
    name = f"yiku_test_{uuid4().hex}"
    session.execute(sql.SQL("CREATE ROLE {} LOGIN " + rights).format(sql.Identifier(name)))
    try:
        yield name
    finally:
        session.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


async def test_many_servers_may_open_an_empty_database_at_the_same_moment(storages: Storages) -> None:
    opened = await asyncio.gather(*(storages(connections=2) for _ in range(16)))
    await asyncio.gather(*(storage.commit(changes(record(f"m-{number}"))) for number, storage in enumerate(opened)))
    for storage in opened:
        assert len(await ids_of(storage)) == 16
    assert (await opened[0].check()).problems == ()


async def test_a_server_that_is_down_is_said_to_be_out_of_reach(private_postgres: PrivateServer) -> None:
    await private_postgres.stop()
    with pytest.raises(StorageUnavailable, match="cannot be reached") as refusal:
        await Storages(private_postgres.url())()
    assert refusal.value.retry_after_s >= 1


async def test_a_database_that_does_not_exist_is_said_to_be_missing(storages: Storages, database: str) -> None:
    with pytest.raises(StorageUnavailable, match=r"does not exist: create it"):
        await storages(make_conninfo(database, dbname="yiku_test_missing"))


async def test_a_user_who_does_not_exist_is_said_to_be_refused(storages: Storages, database: str) -> None:
    with pytest.raises(StorageUnavailable, match="refused the user name or password"):
        await storages(make_conninfo(database, user="yiku_test_nobody"))


async def test_a_wrong_password_is_said_to_be_refused_and_is_not_told(private_postgres: PrivateServer) -> None:
    with psycopg.connect(private_postgres.url(), autocommit=True) as session:
        session.execute("CREATE ROLE guest LOGIN PASSWORD 'right'")
        rules = "SELECT unnest(ARRAY['local all postgres trust', 'local all all scram-sha-256'])"
        file = session.execute("SHOW hba_file").fetchone()
        session.execute(sql.SQL("COPY ({}) TO {}").format(sql.SQL(rules), *(file or ())))
        session.execute("SELECT pg_reload_conf()")
    with pytest.raises(StorageUnavailable, match="refused the user name or password") as refusal:
        await Storages(make_conninfo(private_postgres.url(), user="guest", password="terribly-wrong"))()
    assert "terribly-wrong" not in str(refusal.value)


async def test_a_server_that_takes_no_more_connections_is_said_to_be_full(
    storages: Storages, session: Session, database: str
) -> None:
    with _role(session, "CONNECTION LIMIT 0") as guest, pytest.raises(StorageUnavailable, match="max_connections"):
        await storages(make_conninfo(database, user=guest))


async def test_a_user_without_rights_is_told_which_are_missing(
    storages: Storages, session: Session, database: str
) -> None:
    with _role(session, "") as guest:
        with pytest.raises(StorageUnavailable, match="CREATE EXTENSION vector"):
            await storages(make_conninfo(database, user=guest))
        session.execute("CREATE EXTENSION vector")
        with pytest.raises(StorageUnavailable, match="grant"):
            await storages(make_conninfo(database, user=guest))


async def test_a_user_who_owns_nothing_but_the_tables_is_enough_once_the_extension_is_there(
    storages: Storages, session: Session, database: str
) -> None:
    session.execute("CREATE EXTENSION vector")
    with _role(session, "") as guest:
        session.execute(sql.SQL("GRANT CREATE ON SCHEMA public TO {}").format(sql.Identifier(guest)))
        storage = await storages(make_conninfo(database, user=guest))
        await storage.commit(changes(record("tea", "喝茶")))
        assert hit_ids(await search(storage, "喝茶")) == ["tea"]
        assert (await storage.check()).problems == ()
        await storage.close()
        session.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(guest)))


async def test_a_database_of_a_newer_yiku_is_refused_with_what_to_do(storages: Storages, session: Session) -> None:
    await (await storages()).close()
    session.execute("UPDATE meta SET value = '999' WHERE name = 'format'")
    with pytest.raises(StorageUnavailable, match=r"newer Yiku .*: update Yiku"):
        await storages()


@pytest.mark.parametrize(
    "theirs",
    [
        "CREATE TABLE record (photograph INTEGER)",
        "CREATE TABLE embedding (photograph INTEGER)",
        "CREATE TABLE field (photograph INTEGER)",
        "CREATE TABLE meta (photograph INTEGER)",
        "CREATE TABLE meta (name TEXT, value TEXT)",
        "CREATE TABLE meta AS SELECT 'format' AS name, 'album' AS value",
        "CREATE VIEW feature AS SELECT 1 AS photograph",
    ],
)
async def test_the_database_of_another_program_is_refused_and_left_alone(
    storages: Storages, session: Session, theirs: str
) -> None:
    session.execute(theirs)
    relations = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
    before = session.execute(relations).fetchall()
    with pytest.raises(StorageUnavailable, match="give Yiku a database of its own"):
        await storages()
    assert session.execute(relations).fetchall() == before


async def test_tables_of_another_program_under_other_names_do_no_harm(storages: Storages, session: Session) -> None:
    session.execute("CREATE TABLE photograph (number INTEGER)")
    storage = await storages()
    await storage.commit(changes(record("m-1")))
    assert await ids_of(storage) == ["m-1"]


async def test_a_database_in_another_encoding_is_refused(storages: Storages, session: Session, database: str) -> None:
    name = f"yiku_test_{uuid4().hex}"
    made = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'")
    session.execute(made.format(sql.Identifier(name)))
    try:
        with pytest.raises(StorageUnavailable, match="SQL_ASCII: create one with UTF8"):
            await storages(make_conninfo(database, dbname=name))
    finally:
        session.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _read_only(session: Session, state: str) -> None:
    """What a standby is to its clients."""
    setting = sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
    session.execute(setting.format(sql.Identifier(session.info.dbname), sql.SQL(state)))


async def test_an_empty_database_that_takes_no_changes_is_refused_for_that_reason(
    storages: Storages, session: Session
) -> None:
    _read_only(session, "on")
    with pytest.raises(StorageUnavailable, match="takes no changes"):
        await storages()


async def test_a_store_that_takes_no_changes_is_still_read(storages: Storages, session: Session) -> None:
    await (await storages()).commit(changes(record("tea", "喝茶")))
    _read_only(session, "on")
    storage = await storages()
    assert hit_ids(await search(storage, "喝茶")) == ["tea"]
    with pytest.raises(StorageUnavailable, match="takes no changes"):
        await storage.commit(changes(record("m-2")))
    assert await ids_of(storage) == ["tea"]


async def test_a_store_that_takes_changes_again_does_so_for_those_who_met_it_before(
    storages: Storages, session: Session
) -> None:
    await (await storages()).commit(changes(record("m-1")))
    _read_only(session, "on")
    storage = await storages(connections=2)
    with pytest.raises(StorageUnavailable):
        await storage.commit(changes(record("m-2")))
    _read_only(session, "off")
    await storage.commit(changes(record("m-3")))
    assert await ids_of(storage) == ["m-1", "m-3"]
