"""How does a test open storages on one PostgreSQL database, as several servers would?"""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
from psycopg import sql

from yiku.adapters.clocks import ManualClock
from yiku.adapters.postgres import PostgresStorage, open_postgres
from yiku.model.limits import Limits

CLOSING_S = 60.0

Session = psycopg.Connection[tuple[Any, ...]]


def slow_commits(session: Session) -> None:
    """From now on who connects takes a tenth of a second to flush a commit, so that a moment within can be met."""
    for setting in (sql.SQL("commit_delay = 100000"), sql.SQL("commit_siblings = 0")):
        session.execute(sql.SQL("ALTER DATABASE {} SET {}").format(sql.Identifier(session.info.dbname), setting))


class Storages:
    """Opens them, and closes what a test leaves open."""

    def __init__(self, url: str) -> None:
        self.clock = ManualClock()
        self.url = url
        self._opened: list[PostgresStorage] = []

    async def __call__(
        self,
        url: str | None = None,
        *,
        deadline_s: float = 30.0,
        queue_jobs: int = 100_000,
        connections: int = 10,
        cache_bytes: int = 2**24,
    ) -> PostgresStorage:
        limits = Limits(storage_deadline_s=deadline_s, queue_jobs=queue_jobs)
        storage = await open_postgres(
            url or self.url, clock=self.clock, limits=limits, cache_bytes=cache_bytes, connections=connections
        )
        self._opened.append(storage)
        return storage

    async def close(self) -> None:
        async with asyncio.timeout(CLOSING_S):
            for storage in self._opened:
                await storage.close()
