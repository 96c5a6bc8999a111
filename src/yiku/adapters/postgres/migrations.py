"""Which format the database has, and how an older one becomes the present one."""

from __future__ import annotations

from psycopg import errors

from yiku.adapters.postgres.connections import Connection, connect
from yiku.adapters.postgres.failures import translated_errors
from yiku.adapters.postgres.tokeniser import has_present_terms
from yiku.engine.migrations import Standing, migration_scripts
from yiku.model.errors import StorageUnavailable

_LOCK = 0x59494B55
"""Servers that start at the same moment take turns."""

_OURS = {"meta", "partition", "record", "field", "feature", "embedding", "tombstone", "job"}
"""The tables of the first format; a later one adds to these only."""

_NO_EXTENSION = (errors.InsufficientPrivilege, errors.UndefinedFile, errors.FeatureNotSupported)

_META = "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)"


def standing_of(url: str, *, deadline_s: float) -> Standing:
    """Looks only. Raises what opening would raise: `StorageUnavailable` for what is newer or of another program."""
    newest = len(migration_scripts("yiku.adapters.postgres"))
    with translated_errors(), connect(url, deadline_s=deadline_s) as connection:
        version = _checked_version(connection, newest=newest)
        if version == 0:
            return Standing.EMPTY
        return Standing.PRESENT if version == newest and has_present_terms(connection) else Standing.OLDER


def migrate(connection: Connection) -> None:
    """Bring the database to the present format, all steps in one transaction."""
    scripts = migration_scripts("yiku.adapters.postgres")
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = _checked_version(connection, newest=len(scripts))
        if version == len(scripts):
            return
        if version == 0:
            _require_vectors(connection)
            connection.execute(_META)
        for script in scripts[version:]:
            connection.execute(script)
        connection.execute(
            """
            INSERT INTO meta (name, value) VALUES ('format', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """,
            (str(len(scripts)),),
        )


def _checked_version(connection: Connection, *, newest: int) -> int:
    version = _version(connection)
    if version > newest:
        raise StorageUnavailable(
            f"The database was written by a newer Yiku (format {version}; this one knows {newest}): update Yiku."
        )
    return version


def _version(connection: Connection) -> int:
    """0 for an empty database."""
    found = connection.execute("SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace")
    present = _OURS & {name for (name,) in found}
    if not present:
        return 0
    if present != _OURS or (version := _stored_version(connection)) is None:
        names = ", ".join(sorted(present))
        raise StorageUnavailable(
            f"The database holds tables of another program under our names ({names}): give Yiku a database of its own."
        )
    return version


def _stored_version(connection: Connection) -> int | None:
    try:
        with connection.transaction():
            stored = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
    except errors.UndefinedColumn:
        return None
    return int(stored[0]) if stored is not None and str(stored[0]).isdecimal() else None


def _require_vectors(connection: Connection) -> None:
    ((encoding,),) = connection.execute("SHOW server_encoding")
    if encoding != "UTF8":
        raise StorageUnavailable(f"The database has the encoding {encoding}: create one with UTF8.")
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except _NO_EXTENSION as error:
        raise StorageUnavailable(
            "The extension pgvector could not be made ready: install it on the database server (0.8 or newer), and let"
            " an administrator run CREATE EXTENSION vector in this database."
        ) from error
