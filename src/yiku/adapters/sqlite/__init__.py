"""The embedded engine: one SQLite file, exact search in memory over what it holds."""

from __future__ import annotations

from yiku.adapters.sqlite.migrations import Standing, standing_of
from yiku.adapters.sqlite.storage import DATABASE_FILE, SqliteStorage, open_sqlite

__all__ = ["DATABASE_FILE", "SqliteStorage", "Standing", "open_sqlite", "standing_of"]
