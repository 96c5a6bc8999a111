"""Is there a store to work on? Commands that only look must not make one where a name was misspelt."""

from __future__ import annotations

from pathlib import Path

from yiku.backends import DATABASE_FILE
from yiku.model.errors import InvalidInput
from yiku.settings import Settings


def database_file(settings: Settings) -> Path:
    return settings.data_dir / DATABASE_FILE


def require_store(settings: Settings) -> None:
    """`InvalidInput` when SQLite is in use and its file is not there."""
    if settings.database_url is None and not database_file(settings).is_file():
        raise InvalidInput(f"There is no store in {settings.data_dir}: name its folder with YIKU_DATA_DIR")
