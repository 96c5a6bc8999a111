"""What a search reads of the file, inside one read transaction."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Mapping, Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

from yiku.adapters.sqlite.conditions import Filter
from yiku.adapters.sqlite.connections import rows_of, value_of
from yiku.adapters.sqlite.partitions import number_of
from yiku.engine.records import COLUMNS, to_json
from yiku.engine.snapshot import News, StoredRow
from yiku.model.conditions import Condition
from yiku.model.scopes import Partition

_NEW_ROWS = """
SELECT sequence, expires, length, terms, model.name, scale, vector, setting, speaker
FROM feature LEFT JOIN model ON model.number = feature.model
WHERE partition = ? AND kind = ? AND sequence > ? ORDER BY sequence
"""

_GONE_ROWS = "SELECT old_sequence FROM tombstone WHERE partition = ? AND sequence > ? AND kind = ?"

_VECTORS = "SELECT sequence, vector FROM half WHERE sequence IN (SELECT value FROM json_each(?))"

_ROWS = f"SELECT {COLUMNS} FROM record WHERE sequence IN (SELECT value FROM json_each(?))"


class SqliteSnapshot:
    """See `yiku.engine.snapshot.Snapshot`; the connection has an open read transaction."""

    def __init__(self, connection: apsw.Connection, *, now: int) -> None:
        self._connection = connection
        self._now = now

    def news(self, seen: Mapping[Partition, int], kind: str) -> dict[Partition, News]:
        newest = int(value_of(self._connection, "SELECT value FROM meta WHERE name = 'sequence'"))
        numbers = {partition: number_of(self._connection, partition) for partition in seen}
        return {
            partition: self._news(number, kind, seen[partition], newest)
            for partition, number in numbers.items()
            if number is not None
        }

    def _news(self, number: int, kind: str, seen: int, newest: int) -> News:
        if newest == seen:
            return News(number=number, newest=newest, added=(), gone=())
        added = rows_of(self._connection, _NEW_ROWS, (number, kind, seen))
        # Tombstones are about rows that are held: a first load meets none.
        gone = rows_of(self._connection, _GONE_ROWS, (number, seen, kind)) if seen else []
        return News(number=number, newest=newest, added=added, gone=[sequence for (sequence,) in gone])

    def matching(self, numbers: Sequence[int], kind: str, where: Condition) -> NDArray[np.int64]:
        chosen = Filter(numbers, kind, where, now=self._now)
        # As one text: a wide condition holds for thousands of rows, and each would become an object or two.
        sql = f"SELECT group_concat(sequence) FROM record WHERE {chosen.sql}"
        found: str | None = value_of(self._connection, sql, chosen.bindings)
        return np.empty(0, np.int64) if found is None else np.fromstring(found, np.int64, sep=",")

    def vectors(self, sequences: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        found = rows_of(self._connection, _VECTORS, (to_json(sequences),))
        return {sequence: np.frombuffer(half, np.float16).astype(np.float32) for sequence, half in found}

    def rows(self, sequences: Sequence[int]) -> list[StoredRow]:
        return rows_of(self._connection, _ROWS, (to_json(sequences),))
