"""Do servers hear of each other's jobs at once, and again after their connections were cut?

`wait_for_jobs` also looks every half second, so that through the port nobody can tell whether it heard anything: here
the announcements are asked themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from psycopg.types import TypeInfo

from tests.adapters.postgres_storages import Session, Storages
from tests.contract.builders import changes, claim, enqueue
from tests.postgres.proxy import Proxy
from yiku.adapters.postgres.announcements import Announcements
from yiku.adapters.postgres.threads import Threads

GENEROUS_S = 30.0


class Ear:
    """One server's announcements, and how often it heard of others."""

    def __init__(self, url: str, halfvec: TypeInfo, name: str) -> None:
        self.times = 0
        self._heard = asyncio.Event()
        self._threads = Threads(url, name=name, count=1, deadline_s=5.0, halfvec=halfvec)
        self.announcements = Announcements(url, name, heard=self._hear, threads=self._threads, deadline_s=5.0)

    def _hear(self) -> None:
        self.times += 1
        self._heard.set()

    async def hears(self, cause: Callable[[], Awaitable[object] | None]) -> None:
        """Return when it has heard something after `cause`."""
        self._heard.clear()
        caused = cause()
        if caused is not None:
            await caused
        async with asyncio.timeout(GENEROUS_S):
            await self._heard.wait()

    async def close(self) -> None:
        await self.announcements.close()
        await self._threads.close()


@asynccontextmanager
async def _ear(url: str, session: Session, name: str) -> AsyncIterator[Ear]:
    """Once it listens: then it is told to look, for what was announced before."""
    halfvec = TypeInfo.fetch(session, "halfvec")
    assert halfvec is not None
    ear = Ear(url, halfvec, name)
    await ear.hears(lambda: None)
    try:
        yield ear
    finally:
        await ear.close()


@pytest.fixture
async def prepared(storages: Storages) -> AsyncIterator[None]:
    """The extension is there; the storage that made it is gone, and its own announcements with it."""
    await (await storages()).close()
    yield


@pytest.mark.usefixtures("prepared")
async def test_a_server_hears_of_others_and_not_of_itself(database: str, session: Session) -> None:
    async with _ear(database, session, "ours") as ours, _ear(database, session, "theirs") as theirs:
        for times in range(2, 5):
            await ours.hears(theirs.announcements.announce)
            assert theirs.times == 1
            assert ours.times == times


async def test_jobs_that_another_server_enqueues_finishes_or_releases_are_announced(
    storages: Storages, database: str, session: Session
) -> None:
    theirs = await storages()
    async with _ear(database, session, "ours") as ours:
        await ours.hears(lambda: enqueue(theirs, "j-1", "j-2"))
        jobs = await claim(theirs)
        await ours.hears(lambda: theirs.release(jobs[:1], delay_s=0, error=None))
        await ours.hears(lambda: theirs.commit(changes(finishes=jobs[1:])))


@pytest.mark.usefixtures("prepared")
async def test_a_server_listens_again_after_its_connection_was_cut_and_looks_at_once(
    proxy: Proxy, database: str, session: Session
) -> None:
    async with _ear(proxy.url, session, "ours") as ours, _ear(database, session, "theirs") as theirs:
        for _ in range(3):
            # It is told to look when it listens again: something may have been announced while it did not.
            await ours.hears(proxy.cut)
            await ours.hears(theirs.announcements.announce)
