"""Which partitions there are, and how a whole one goes away."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from yiku.adapters.postgres.connections import Connection, committing
from yiku.model.scopes import Partition

_NUMBERS = """
SELECT partition.workspace, partition.owner, number FROM partition
JOIN unnest(%s::text[], %s::text[]) AS asked (workspace, owner)
    ON partition.workspace = asked.workspace COLLATE "C" AND partition.owner = asked.owner COLLATE "C"
"""

_COUNTER_BITS = 32

# The lock on its row keeps commits out while the rest goes.
_LOCK = "SELECT number FROM partition WHERE workspace = %s AND owner = %s FOR UPDATE"

_COUNT = "SELECT count(*) FROM record WHERE partition = %s AND expires > %s"

_DROP = (
    "DELETE FROM embedding USING record WHERE embedding.sequence = record.sequence AND record.partition = %s",
    "DELETE FROM record WHERE partition = %s",
    "DELETE FROM field WHERE partition = %s",
    "DELETE FROM feature WHERE partition = %s",
    "DELETE FROM tombstone WHERE partition = %s",
    "DELETE FROM job WHERE partition = %s",
    "DELETE FROM partition WHERE number = %s",
)


def sequence_at(number: int, counter: int) -> int:
    """The sequence number that a partition reaches with its `counter`-th change (see the first migration)."""
    return (number << _COUNTER_BITS) + counter


def counter_of(sequence: int) -> int:
    return sequence & ((1 << _COUNTER_BITS) - 1)


def numbers_of(connection: Connection, partitions: Sequence[Partition]) -> dict[int, Partition]:
    """Those that exist, each once."""
    distinct = list(dict.fromkeys(partitions))
    workspaces = [partition.workspace for partition in distinct]
    found = connection.execute(_NUMBERS, (workspaces, [partition.owner for partition in distinct])).fetchall()
    return {number: Partition(workspace, owner) for workspace, owner, number in found}


def list_partitions(connection: Connection, workspace: str, prefix: str, *, after: str, limit: int) -> list[Partition]:
    # Owners with one prefix stand together, in the order of code points.
    found = connection.execute(
        "SELECT owner FROM partition WHERE workspace = %s AND owner >= %s AND owner > %s ORDER BY owner LIMIT %s",
        (workspace, prefix, after, limit),
    )
    owners = takewhile(lambda owner: owner.startswith(prefix), (owner for (owner,) in found))
    return [Partition(workspace, owner) for owner in owners]


def drop_partition(connection: Connection, partition: Partition, *, now: int) -> int:
    with connection.pipeline():
        connection.execute("BEGIN")
        locked = connection.execute(_LOCK, (partition.workspace, partition.owner))
    found = locked.fetchone()
    if found is None:
        return 0
    with committing(connection):
        counted = connection.execute(_COUNT, (*found, now))
        for statement in _DROP:
            connection.execute(statement, found)
    ((count,),) = counted
    return int(count)
