"""Which engines are there, and how is a place for data opened or named to another process?

A *place* is a folder for SQLite, or the URL of a PostgreSQL database. Another engine is one more kind of place here,
and in the fixture `place`.
"""

from __future__ import annotations

from pathlib import Path

from yiku.adapters.postgres import open_postgres
from yiku.adapters.sqlite import open_sqlite
from yiku.model.limits import Limits
from yiku.ports import Clock
from yiku.ports.storage import Storage

ENGINES = ("sqlite", "postgres")


def is_database(place: str) -> bool:
    return place.startswith("postgresql://")


async def open_place(place: str, *, clock: Clock, limits: Limits) -> Storage:
    """One more storage on a place, as another process would have."""
    if is_database(place):
        return await open_postgres(place, clock=clock, limits=limits)
    return await open_sqlite(Path(place), clock=clock, limits=limits)


def settings_of(place: str) -> dict[str, str]:
    """What a process of Yiku must be told to keep its data there."""
    return {"database_url": place} if is_database(place) else {"data_dir": place}
