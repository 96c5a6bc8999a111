"""How does a retrieval set get into a store? Through the verbs, `infer=false`, one record one memory."""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable

from bench.datasets import Item, Question, corpus, questions
from yiku.backends import OPERATOR
from yiku.core.memory.add import add_memories
from yiku.core.memory.records import MEMORY, memory_of
from yiku.core.work import HANDLERS, run_jobs
from yiku.model.memories import AddMemories, Memory
from yiku.model.messages import Message
from yiku.model.scopes import Partition, Scope
from yiku.model.times import parse_timestamp
from yiku.ports import Ports

SETS = ("locomo_a", "madial_zh", "lifebench_zh_a")
_MESSAGES_AT_ONCE = 100
QUICK_RECORDS = 600
"""How many records of a large set's smallest user are kept in a quick run, the labelled ones first."""


def add_set_options(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument("sets", nargs="*", metavar="SET", default=SETS)
    arguments.add_argument("--quick", action="store_true", help="sample the large set")


def chosen(name: str, quick: bool) -> tuple[list[Item], list[Question]]:
    """What a run takes of a set: all of it, or in a quick run of a large one a sample."""
    items, asked = corpus(name), questions(name)
    return _sample(items, asked) if quick and len(items) > 5 * QUICK_RECORDS else (items, asked)


def scope_of(name: str, user: str, run: str | None = None) -> Scope:
    """Users of different sets are different people."""
    return Scope(workspace=OPERATOR.workspace, user_id=f"{name}/{user}", run_id=run)


async def load(ports: Ports, name: str, items: Iterable[Item]) -> dict[str, str]:
    """Add every item and digest it; memory id → the item's id."""
    events = {}
    for item in items:
        scope = scope_of(name, item.user, item.run)
        metadata = {"timestamp": item.time} if item.time else {}
        command = AddMemories(
            scope=scope,
            messages=(Message(role="user", content=item.text, name=item.speaker),),
            metadata={**metadata, "id": item.id},
            anchor=parse_timestamp(item.time, field="time") if item.time else None,
            infer=False,
        )
        events[(await add_memories(ports, OPERATOR, command)).id] = scope.partition
        if len(events) % 1000 == 0:
            await _digest_all(ports)
    await _digest_all(ports)
    return {memory.id: memory.metadata["id"] for memory in await _memories(ports, set(events.values()))}


async def load_sessions(ports: Ports, name: str, items: Iterable[Item]) -> dict[str, frozenset[str]]:
    """Add every session as one dialogue, `infer=true`; memory id → the ids of the items that the memory rests on."""
    sessions: dict[tuple[str, str, str | None], list[Item]] = defaultdict(list)
    for item in items:
        sessions[item.user, item.run, item.time].append(item)
    spoken: dict[str, str] = {}
    partitions = set()
    for (user, run, time), said in sessions.items():
        scope = scope_of(name, user, run)
        for start in range(0, len(said), _MESSAGES_AT_ONCE):
            part = said[start : start + _MESSAGES_AT_ONCE]
            messages = tuple(Message(role="user", content=item.text, name=item.speaker) for item in part)
            anchor = parse_timestamp(time, field="time") if time else None
            event = await add_memories(
                ports, OPERATOR, AddMemories(scope=scope, messages=messages, anchor=anchor, infer=True)
            )
            spoken.update(zip(event.message_ids, (item.id for item in part), strict=True))
        partitions.add(scope.partition)
    await _digest_all(ports)
    return {
        memory.id: frozenset(spoken[message_id] for message_id in memory.evidence)
        for memory in await _memories(ports, partitions)
    }


async def _memories(ports: Ports, partitions: Iterable[Partition]) -> list[Memory]:
    return [
        memory_of(change.record, partition)
        for partition in partitions
        for change in await ports.storage.scan(partition, limit=10**9)
        if change.record is not None and change.record.kind == MEMORY
    ]


async def _digest_all(ports: Ports) -> None:
    while jobs := await ports.storage.claim(tuple(HANDLERS), lease_s=600, limit=ports.limits.jobs_per_batch):
        await run_jobs(ports, jobs)
    if waiting := (await ports.storage.queue_state()).waiting:
        raise RuntimeError(f"{waiting} adds could not be digested now, so what was measured would not be all of it")


def _sample(items: list[Item], asked: list[Question]) -> tuple[list[Item], list[Question]]:
    """Fifty questions of the smallest user, their evidence, and other records of that user around it."""
    sizes: dict[str, int] = defaultdict(int)
    for item in items:
        sizes[item.user] += 1
    user = min(sizes, key=lambda name: sizes[name])
    drawn = random.Random(7)
    some = drawn.sample([question for question in asked if question.user == user], 50)
    labelled = frozenset().union(*(question.evidence for question in some))
    own = [item for item in items if item.user == user]
    others = [item for item in own if item.id not in labelled]
    filler = set(drawn.sample([item.id for item in others], max(0, min(len(others), QUICK_RECORDS - len(labelled)))))
    return [item for item in own if item.id in labelled or item.id in filler], some
