"""Whether the tables agree with each other, and whether the server keeps what it confirms."""

from __future__ import annotations

from yiku.adapters.postgres.connections import Connection
from yiku.engine.records import field_rows, fields_of
from yiku.model.records import Health

_COUNTS = {
    "{} records have a text but cannot be found by a search: restore a backup.": """
        SELECT count(*) FROM record WHERE text IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM feature WHERE feature.partition = record.partition AND feature.kind = record.kind
                AND feature.sequence = record.sequence)""",
    "{} search entries belong to no record: restore a backup.": """
        SELECT count(*) FROM feature LEFT JOIN record USING (sequence, partition, kind) WHERE record.id IS NULL""",
    "{} vectors are kept in one of their two sizes only: restore a backup.": """
        SELECT count(*) FROM embedding FULL JOIN (SELECT sequence FROM feature WHERE model IS NOT NULL) AS small
            USING (sequence) WHERE embedding.vector IS NULL OR small.sequence IS NULL""",
    "{} filter values belong to no record: restore a backup.": """
        SELECT count(*) FROM field LEFT JOIN record USING (sequence, partition) WHERE record.id IS NULL""",
    "{} records belong to no partition: restore a backup.": """
        SELECT count(*) FROM record WHERE partition <> sequence >> 32
            OR NOT EXISTS (SELECT 1 FROM partition WHERE number = record.partition)""",
    "{} jobs belong to no partition and will never run: restore a backup.": """
        SELECT count(*) FROM job WHERE NOT EXISTS (SELECT 1 FROM partition WHERE number = job.partition)""",
    "{} partitions would give out numbers a second time: restore a backup.": """
        SELECT count(*) FROM partition WHERE counter < (
            SELECT coalesce(max(sequence) & 4294967295, 0) FROM record WHERE record.partition = number)""",
}

_UNSAFE = {
    "fsync": "The database server runs with fsync off: it loses data when the machine stops. Turn it on.",
    "full_page_writes": "The database server runs with full_page_writes off: a power loss can damage it. Turn it on.",
}


def check_store(connection: Connection) -> Health:
    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    # For this transaction only, however it ends: whoever has the connection next is to have a deadline.
    connection.execute("SET LOCAL statement_timeout = 0")
    problems = [sentence for name, sentence in _UNSAFE.items() if _value(connection, f"SHOW {name}") == "off"]
    for sentence, sql in _COUNTS.items():
        if wrong := _value(connection, sql):
            problems.append(sentence.format(wrong))
    if _values_expected(connection) != _value(connection, "SELECT count(*) FROM field"):
        problems.append("The number of filter values is not that of the records' fields: restore a backup.")
    health = Health(tuple(problems), _details(connection))
    connection.execute("COMMIT")
    return health


def _values_expected(connection: Connection) -> int:
    with connection.cursor(name="fields") as stored:
        stored.execute("SELECT fields FROM record WHERE fields <> '{}'")
        return sum(len(field_rows(fields_of(fields))) for (fields,) in stored)


def _details(connection: Connection) -> dict[str, str | int | float]:
    counts: dict[str, str | int | float] = {
        f"{table}s": _value(connection, f"SELECT count(*) FROM {table}")  # noqa: S608  # Our own four names.
        for table in ("partition", "record", "tombstone", "job")
    }
    return {
        "engine": f"PostgreSQL {_value(connection, 'SHOW server_version')}",
        "pgvector": _value(connection, "SELECT extversion FROM pg_extension WHERE extname = 'vector'"),
        "format": _value(connection, "SELECT value FROM meta WHERE name = 'format'"),
        "tokeniser": _value(connection, "SELECT value FROM meta WHERE name = 'tokeniser'"),
        **counts,
        "database_bytes": _value(connection, "SELECT pg_database_size(current_database())"),
    }


def _value(connection: Connection, sql: str) -> str | int:
    row = connection.execute(sql).fetchone()
    assert row is not None
    value: str | int = row[0]
    return value
