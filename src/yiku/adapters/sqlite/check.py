"""Whether the database file is sound, and whether its tables agree with each other."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from pathlib import Path

import apsw

from yiku.adapters.sqlite.connections import rows_of, transaction, value_of
from yiku.engine.records import field_rows, fields_of
from yiku.model.records import Health

_COUNTS = {
    "{} records have a text but cannot be found by a search: restore a backup.": """
        SELECT count(*) FROM record WHERE text IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM feature WHERE feature.partition = record.partition AND feature.kind = record.kind
                AND feature.sequence = record.sequence)""",
    "{} search entries belong to no record: restore a backup.": """
        SELECT count(*) FROM feature WHERE NOT EXISTS (
            SELECT 1 FROM record WHERE record.sequence = feature.sequence AND record.partition = feature.partition
                AND record.kind = feature.kind)""",
    "{} vectors are kept in one of their two sizes only: restore a backup.": """
        SELECT (SELECT count(*) FROM half WHERE sequence NOT IN (SELECT sequence FROM feature WHERE model IS NOT NULL))
            + (SELECT count(*) FROM feature WHERE model IS NOT NULL AND sequence NOT IN (SELECT sequence FROM half))""",
    "{} filter values belong to no record: restore a backup.": """
        SELECT count(*) FROM field WHERE NOT EXISTS (
            SELECT 1 FROM record WHERE record.sequence = field.sequence AND record.partition = field.partition)""",
    "{} records belong to no partition: restore a backup.": """
        SELECT count(*) FROM record WHERE partition NOT IN (SELECT number FROM partition)""",
    "{} jobs belong to no partition and will never run: restore a backup.": """
        SELECT count(*) FROM job WHERE partition NOT IN (SELECT number FROM partition)""",
    "The queue's counter is wrong by {}: it would refuse work too early or too late; restore a backup.": """
        SELECT abs((SELECT count(*) FROM job) - (SELECT value FROM meta WHERE name = 'jobs'))""",
}


def check_store(connection: apsw.Connection, path: Path) -> Health:
    with transaction(connection, "DEFERRED"):
        problems = [f"The database file is damaged: {found}" for (found,) in _damages(connection)]
        for sentence, sql in _COUNTS.items():
            if wrong := value_of(connection, sql):
                problems.append(sentence.format(wrong))
        if _values_expected(connection) != value_of(connection, "SELECT count(*) FROM field"):
            problems.append("The number of filter values is not that of the records' fields: restore a backup.")
        return Health(tuple(problems), _details(connection, path))


def _damages(connection: apsw.Connection) -> list[tuple[str]]:
    return [found for found in rows_of(connection, "PRAGMA integrity_check") if found != ("ok",)]


def _values_expected(connection: apsw.Connection) -> int:
    stored = connection.execute("SELECT fields FROM record WHERE fields <> '{}'")
    return sum(len(field_rows(fields_of(str(fields)))) for (fields,) in stored)


def _details(connection: apsw.Connection, path: Path) -> dict[str, str | int | float]:
    counts: dict[str, str | int | float] = {
        f"{table}s": value_of(connection, f"SELECT count(*) FROM {table}")
        for table in ("partition", "record", "tombstone", "job")
    }
    log = path.with_name(path.name + "-wal")
    return {
        "engine": f"SQLite {apsw.sqlite_lib_version()}",
        "format": value_of(connection, "PRAGMA user_version"),
        "tokeniser": value_of(connection, "SELECT value FROM meta WHERE name = 'tokeniser'"),
        **counts,
        "database_bytes": path.stat().st_size,
        "log_bytes": log.stat().st_size if log.exists() else 0,
    }
