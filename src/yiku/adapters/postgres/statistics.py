"""When does the database count what its tables hold? Sooner than it would by itself, where they fill quickly.

Without statistics every index looks as good as any other, and a look for one key may read through all records of a
user: an import took twice as long. PostgreSQL gathers them a minute or so after many rows have come; by then an import
has stored most of what it brings. What was planned without them is planned anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from yiku.adapters.postgres.connections import Connection
from yiku.model.errors import StorageUnavailable

log = structlog.get_logger()

_FIRST_AFTER = 1_000
"""Records that this process has stored."""
_TIMES_AS_MANY = 4
"""Until the next time: what a plan rests on is the order of magnitude."""

# Only what conditions are about: texts and vectors are large, and tell a plan nothing.
_GATHER = """
ANALYZE partition, record (partition, kind, id, unique_key, created, expires), feature (partition, kind, sequence),
field (partition, kind, name, value, sequence), embedding (sequence), tombstone (partition, kind, id, sequence)
"""


def gather(connection: Connection) -> None:
    connection.execute(_GATHER)


class Statistics:
    """Gathers them in the background, and goes on where that fails: they only make things faster."""

    def __init__(self, gathering: Callable[[], Awaitable[None]]) -> None:
        self._gathering = gathering
        self._stored = 0
        self._due = _FIRST_AFTER
        self._task: asyncio.Task[None] | None = None

    def note(self, stored: int) -> None:
        self._stored += stored
        if self._stored >= self._due and self._task is None:
            self._due = self._stored * _TIMES_AS_MANY
            self._task = asyncio.create_task(self._gather())

    async def close(self) -> None:
        if self._task is not None:
            await self._task

    async def _gather(self) -> None:
        try:
            await self._gathering()
        except StorageUnavailable as error:
            log.info("postgres_statistics_missing", said=error.message)
        finally:
            self._task = None
