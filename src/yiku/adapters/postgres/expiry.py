"""How records whose time has passed leave the tables. No read sees them any more: it is about room and privacy."""

from __future__ import annotations

from collections import defaultdict

from yiku.adapters.postgres.changes import delete_expired
from yiku.adapters.postgres.connections import Connection
from yiku.model.records import Ref
from yiku.model.scopes import Partition

_AT_ONCE = 500

# The second comparison says no more than the first, but without it the index would not be thought of.
_EXPIRED = """
SELECT workspace, owner, kind, id FROM record JOIN partition ON number = partition
WHERE expires <= %s AND expires < 9223372036854775807 LIMIT %s
"""


def sweep_expired(connection: Connection, *, now: int) -> bool:
    """Delete some of them, a transaction for each partition. Whether there may be more."""
    expired: defaultdict[Partition, list[Ref]] = defaultdict(list)
    found = connection.execute(_EXPIRED, (now, _AT_ONCE)).fetchall()
    for workspace, owner, kind, name in found:
        expired[Partition(workspace, owner)].append(Ref(kind, name))
    for partition, refs in expired.items():
        delete_expired(connection, partition, refs, now=now)
    return len(found) == _AT_ONCE
