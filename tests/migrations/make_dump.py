"""What is in the old files that `test_old_files.py` opens, and how is one made?

Run it once for each new version of the format, before the next migration is written:

    python -m tests.migrations.make_dump tests/migrations/files/0001.sql

The content stays as it is for ever: dumps of past versions hold exactly this, and no later Yiku can make them again.
"""

from __future__ import annotations

import asyncio
import io
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import apsw.shell
import numpy as np

from yiku.adapters.clocks import ManualClock
from yiku.adapters.sqlite import open_sqlite
from yiku.model.jobs import NewJob
from yiku.model.limits import Limits
from yiku.model.records import Changes, Embedding, Record, Ref
from yiku.model.scopes import user_partition
from yiku.ports.storage import Storage

WRITTEN = datetime(2026, 1, 1, 12, 30, 15, 123_456, tzinfo=UTC)
ALICE = user_partition("default", "爱丽丝")
BOB = user_partition("default", "bob/%")
LEASE_S = 60.0

DIRECTION = np.array([0.6, 0.8, 0.0, 0.0], dtype=np.float32)

TEA = Record(
    kind="memory",
    id="tea",
    body={"text": "小明喜欢喝茶", "history": [1, 2.5, None, True]},
    created=WRITTEN,
    updated=WRITTEN + timedelta(minutes=1),
    fields={"agent": "it's", "stars": 5, "share": 0.5, "open": True, "run": None, "tags": ("a", 1, False)},
    unique_key="fingerprint-1",
    text="小明喜欢喝茶",
    embedding=Embedding("model-a", DIRECTION),
)
COFFEE = Record(
    kind="memory",
    id="coffee",
    body={"text": "Caroline is drinking coffee"},
    created=WRITTEN + timedelta(seconds=1),
    updated=WRITTEN + timedelta(seconds=1),
    text="Caroline is drinking coffee",
    embedding=Embedding("model-b", DIRECTION[::-1].copy()),
)
BRIEF = Record(
    kind="memory",
    id="brief",
    body={},
    created=WRITTEN,
    updated=WRITTEN,
    text="茶 that ends",
    expires=WRITTEN + timedelta(hours=1),
)
EVENT = Record(kind="event", id="event", body={"state": "PENDING"}, created=WRITTEN, updated=WRITTEN)
GONE = Record(kind="memory", id="gone", body={}, created=WRITTEN, updated=WRITTEN, text="茶 that was deleted")
BOBS = Record(kind="memory", id="tea", body={}, created=WRITTEN, updated=WRITTEN, text="喝茶的 Bob")

RUNNING = NewJob(id="running", kind="digest", lane="a", payload={"event": "event"})
WAITING = NewJob(id="waiting", kind="digest", lane="a", payload={"text": "等"})


async def fill(storage: Storage) -> None:
    await storage.commit(Changes(partition=ALICE, puts=(TEA, GONE, EVENT), enqueues=(RUNNING, WAITING)))
    await storage.commit(Changes(partition=ALICE, puts=(TEA, COFFEE, BRIEF), deletes=(Ref("memory", "gone"),)))
    await storage.commit(Changes(partition=BOB, puts=(BOBS,)))
    await storage.claim(["digest"], lease_s=LEASE_S, limit=1)


async def make_dump(folder: Path) -> str:
    """Fill a new store in `folder` with the present engine; its database as SQL text."""
    storage = await open_sqlite(folder, clock=ManualClock(WRITTEN), limits=Limits())
    await fill(storage)
    await storage.close()
    connection = apsw.Connection(str(folder / "yiku.db"))
    text = io.StringIO()
    apsw.shell.Shell(stdout=text, db=connection).process_command(".dump")  # type: ignore[no-untyped-call]  # the shell of apsw has no types
    connection.close()
    # The paragraph at the top names the machine, the person and the day: none of them is part of the format.
    return text.getvalue().partition("\n\n")[2]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        Path(sys.argv[1]).write_text(asyncio.run(make_dump(Path(place))), encoding="utf-8")
