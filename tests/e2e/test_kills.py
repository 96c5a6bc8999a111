"""The server itself under SIGKILL, again and again on one store: acknowledged adds, updates and deletes hold."""

from __future__ import annotations

import asyncio
import os
import random
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.e2e.processes import KEY, Running, run, serving

RUNS = int(os.environ.get("YIKU_SERVER_KILLS", "4"))
WRITERS = 4


@dataclass
class Acknowledged:
    """What the server has confirmed so far. An id with an unconfirmed change in flight may be either way."""

    events: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    in_flight: set[str] = field(default_factory=set)
    count: int = 0


async def write(server: Running, known: Acknowledged, writer: int, enough: asyncio.Event, kill_at: int) -> None:
    """Add without end, and change or delete what earlier rounds have made; ends when the server is gone."""
    chosen = random.Random(f"{writer} {known.count}")
    while not enough.is_set():
        try:
            await one_change(server, known, writer, chosen)
        except (httpx.TransportError, OSError):
            return
        known.count += 1
        if known.count >= kill_at:
            enough.set()


async def one_change(server: Running, known: Acknowledged, writer: int, chosen: random.Random) -> None:
    free = sorted(known.texts.keys() - known.in_flight)
    mine = [memory_id for memory_id in free if int(memory_id[-1], 16) % WRITERS == writer]
    what = chosen.choice(("add", "add", "update", "delete")) if mine else "add"
    if what == "add":
        text = f"I like thing number {known.count} of writer {writer}"
        answer = await server.call("memory_add", {"messages": text, "user_id": "u", "infer": False})
        known.events.add(answer["event_id"])
        return
    memory_id = chosen.choice(mine)
    known.in_flight.add(memory_id)
    if what == "update":
        text = f"changed to {known.count} by {writer}"
        await server.call("memory_update", {"memory_id": memory_id, "text": text})
        known.texts[memory_id] = text
    else:
        await server.call("memory_delete", {"memory_id": memory_id})
        del known.texts[memory_id]
        known.deleted.add(memory_id)
    known.in_flight.discard(memory_id)


async def check(server: Running, known: Acknowledged) -> None:
    for event_id in known.events:
        event = await server.settled(event_id)
        assert event["status"] == "SUCCEEDED", event
        for memory_id in event["memory_ids"]:
            if memory_id not in known.deleted and memory_id not in known.in_flight:
                known.texts.setdefault(memory_id, event["decisions"][0]["memory"])
    known.events.clear()
    stored: dict[str, str] = {}
    page = 1
    while rows := (await server.call("memory_get_all", {"filters": {"user_id": "u"}, "page": page}))["results"]:
        stored |= {row["id"]: row["memory"] for row in rows}
        page += 1
    certain = known.texts.keys() - known.in_flight
    assert {memory_id: stored.get(memory_id) for memory_id in certain} == {
        memory_id: known.texts[memory_id] for memory_id in certain
    }
    assert not known.deleted & stored.keys()
    known.texts = stored
    known.in_flight.clear()


async def test_what_was_acknowledged_holds_through_every_kill(tmp_path: Path, store: dict[str, str]) -> None:
    folder, known = tmp_path / "data", Acknowledged()
    moments = random.Random(11)
    for _ in range(RUNS):
        async with serving(folder, api_key=KEY, limits__job_lease_s="1", **store) as server:
            await check(server, known)
            enough = asyncio.Event()
            kill_at = known.count + moments.randint(5, 60)
            writers = [asyncio.create_task(write(server, known, n, enough, kill_at)) for n in range(WRITERS)]
            async with asyncio.timeout(60):
                await enough.wait()
                server.process.kill()
                await server.process.wait()
                await asyncio.gather(*writers)
    async with serving(folder, api_key=KEY, limits__job_lease_s="1", **store) as server:
        await check(server, known)
    assert known.texts
    code, out, _ = await run(folder, "check", **store)
    assert code == 0, out
