"""Which format the database file has, and how an older one becomes the present one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw

from yiku.adapters.sqlite.connections import open_connection, transaction, translated_errors, value_of
from yiku.adapters.sqlite.tokeniser import has_present_terms
from yiku.engine.migrations import Standing, migration_scripts
from yiku.model.errors import StorageUnavailable

__all__ = ["Standing", "migrate", "standing_of"]


def standing_of(path: Path) -> Standing:
    """Looks only. Raises what opening would raise: `StorageUnavailable` for what is newer, damaged or no store."""
    if not path.is_file():
        return Standing.EMPTY
    newest = len(migration_scripts("yiku.adapters.sqlite"))
    with translated_errors(), closing(open_connection(path, read_only=True)) as connection:
        version = _checked_version(connection, newest=newest)
        if version == 0:
            return Standing.EMPTY
        return Standing.PRESENT if version == newest and has_present_terms(connection) else Standing.OLDER


def migrate(connection: apsw.Connection) -> None:
    """Bring the file to the present format, one migration a transaction. Two processes may try at once."""
    scripts = migration_scripts("yiku.adapters.sqlite")
    while (version := _checked_version(connection, newest=len(scripts))) < len(scripts):
        with transaction(connection, "IMMEDIATE"):
            # Another process may have been faster while we waited for the lock.
            if value_of(connection, "PRAGMA user_version") == version:
                connection.execute(scripts[version]).fetchall()
                connection.execute(f"PRAGMA user_version = {version + 1}")


def _checked_version(connection: apsw.Connection, *, newest: int) -> int:
    # One look at both: between two looks another process could make the tables.
    with transaction(connection, "DEFERRED"):
        version = int(value_of(connection, "PRAGMA user_version"))
        tables = int(value_of(connection, "SELECT count(*) FROM sqlite_schema"))
    if version > newest:
        raise StorageUnavailable(
            f"The data folder was written by a newer Yiku (format {version}; this one knows {newest}): update Yiku."
        )
    if version == 0 and tables:
        raise StorageUnavailable("The file yiku.db in the data folder is a database of another program: move it away.")
    return version
