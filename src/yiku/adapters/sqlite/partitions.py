"""Which partitions there are, where a record lives, and how a whole partition goes away."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import apsw

from yiku.adapters.sqlite.connections import rows_of, value_of
from yiku.adapters.sqlite.writer import WriteTransaction
from yiku.model.scopes import Partition

_DROP = (
    "DELETE FROM half WHERE sequence IN (SELECT sequence FROM record WHERE partition = ?)",
    "DELETE FROM record WHERE partition = ?",
    "DELETE FROM field WHERE partition = ?",
    "DELETE FROM feature WHERE partition = ?",
    "DELETE FROM tombstone WHERE partition = ?",
    "DELETE FROM job WHERE partition = ?",
    "DELETE FROM partition WHERE number = ?",
)


def number_of(connection: apsw.Connection, partition: Partition) -> int | None:
    """The number that stands for the partition in every other table; None when it does not exist."""
    number: int | None = value_of(
        connection,
        "SELECT number FROM partition WHERE workspace = ? AND owner = ?",
        (partition.workspace, partition.owner),
    )
    return number


def numbers_of(connection: apsw.Connection, partitions: Sequence[Partition]) -> dict[int, Partition]:
    """Those that exist, each once."""
    numbered = ((number_of(connection, partition), partition) for partition in dict.fromkeys(partitions))
    return {number: partition for number, partition in numbered if number is not None}


def ensured_number(transaction: WriteTransaction, partition: Partition) -> int:
    transaction.connection.execute(
        "INSERT OR IGNORE INTO partition (workspace, owner) VALUES (?, ?)", (partition.workspace, partition.owner)
    )
    number = number_of(transaction.connection, partition)
    assert number is not None
    return number


def list_partitions(
    connection: apsw.Connection, workspace: str, prefix: str, *, after: str, limit: int
) -> list[Partition]:
    # Owners with one prefix stand together, and SQLite compares bytes of UTF-8, which is the order of code points.
    found = rows_of(
        connection,
        "SELECT owner FROM partition WHERE workspace = ? AND owner >= ? AND owner > ? ORDER BY owner LIMIT ?",
        (workspace, prefix, after, limit),
    )
    owners = takewhile(lambda owner: owner.startswith(prefix), (owner for (owner,) in found))
    return [Partition(workspace, owner) for owner in owners]


def drop_partition(transaction: WriteTransaction, partition: Partition) -> int:
    number = number_of(transaction.connection, partition)
    if number is None:
        return 0
    records: int = value_of(
        transaction.connection,
        "SELECT count(*) FROM record WHERE partition = ? AND expires > ?",
        (number, transaction.now),
    )
    for statement in _DROP:
        transaction.connection.execute(statement, (number,))
    return records
