"""Background work: what a job is and when it is tried again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from yiku.model.scopes import Partition


@dataclass(frozen=True, kw_only=True, slots=True)
class NewJob:
    """Work to be done after the commit that holds it.

    Jobs of one lane run one at a time, in the order they were enqueued. `id` is unique over all jobs.
    """

    id: str
    kind: str
    lane: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A job as the queue knows it. `lease` is None while it waits; `attempts` counts the claims so far.

    `due` is when the back-off ends after which it may be claimed, None where there never was one. `number` is its place
    in the queue, which grows from job to job.
    """

    id: str
    kind: str
    lane: str
    partition: Partition
    payload: Mapping[str, Any]
    enqueued: datetime
    attempts: int
    lease: str | None
    last_error: str | None = None
    due: datetime | None = None
    number: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class JobFailure:
    """Why a job ended without success: a short stable name, and a sentence a person can act on."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class QueueState:
    """How much waits, and how long the oldest has waited (seconds; 0 when nothing waits)."""

    waiting: int
    running: int
    oldest_age_s: float


def backoff_s(attempts: int) -> float:
    """Seconds until the next try after `attempts` failed ones: 1, 4, 16, 64, then at most 300."""
    return float(min(4 ** max(attempts - 1, 0), 300))
