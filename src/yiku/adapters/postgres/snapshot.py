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
from yiku.engine.records import COLUMNS
from yiku.engine.snapshot import News, Stored
from yiku.model.conditions import Condition
from yiku.model.scopes import Partition

_ASKED = """
FROM unnest(%(workspaces)s::text[], %(owners)s::text[], %(seen)s::bigint[]) AS asked (workspace, owner, seen)
JOIN partition ON partition.workspace = asked.workspace COLLATE "C" AND partition.owner = asked.owner COLLATE "C"
"""

_PLACES = f"SELECT partition.workspace, partition.owner, number, counter {_ASKED}"

_NEW_ROWS = f"""
SELECT number, feature.sequence, expires, length, terms, model, scale, vector {_ASKED}
JOIN feature ON feature.partition = number AND feature.kind = %(kind)s AND feature.sequence > asked.seen
ORDER BY feature.sequence
"""

# Tombstones are about rows that are held: a first load meets none. Their numbers begin with that of the partition.
_GONE_ROWS = f"""
SELECT number, old_sequence {_ASKED}
JOIN tombstone ON asked.seen > 0 AND tombstone.sequence > asked.seen AND tombstone.partition = number
    AND tombstone.sequence < (number + 1)::bigint << 32 AND tombstone.kind = %(kind)s
"""

_ROWS = f"SELECT {COLUMNS} FROM record WHERE sequence = ANY(%s)"

_HALVES = "SELECT sequence, vector FROM embedding WHERE sequence = ANY(%s)"

_IN_ORDER_OF_IDS = "SELECT sequence FROM record WHERE sequence = ANY(%s) ORDER BY id, partition"


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
        with self._connection.pipeline():
            places = self._connection.execute(_PLACES, bindings)
            added = self._connection.execute(_NEW_ROWS, bindings, binary=True)
            gone = self._connection.execute(_GONE_ROWS, bindings, binary=True)
        added_to, gone_from = _by_number(added.fetchall()), _by_number(gone.fetchall())
        return {
            Partition(workspace, owner): News(
                number=number,
                newest=(number << 32) + counter,
                added=[row[1:] for row in added_to[number]],
                gone=[sequence for _, sequence in gone_from[number]],
            )
            for workspace, owner, number, counter in places
        }

    def matching(self, numbers: Sequence[int], kind: str, where: Condition) -> NDArray[np.int64]:
        chosen = Filter(numbers, kind, where, now=self._now)
        # As one value: a wide condition holds for thousands of rows, and each would become an object or two.
        sql = f"SELECT string_agg(int8send(sequence), '') FROM record WHERE {chosen.sql}"
        ((found,),) = self._connection.execute(sql, chosen.bindings, binary=True)
        return np.frombuffer(found or b"", ">i8").astype(np.int64)

    def stored(self, sequences: Sequence[int], *, with_halves: bool) -> Stored:
        wanted = (list(sequences),)
        with self._connection.pipeline():
            rows = self._connection.execute(_ROWS, wanted)
            halves = self._connection.execute(_HALVES, wanted, binary=True) if with_halves else ()
        return Stored(rows.fetchall(), [(sequence, vector.to_numpy().tobytes()) for sequence, vector in halves])

    def in_order_of_ids(self, sequences: Sequence[int]) -> list[int]:
        return [sequence for (sequence,) in self._connection.execute(_IN_ORDER_OF_IDS, (list(sequences),))]


def _by_number(rows: Sequence[tuple[Any, ...]]) -> defaultdict[int, list[tuple[Any, ...]]]:
    grouped: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row)
    return grouped
