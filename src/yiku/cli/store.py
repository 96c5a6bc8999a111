"""Is there a store to work on? Only what is meant to make one makes one: a name may be misspelt."""

from __future__ import annotations

from pathlib import Path

from yiku.backends import DATABASE_FILE, Standing, store_standing
from yiku.model.errors import InvalidInput
from yiku.settings import Settings


def database_file(settings: Settings) -> Path:
    return settings.data_dir / DATABASE_FILE


async def has_store(settings: Settings) -> bool:
    return await store_standing(settings) is not Standing.EMPTY


async def require_store(settings: Settings, *, or_else: str = "") -> None:
    """`InvalidInput` when there is none yet, with where it was looked for, and what else the caller knows to do."""
    if not await has_store(settings):
        mend = "YIKU_DATA_DIR names its folder" if settings.database_url is None else "YIKU_DATABASE_URL names it"
        raise InvalidInput(f"There is no store in {settings.place}: {mend}{or_else}")
