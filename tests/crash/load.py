"""What does a busy server do to its store? A program that adds and digests until it is killed.

Run by `test_kill.py` as a process of its own: `load.py <place>`. It prints `ADDED <event>` and `DIGESTED <event>`
only after the commit has returned: from then on the store has promised to keep it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

import numpy as np

from tests.engines import open_place
from yiku.adapters.clocks import SystemClock
from yiku.model.jobs import Job, NewJob
from yiku.model.limits import Limits
from yiku.model.records import Changes, Embedding, Record
from yiku.model.scopes import Partition, user_partition
from yiku.ports.storage import Storage

USERS = tuple(user_partition("default", f"user-{number}") for number in range(3))
MODEL = "random-16"
MESSAGES_PER_EVENT = 2
MEMORIES_PER_EVENT = 2
LEASE_S = 5.0
ADDERS_PER_USER = 2
DIGESTERS = 2
IDLE_S = 0.05


def words_of(event: str) -> str:
    """A word that only the memories of this event have."""
    return event.removeprefix("e-").replace("-", "")


def embedding_of(event: str, part: int) -> Embedding:
    """A direction of its own for each memory."""
    direction = np.random.default_rng([UUID(event.removeprefix("e-")).int, part]).standard_normal(16)
    return Embedding(MODEL, (direction / np.linalg.norm(direction)).astype(np.float32))


def messages_of(event: str) -> list[str]:
    return [f"{event}/message-{part}" for part in range(MESSAGES_PER_EVENT)]


def memories_of(event: str) -> list[str]:
    return [f"{event}/memory-{part}" for part in range(MEMORIES_PER_EVENT)]


def add(user: Partition, event: str, now: datetime) -> Changes:
    """What `memory_add` commits: the event, its messages and the job, in one."""
    records = [
        Record(kind="event", id=event, body={}, created=now, updated=now, fields={"state": "PENDING"}),
        *(Record(kind="message", id=name, body={"n": 1}, created=now, updated=now) for name in messages_of(event)),
    ]
    job = NewJob(id=event, kind="digest", lane=user.owner, payload={"event": event})
    return Changes(partition=user, puts=tuple(records), enqueues=(job,))


async def digest(storage: Storage, jobs: Sequence[Job], now: datetime) -> None:
    """What a worker commits: the memories, the outcome in the event, and the end of the jobs, in one."""
    user = jobs[0].partition
    events = await storage.get(user, "event", [job.id for job in jobs])
    memories = [
        Record(
            kind="memory",
            id=name,
            body={"event": event.id},
            created=now,
            updated=now,
            text=f"memory {words_of(event.id)} of 小明",
            embedding=embedding_of(event.id, part),
        )
        for event in events
        for part, name in enumerate(memories_of(event.id))
    ]
    outcomes = [replace(event, fields={"state": "SUCCEEDED"}, updated=now) for event in events]
    await storage.commit(Changes(partition=user, puts=(*memories, *outcomes), finishes=tuple(jobs)))


async def _keep_adding(storage: Storage, user: Partition, clock: SystemClock) -> None:
    while True:
        event = clock.new_id("e-")
        await storage.commit(add(user, event, clock.now()))
        print("ADDED", event, flush=True)


async def _keep_digesting(storage: Storage, clock: SystemClock) -> None:
    while True:
        jobs = await storage.claim(["digest"], lease_s=LEASE_S, limit=8)
        if not jobs:
            await storage.wait_for_jobs(timeout_s=IDLE_S)
            continue
        await digest(storage, jobs, clock.now())
        for job in jobs:
            print("DIGESTED", job.id, flush=True)


async def main(place: str) -> None:
    clock = SystemClock()
    print("OPENING", flush=True)
    storage = await open_place(place, clock=clock, limits=Limits())
    print("OPENED", flush=True)
    async with asyncio.TaskGroup() as tasks:
        for user in USERS * ADDERS_PER_USER:
            tasks.create_task(_keep_adding(storage, user, clock))
        for _ in range(DIGESTERS):
            tasks.create_task(_keep_digesting(storage, clock))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
