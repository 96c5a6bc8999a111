"""What happens when the tokeniser has changed: the terms of every record are made anew from its text."""

from __future__ import annotations

import apsw

from yiku.adapters.sqlite.connections import rows_of, transaction, value_of
from yiku.engine.features import text_feature
from yiku.model.tokens import TOKENISER_VERSION

_BATCH = 500

_NEXT = """
SELECT sequence, partition, kind, text FROM record WHERE sequence > ? AND text IS NOT NULL ORDER BY sequence LIMIT ?
"""

_UPDATE = "UPDATE feature SET terms = ?, length = ? WHERE partition = ? AND kind = ? AND sequence = ?"


def has_present_terms(connection: apsw.Connection) -> bool:
    stored = value_of(connection, "SELECT value FROM meta WHERE name = 'tokeniser'")
    return bool(stored == TOKENISER_VERSION)


def renew_terms(connection: apsw.Connection) -> None:
    """A rebuild that is cut off starts again at the next opening: the version is stored last."""
    if has_present_terms(connection):
        return
    last = 0
    while texts := rows_of(connection, _NEXT, (last, _BATCH)):
        with transaction(connection, "IMMEDIATE"):
            connection.executemany(
                _UPDATE, [(*text_feature(text), partition, kind, sequence) for sequence, partition, kind, text in texts]
            )
        last = texts[-1][0]
    with transaction(connection, "IMMEDIATE"):
        connection.execute("UPDATE meta SET value = ? WHERE name = 'tokeniser'", (TOKENISER_VERSION,))
