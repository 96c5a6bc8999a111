"""What a search reads of the database, inside one read transaction."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yiku.adapters.postgres.conditions import Filter
from yiku.adapters.postgres.connections import Connection
from yiku.adapters.postgres.partitions import sequence_at
from yiku.engine.records import COLUMNS
from yiku.engine.snapshot import News, StoredRow
from yiku.model.conditions import Condition
from yiku.model.scopes import Partition

_ASKED = """
FROM unnest(%(workspaces)s::text[], %(owners)s::text[], %(seen)s::bigint[]) AS asked (workspace, owner, seen)
JOIN partition ON partition.workspace = asked.workspace COLLATE "C" AND partition.owner = asked.owner COLLATE "C"
"""

_PLACES = f"SELECT partition.workspace, partition.owner, number, counter {_ASKED}"

# The bounds and the order inside make it a walk along the index; else every row of the partition would be read.
_NEW_ROWS = f"""
SELECT number, new.* {_ASKED} CROSS JOIN LATERAL (
    SELECT feature.sequence, expires, length, terms, model, scale, vector, setting, speaker FROM feature
    WHERE feature.partition = number AND feature.kind = %(kind)s
        AND feature.sequence > asked.seen AND feature.sequence < (number + 1)::bigint << 32
    ORDER BY feature.sequence
) AS new
"""

# Tombstones are about rows that are held: a first load meets none. Their numbers begin with that of the partition.
_GONE_ROWS = f"""
SELECT number, old_sequence {_ASKED}
JOIN tombstone ON asked.seen > 0 AND tombstone.sequence > asked.seen AND tombstone.partition = number
    AND tombstone.sequence < (number + 1)::bigint << 32 AND tombstone.kind = %(kind)s
"""

_VECTORS = "SELECT sequence, vector FROM embedding WHERE sequence = ANY(%s)"

_ROWS = f"SELECT {COLUMNS} FROM record WHERE sequence = ANY(%s)"

Grouped = defaultdict[int, list[tuple[Any, ...]]]
"""Rows by the number of their partition."""


class PostgresSnapshot:
    """See `yiku.engine.snapshot.Snapshot`; the connection has an open read transaction."""

    def __init__(self, connection: Connection, *, now: int) -> None:
        self._connection = connection
        self._now = now

    def news(self, seen: Mapping[Partition, int], kind: str) -> dict[Partition, News]:
        bindings = {
            "workspaces": [partition.workspace for partition in seen],
            "owners": [partition.owner for partition in seen],
            "seen": list(seen.values()),
            "kind": kind,
        }
        places = {
            Partition(workspace, owner): (number, sequence_at(number, counter))
            for workspace, owner, number, counter in self._connection.execute(_PLACES, bindings)
        }
        added: Grouped = defaultdict(list)
        gone: Grouped = defaultdict(list)
        # Most searches follow a search, and there is nothing to be brought.
        if any(newest != seen[partition] for partition, (_, newest) in places.items()):
            sent = [self._connection.execute(sql, bindings, binary=True) for sql in (_NEW_ROWS, _GONE_ROWS)]
            added, gone = (_by_number(answer.fetchall()) for answer in sent)
        return {
            partition: News(
                number=number,
                newest=newest,
                added=[row[1:] for row in added[number]],
                gone=[sequence for _, sequence in gone[number]],
            )
            for partition, (number, newest) in places.items()
        }

    def matching(self, numbers: Sequence[int], kind: str, where: Condition) -> NDArray[np.int64]:
        chosen = Filter(numbers, kind, where, now=self._now)
        # As one value: a wide condition holds for thousands of rows, and each would become an object or two.
        sql = f"SELECT string_agg(int8send(sequence), '') FROM record WHERE {chosen.sql}"
        ((found,),) = self._connection.execute(sql, chosen.bindings, binary=True)
        return np.frombuffer(found or b"", ">i8").astype(np.int64)

    def vectors(self, sequences: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        found = self._connection.execute(_VECTORS, (list(sequences),), binary=True)
        return {sequence: half.to_numpy().astype(np.float32) for sequence, half in found}

    def rows(self, sequences: Sequence[int]) -> list[StoredRow]:
        return list(self._connection.execute(_ROWS, (list(sequences),), binary=True).fetchall())


def _by_number(rows: Sequence[tuple[Any, ...]]) -> Grouped:
    grouped: Grouped = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row)
    return grouped
