"""How the job queue works on its table: enqueue, claim by lane, renew, release, finish."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import psycopg

from yiku.adapters.postgres.connections import Connection
from yiku.engine.jobs import jobs_of
from yiku.engine.records import to_json
from yiku.engine.times import later, seconds
from yiku.model.errors import Conflict, LeaseLost, QueueFull
from yiku.model.jobs import Job, NewJob, QueueState
from yiku.model.limits import Limits

_QUEUE_LOCK = 0x51554555
_LANE_LOCKS = 0x4C414E45
"""Numbers of advisory locks: one for counting the queue near its bound, and the class of those of the lanes."""

_IN_FLIGHT = 1_000
"""Jobs that commits of other servers may be adding at this moment, which nobody can see yet."""

Cursor = psycopg.Cursor[tuple[Any, ...]]

_COLUMNS = (
    "job.id, job.kind, lane, workspace, owner, payload, enqueued, attempts, "
    "CASE WHEN lease_until > %(now)s THEN lease END, last_error, run_after, job.number"
)

# A lane with a running job is busy. Before the others of a lane come those that are being retried, until they have had
# their tries in line, and those of kinds that this worker does not do: both hold up what was enqueued after them.
_CLAIMABLE = """
    kind = ANY(%(kinds)s)
    AND run_after <= %(now)s
    AND lease_until <= %(now)s
    AND lane <> ALL(ARRAY(SELECT lane FROM job WHERE lease IS NOT NULL AND lease_until > %(now)s))
    AND NOT EXISTS (
        SELECT 1 FROM job AS earlier
        WHERE earlier.lane = job.lane AND earlier.number < job.number
            AND CASE
                WHEN earlier.run_after > %(now)s THEN earlier.attempts < %(attempts_in_line)s
                ELSE earlier.kind <> ALL(%(kinds)s)
            END
    )
"""

# What another worker is just claiming is skipped, not waited for.
_NEXT_LANE = f"""
SELECT lane FROM job WHERE {_CLAIMABLE} AND lane <> ALL(%(taken)s::text[])
ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED
"""

_TAKE_LANE = "SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))"

_LEASED = "SELECT number FROM job WHERE lane = %s AND lease IS NOT NULL ORDER BY number FOR UPDATE"

_CLAIM = f"""
WITH next AS (
    SELECT number FROM job WHERE lane = %(lane)s AND {_CLAIMABLE} ORDER BY number LIMIT %(limit)s FOR UPDATE
), leased AS (
    UPDATE job SET lease = %(lease)s || job.number::text, lease_until = %(lease_until)s, attempts = attempts + 1
    FROM next WHERE job.number = next.number
    RETURNING job.*
)
SELECT {_COLUMNS} FROM leased AS job JOIN partition ON partition.number = job.partition ORDER BY job.number
"""

# Rows are locked in one order wherever several are changed, so that no two calls wait for each other.
_OURS = """
SELECT number, job.id, job.lease FROM job
JOIN unnest(%(ids)s::text[], %(leases)s::text[]) AS held (id, lease)
    ON job.id = held.id COLLATE "C" AND job.lease = held.lease COLLATE "C"
ORDER BY number FOR UPDATE OF job
"""


_RENEW = f"WITH ours AS ({_OURS}) UPDATE job SET lease_until = %(until)s FROM ours WHERE job.number = ours.number"

_RELEASE = f"""WITH ours AS ({_OURS})
UPDATE job SET lease = NULL, lease_until = 0, run_after = %(run_after)s, attempts = attempts - %(taken_back)s,
    last_error = coalesce(%(error)s, last_error)
FROM ours WHERE job.number = ours.number
"""

_ENQUEUE = """
INSERT INTO job (enqueued, partition, id, kind, lane, payload)
SELECT %s, partition, id, kind, lane, payload
FROM unnest(%s::int[], %s::text[], %s::text[], %s::text[], %s::text[])
    WITH ORDINALITY AS new (partition, id, kind, lane, payload, place)
ORDER BY place
"""

# The distance of the numbers is never less than the number of rows, and needs no count.
_ROOM = """
SELECT (SELECT coalesce(max(number) - min(number) + 1, 0) FROM job), ARRAY(SELECT id FROM job WHERE id = ANY(%s))
"""


def ask_for_room(connection: Connection, jobs: Sequence[NewJob]) -> Cursor | None:
    """To be looked at by `Room` once it was sent."""
    return connection.execute(_ROOM, ([job.id for job in jobs],)) if jobs else None


class Room:
    """How many jobs the queue still takes, inside the transaction that will enqueue them."""

    def __init__(self, connection: Connection, asked: Cursor | None, limits: Limits, *, new: int) -> None:
        span, known = (0, []) if asked is None else asked.fetchall()[0]
        self._known = set(known)
        self._left = limits.queue_jobs
        if asked is not None and span + new > limits.queue_jobs - _IN_FLIGHT:
            # Near the bound they are counted, one transaction after the other: the lock goes with it.
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_QUEUE_LOCK,))
            self._left = limits.queue_jobs - _only(connection.execute("SELECT count(*) FROM job"))

    def check(self, jobs: Sequence[NewJob], *, finishing: Sequence[Job]) -> None:
        """Raises `QueueFull`, or `Conflict` for an id that waits already; what is finished makes room for both."""
        if jobs and len(jobs) - len(finishing) > self._left:
            raise QueueFull
        known = self._known - {job.id for job in finishing}
        for job in jobs:
            if job.id in known:
                raise Conflict(f"A job with the id {job.id} is waiting already.")

    def take(self, jobs: Sequence[NewJob], *, finishing: Sequence[Job]) -> None:
        self._left += len(finishing) - len(jobs)
        self._known = self._known - {job.id for job in finishing} | {job.id for job in jobs}


class Leases:
    """Which of the jobs to be finished are ours, locked until the transaction ends."""

    def __init__(self, found: Cursor | None) -> None:
        self._ours = set() if found is None else {(job_id, lease) for _, job_id, lease in found}

    def check(self, jobs: Sequence[Job]) -> None:
        if not {(job.id, job.lease) for job in jobs} <= self._ours:
            raise LeaseLost

    def take(self, jobs: Sequence[Job]) -> None:
        self._ours -= {(job.id, job.lease) for job in jobs}


def lock_leases(connection: Connection, jobs: Sequence[Job]) -> Cursor | None:
    """To be looked at by `Leases` once it was sent."""
    return connection.execute(_OURS, _leases(jobs)) if jobs else None


def finish_jobs(connection: Connection, jobs: Sequence[Job]) -> None:
    if jobs:
        connection.execute("DELETE FROM job WHERE id = ANY(%s)", ([job.id for job in jobs],))


def enqueue_jobs(connection: Connection, placed: Sequence[tuple[int, NewJob]], *, now: int) -> None:
    """Each with the number of its partition, in the order in which they are to run."""
    if placed:
        rows = [(number, job.id, job.kind, job.lane, to_json(job.payload)) for number, job in placed]
        connection.execute(_ENQUEUE, (now, *map(list, zip(*rows, strict=True))))


def claim_jobs(
    connection: Connection,
    kinds: Sequence[str],
    *,
    lease_s: float,
    limit: int,
    limits: Limits,
    now: int,
    new_id: Callable[[str], str],
) -> list[Job]:
    taken: list[str] = []
    bindings = {
        "kinds": list(kinds),
        "now": now,
        "attempts_in_line": limits.job_attempts_in_line,
        "taken": taken,
        "limit": limit,
        "lease": new_id("lease-"),
        "lease_until": later(now, lease_s),
    }
    while True:
        with connection.transaction():
            found = connection.execute(_NEXT_LANE, bindings).fetchone()
            if found is None:
                return []
            (lane,) = found
            # Two heads of one lane can be free at the same moment when a delay has just run out; the lane is claimed
            # under a lock of its own, and looked at again under it.
            if _only(connection.execute(_TAKE_LANE, (_LANE_LOCKS, lane))):
                # A lease that has run out may be renewed or given back just now: its outcome is waited for.
                connection.execute(_LEASED, (lane,))
                jobs = jobs_of(connection.execute(_CLAIM, bindings | {"lane": lane}))
                if jobs:
                    return jobs
        taken.append(lane)


def renew_leases(connection: Connection, jobs: Sequence[Job], *, lease_s: float, now: int) -> None:
    with connection.transaction():
        renewed = connection.execute(_RENEW, _leases(jobs) | {"until": later(now, lease_s)})
        if renewed.rowcount != len(jobs):
            raise LeaseLost


def release_jobs(
    connection: Connection, jobs: Sequence[Job], *, delay_s: float, error: str | None, count_attempt: bool, now: int
) -> None:
    bindings = {"run_after": later(now, delay_s), "taken_back": 0 if count_attempt else 1, "error": error}
    connection.execute(_RELEASE, _leases(jobs) | bindings)


def job_with_id(connection: Connection, id: str, *, now: int) -> Job | None:
    found = jobs_of(
        connection.execute(
            f"SELECT {_COLUMNS} FROM job JOIN partition ON partition.number = job.partition WHERE job.id = %(id)s",
            {"id": id, "now": now},
        )
    )
    return found[0] if found else None


def list_jobs(connection: Connection, *, after: int, limit: int, now: int) -> list[Job]:
    return jobs_of(
        connection.execute(
            f"""
            SELECT {_COLUMNS} FROM job JOIN partition ON partition.number = job.partition
            WHERE job.number > %(after)s ORDER BY job.number LIMIT %(limit)s
            """,
            {"after": after, "limit": limit, "now": now},
        )
    )


def end_back_off(connection: Connection, id: str, *, now: int) -> bool:
    ended = connection.execute("UPDATE job SET run_after = 0 WHERE id = %s AND lease_until <= %s", (id, now))
    return ended.rowcount > 0


def queue_state(connection: Connection, *, now: int) -> QueueState:
    found = connection.execute(
        """
        SELECT count(*) FILTER (WHERE lease_until <= %(now)s), count(*) FILTER (WHERE lease_until > %(now)s),
            (SELECT enqueued FROM job WHERE lease_until <= %(now)s ORDER BY number LIMIT 1)
        FROM job
        """,
        {"now": now},
    ).fetchone()
    assert found is not None
    waiting, running, oldest = found
    age_s = 0.0 if oldest is None else max(seconds(now - oldest), 0.0)
    return QueueState(waiting=waiting, running=running, oldest_age_s=age_s)


def _leases(jobs: Sequence[Job]) -> dict[str, Any]:
    return {"ids": [job.id for job in jobs], "leases": [job.lease for job in jobs]}


def _only(found: Cursor) -> Any:
    row = found.fetchone()
    assert row is not None
    return row[0]
