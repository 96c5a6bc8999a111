"""What happens when the tokeniser has changed: the terms of every record are made anew from its text."""

from __future__ import annotations

from yiku.adapters.postgres.connections import Connection
from yiku.engine.features import text_feature
from yiku.model.tokens import TOKENISER_VERSION

_LOCK = 0x544F4B45
"""One server renews, the others wait for it."""
_BATCH = 500

_NEXT = """
SELECT sequence, partition, kind, text FROM record
WHERE sequence > %s AND text IS NOT NULL ORDER BY sequence LIMIT %s
"""

_UPDATE = "UPDATE feature SET terms = %b, length = %s WHERE partition = %s AND kind = %s AND sequence = %s"


def has_present_terms(connection: Connection) -> bool:
    ((version,),) = connection.execute("SELECT value FROM meta WHERE name = 'tokeniser'")
    return bool(version == TOKENISER_VERSION)


def renew_terms(connection: Connection) -> None:
    """A rebuild that is cut off starts again at the next opening: the version is stored last."""
    connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
    try:
        if not has_present_terms(connection):
            _renew(connection)
            connection.execute("UPDATE meta SET value = %s WHERE name = 'tokeniser'", (TOKENISER_VERSION,))
    finally:
        connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))


def _renew(connection: Connection) -> None:
    last = 0
    while texts := connection.execute(_NEXT, (last, _BATCH)).fetchall():
        with connection.transaction():
            connection.cursor().executemany(
                _UPDATE, [(*text_feature(text), partition, kind, sequence) for sequence, partition, kind, text in texts]
            )
        last = texts[-1][0]
