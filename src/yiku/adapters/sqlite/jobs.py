"""How the job queue works on its table: enqueue, claim by lane, renew, release, finish."""

# ruff: noqa: S608  # The pieces of SQL put together here are our own; every value is bound.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from yiku.adapters.sqlite.connections import rows_of, value_of
from yiku.adapters.sqlite.writer import WriteTransaction
from yiku.engine.jobs import jobs_of
from yiku.engine.records import to_json
from yiku.engine.times import later, seconds
from yiku.model.errors import Conflict, LeaseLost, QueueFull
from yiku.model.jobs import Job, NewJob, QueueState
from yiku.model.limits import Limits

_COLUMNS = (
    "job.id, job.kind, lane, workspace, owner, payload, enqueued, attempts, "
    "CASE WHEN lease_until > :now THEN lease END, last_error, run_after, job.number"
)

# A lane with a running job is busy. Before the others of a lane come those that are being retried, until they have had
# their tries in line, and those of kinds that this worker does not do: both hold up what was enqueued after them.
_CLAIMABLE = """
    kind IN (SELECT value FROM json_each(:kinds))
    AND run_after <= :now
    AND lease_until <= :now
    AND lane NOT IN (SELECT lane FROM job WHERE lease IS NOT NULL AND lease_until > :now)
    AND NOT EXISTS (
        SELECT 1 FROM job AS earlier
        WHERE earlier.lane = job.lane AND earlier.number < job.number
            AND CASE
                WHEN earlier.run_after > :now THEN earlier.attempts < :attempts_in_line
                ELSE earlier.kind NOT IN (SELECT value FROM json_each(:kinds))
            END
    )
"""

_NEXT_LANE = f"SELECT lane FROM job WHERE {_CLAIMABLE} ORDER BY number LIMIT 1"

_NEXT_OF_LANE = f"SELECT number FROM job WHERE lane = :lane AND {_CLAIMABLE} ORDER BY number LIMIT :limit"


def enqueue_jobs(transaction: WriteTransaction, number: int, jobs: Sequence[NewJob], limits: Limits) -> None:
    if not jobs:
        return
    connection = transaction.connection
    if value_of(connection, "SELECT value FROM meta WHERE name = 'jobs'") + len(jobs) > limits.queue_jobs:
        raise QueueFull
    for job in jobs:
        if value_of(connection, "SELECT 1 FROM job WHERE id = ?", (job.id,)) is not None:
            raise Conflict(f"A job with the id {job.id} is waiting already.")
        connection.execute(
            "INSERT INTO job (id, kind, lane, partition, payload, enqueued) VALUES (?, ?, ?, ?, ?, ?)",
            (job.id, job.kind, job.lane, number, to_json(job.payload), transaction.now),
        )


def finish_jobs(connection: apsw.Connection, jobs: Sequence[Job]) -> None:
    for job in jobs:
        connection.execute("DELETE FROM job WHERE id = ? AND lease = ?", (job.id, job.lease))
        if not connection.changes():
            raise LeaseLost


def next_lane(connection: apsw.Connection, kinds: Sequence[str], limits: Limits, *, now: int) -> str | None:
    """The lane of the oldest job that can be claimed."""
    lane: str | None = value_of(connection, _NEXT_LANE, _claim_bindings(kinds, limits, now))
    return lane


def claim_jobs(
    transaction: WriteTransaction, kinds: Sequence[str], *, lease_s: float, limit: int, limits: Limits
) -> list[Job]:
    connection, now = transaction.connection, transaction.now
    lane = next_lane(connection, kinds, limits, now=now)
    if lane is None:
        return []
    bindings = _claim_bindings(kinds, limits, now) | {"lane": lane, "limit": limit}
    numbers = [number for (number,) in rows_of(connection, _NEXT_OF_LANE, bindings)]
    connection.executemany(
        "UPDATE job SET lease = ?, lease_until = ?, attempts = attempts + 1 WHERE number = ?",
        [(transaction.clock.new_id("lease-"), later(now, lease_s), number) for number in numbers],
    )
    return _jobs_where(
        connection, "job.number IN (SELECT value FROM json_each(:numbers))", numbers=to_json(numbers), now=now
    )


def renew_leases(transaction: WriteTransaction, jobs: Sequence[Job], *, lease_s: float) -> None:
    for job in jobs:
        transaction.connection.execute(
            "UPDATE job SET lease_until = ? WHERE id = ? AND lease = ?",
            (later(transaction.now, lease_s), job.id, job.lease),
        )
        if not transaction.connection.changes():
            raise LeaseLost


def release_jobs(
    transaction: WriteTransaction, jobs: Sequence[Job], *, delay_s: float, error: str | None, count_attempt: bool
) -> None:
    transaction.connection.executemany(
        """
        UPDATE job SET lease = NULL, lease_until = 0, run_after = ?, attempts = attempts - ?,
            last_error = coalesce(?, last_error)
        WHERE id = ? AND lease = ?
        """,
        [(later(transaction.now, delay_s), 0 if count_attempt else 1, error, job.id, job.lease) for job in jobs],
    )


def job_with_id(connection: apsw.Connection, id: str, *, now: int) -> Job | None:
    found = _jobs_where(connection, "job.id = :id", id=id, now=now)
    return found[0] if found else None


def list_jobs(connection: apsw.Connection, *, after: int, limit: int, now: int) -> list[Job]:
    page = "SELECT number FROM job WHERE number > :after ORDER BY number LIMIT :limit"
    return _jobs_where(connection, f"job.number IN ({page})", after=after, limit=limit, now=now)


def end_back_off(transaction: WriteTransaction, id: str) -> bool:
    transaction.connection.execute(
        "UPDATE job SET run_after = 0 WHERE id = ? AND lease_until <= ?", (id, transaction.now)
    )
    return bool(transaction.connection.changes())


def queue_state(connection: apsw.Connection, *, now: int) -> QueueState:
    jobs = int(value_of(connection, "SELECT value FROM meta WHERE name = 'jobs'"))
    running = int(value_of(connection, "SELECT count(*) FROM job WHERE lease IS NOT NULL AND lease_until > ?", (now,)))
    oldest = value_of(connection, "SELECT enqueued FROM job WHERE lease_until <= ? ORDER BY number LIMIT 1", (now,))
    age_s = 0.0 if oldest is None else max(seconds(now - oldest), 0.0)
    return QueueState(waiting=jobs - running, running=running, oldest_age_s=age_s)


def _jobs_where(connection: apsw.Connection, condition: str, **bindings: Any) -> list[Job]:
    found = rows_of(
        connection,
        f"""
        SELECT {_COLUMNS} FROM job JOIN partition ON partition.number = job.partition
        WHERE {condition} ORDER BY job.number
        """,
        bindings,
    )
    return jobs_of(found)


def _claim_bindings(kinds: Sequence[str], limits: Limits, now: int) -> dict[str, Any]:
    return {"kinds": to_json(kinds), "now": now, "attempts_in_line": limits.job_attempts_in_line}
