"""How a job is read back from a row."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from yiku.engine.times import moment
from yiku.model.jobs import Job
from yiku.model.scopes import Partition


def jobs_of(rows: Iterable[tuple[Any, ...]]) -> list[Job]:
    """From rows of id, kind, lane, workspace, owner, payload, enqueued, attempts, lease, last error, due and number."""
    return [
        Job(
            id=job_id,
            kind=kind,
            lane=lane,
            partition=Partition(workspace, owner),
            payload=json.loads(payload),
            enqueued=moment(enqueued),
            attempts=attempts,
            lease=lease,
            last_error=last_error,
            due=moment(due) if due else None,
            number=number,
        )
        for job_id, kind, lane, workspace, owner, payload, enqueued, attempts, lease, last_error, due, number in rows
    ]
