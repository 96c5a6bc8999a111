"""How transactions of the port are applied, several in one of the database: look, decide, write. Two trips.

The partitions are locked first; then what the commits are about is read; what each comes to is decided here, one after
the other (`draft.py`); and what was not refused is written and committed at once.
"""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from psycopg import errors

from yiku.adapters.postgres import jobs as queue
from yiku.adapters.postgres.connections import Connection, committing
from yiku.adapters.postgres.draft import Draft, Held
from yiku.adapters.postgres.partitions import sequence_at
from yiku.adapters.postgres.rows import write_drafts
from yiku.engine.records import PreparedPut
from yiku.model.errors import Conflict, YikuError
from yiku.model.limits import Limits
from yiku.model.records import Changes, Ref
from yiku.model.scopes import Partition

# The locks that all commits of a partition queue for. Alone one waits for it; a group takes those that are free, and
# so never waits for another group that waits for it.
_LOCK = """
SELECT partition.workspace, partition.owner, number, counter FROM partition
JOIN unnest(%(workspaces)s::text[], %(owners)s::text[]) AS asked (workspace, owner)
    ON partition.workspace = asked.workspace COLLATE "C" AND partition.owner = asked.owner COLLATE "C"
ORDER BY number FOR UPDATE OF partition
"""
_LOCK_FREE_ONES = f"{_LOCK} SKIP LOCKED"

_MAKE = """
INSERT INTO partition (workspace, owner) SELECT * FROM unnest(%(workspaces)s::text[], %(owners)s::text[])
ON CONFLICT DO NOTHING
"""

_UNMAKE = "DELETE FROM partition WHERE number = ANY(%s)"

# One look into an index for each; else an OR would be answered by reading through partitions.
_PARTITION = """
JOIN partition ON partition.workspace = asked.workspace COLLATE "C" AND partition.owner = asked.owner COLLATE "C"
"""
_HELD = f"""
SELECT asked.workspace, asked.owner, held.*
FROM unnest(%(id_workspaces)b::text[], %(id_owners)b::text[], %(id_kinds)b::text[], %(ids)b::text[])
    AS asked (workspace, owner, kind, id) {_PARTITION} CROSS JOIN LATERAL (
    SELECT kind, id, sequence, version, expires, unique_key, fields FROM record
    WHERE partition = number AND kind = asked.kind COLLATE "C" AND id = asked.id COLLATE "C" LIMIT 1
) AS held
UNION ALL
SELECT asked.workspace, asked.owner, held.*
FROM unnest(%(key_workspaces)b::text[], %(key_owners)b::text[], %(key_kinds)b::text[], %(keys)b::text[])
    AS asked (workspace, owner, kind, key) {_PARTITION} CROSS JOIN LATERAL (
    SELECT kind, id, sequence, version, expires, unique_key, fields FROM record
    WHERE partition = number AND kind = asked.kind COLLATE "C" AND unique_key = asked.key COLLATE "C" LIMIT 1
) AS held
"""


@dataclass(frozen=True, slots=True)
class Commit:
    """What somebody wants to be applied, with its records prepared."""

    changes: Changes
    puts: Sequence[PreparedPut]


class Busy(Exception):
    """Another server is committing to this partition: the commit has to be applied alone."""


Outcome = YikuError | Busy | None
"""None when the commit was applied."""


def apply_commits(
    connection: Connection, commits: Sequence[Commit], limits: Limits, *, now: int, alone: bool
) -> list[Outcome]:
    """What became of each. A refused one does not touch the others.

    Of one partition there may be several: they are applied in order. `alone`: all are of one partition, which is waited
    for and made where it is missing.
    """
    drafts, finished, queued = _looked(connection, [commit.changes for commit in commits], now=now, alone=alone)
    new = sum(len(commit.changes.enqueues) for commit in commits)
    room = queue.Room(connection, queued, limits, new=new)
    outcomes: list[Outcome] = []
    for commit in commits:
        draft = drafts.get(commit.changes.partition)
        outcomes.append(Busy() if draft is None else _decided(commit, draft, drafts, finished, room))
    accepted = [commit for commit, outcome in zip(commits, outcomes, strict=True) if outcome is None]
    if not accepted:
        return outcomes
    used = {commit.changes.partition for commit in accepted}
    unused = [draft.number for partition, draft in drafts.items() if draft.made and partition not in used]
    try:
        with committing(connection):
            if unused:
                connection.execute(_UNMAKE, (unused,))
            queue.finish_jobs(connection, [job for commit in accepted for job in commit.changes.finishes])
            write_drafts(connection, list(drafts.values()))
            jobs = [(drafts[c.changes.partition].number, job) for c in accepted for job in c.changes.enqueues]
            queue.enqueue_jobs(connection, jobs, now=now)
    except errors.UniqueViolation as error:
        # Under the partitions' locks only the ids of jobs can collide: they are unique over all partitions.
        raise Conflict("A job with one of these ids is waiting already.") from error
    return outcomes


def delete_expired(connection: Connection, partition: Partition, refs: Sequence[Ref], *, now: int) -> None:
    """Those of these records whose time has passed; one that was put again meanwhile stays."""
    drafts, _, _ = _looked(connection, [Changes(partition=partition, deletes=tuple(refs))], now=now, alone=True)
    for draft in drafts.values():
        draft.delete([ref for ref, held in draft.held.items() if held.expires <= now])
    with committing(connection):
        write_drafts(connection, list(drafts.values()))


def _decided(
    commit: Commit, draft: Draft, drafts: dict[Partition, Draft], finished: queue.Leases, room: queue.Room
) -> YikuError | None:
    """Apply the commit to the draft of its partition, or leave everything as it was."""
    changes, trial = commit.changes, copy(draft)
    try:
        trial.check(changes.expects)
        finished.check(changes.finishes)
        trial.delete(changes.deletes)
        trial.put(commit.puts)
        room.check(changes.enqueues, finishing=changes.finishes)
    except YikuError as error:
        return error
    finished.take(changes.finishes)
    room.take(changes.enqueues, finishing=changes.finishes)
    drafts[changes.partition] = trial
    return None


def _looked(
    connection: Connection, all_changes: Sequence[Changes], *, now: int, alone: bool
) -> tuple[dict[Partition, Draft], queue.Leases, queue.Cursor | None]:
    """Lock the partitions and read what the commits are about. The transaction stays open."""
    asked = _asked(all_changes)
    lock = _LOCK if alone else _LOCK_FREE_ONES
    with connection.pipeline():
        connection.execute("BEGIN")
        locked = connection.execute(lock, _places({changes.partition for changes in all_changes}))
        held = connection.execute(_HELD, asked)
        leases = queue.lock_leases(connection, [job for changes in all_changes for job in changes.finishes])
        queued = queue.ask_for_room(connection, [job for changes in all_changes for job in changes.enqueues])
    found = locked.fetchall()
    there = len(found)
    while missing := _missing(all_changes, found):
        with connection.pipeline():
            connection.execute(_MAKE, _places(missing))
            locked = connection.execute(lock, _places(missing))
            held = connection.execute(_HELD, asked)
        found += locked.fetchall()
        # Alone one waits even for a partition that another server has made before us, and drops again before we have it
        # locked. In a group those that are not free have to be applied alone.
        if not alone:
            break
    drafts = {
        Partition(workspace, owner): Draft(number, sequence_at(number, counter), now, made=place >= there)
        for place, (workspace, owner, number, counter) in enumerate(found)
    }
    if alone and not drafts:
        # There is nothing to be found or deleted, and nothing to be put.
        drafts[all_changes[0].partition] = Draft(number=0, last=0, now=now)
    for workspace, owner, kind, name, *row in held.fetchall():
        draft = drafts.get(Partition(workspace, owner))
        if draft is not None:
            draft.hold(Ref(kind, name), Held(*row))
    return drafts, queue.Leases(leases), queued


def _missing(all_changes: Sequence[Changes], found: Sequence[tuple[Any, ...]]) -> set[Partition]:
    """The partitions that have to be there for these changes, and are not among the locked ones."""
    needed = {changes.partition for changes in all_changes if changes.puts or changes.enqueues}
    return needed - {Partition(workspace, owner) for workspace, owner, *_ in found}


def _places(partitions: Iterable[Partition]) -> dict[str, list[str]]:
    # In one order everywhere: servers that make the same partitions wait for each other, but never in a circle.
    in_order = sorted(partitions)
    return {
        "workspaces": [partition.workspace for partition in in_order],
        "owners": [partition.owner for partition in in_order],
    }


def _asked(all_changes: Sequence[Changes]) -> dict[str, list[str]]:
    ids: set[tuple[str, ...]] = set()
    keys: set[tuple[str, ...]] = set()
    for changes in all_changes:
        place = (changes.partition.workspace, changes.partition.owner)
        ids.update((*place, expectation.ref.kind, expectation.ref.id) for expectation in changes.expects)
        ids.update((*place, ref.kind, ref.id) for ref in changes.deletes)
        ids.update((*place, put.kind, put.id) for put in changes.puts)
        keys.update((*place, put.kind, put.unique_key) for put in changes.puts if put.unique_key is not None)
    names = ("workspaces", "owners", "kinds")
    asked = {f"id_{name}": [row[place] for row in ids] for place, name in enumerate(names)}
    asked |= {f"key_{name}": [row[place] for row in keys] for place, name in enumerate(names)}
    return asked | {"ids": [row[3] for row in ids], "keys": [row[3] for row in keys]}
