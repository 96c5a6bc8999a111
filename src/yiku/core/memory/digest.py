"""Make memories of what was added: extract, recognise repeats, embed in one batch, commit once.

Rerunning a digest is safe: nothing of an add is written before its one commit, which holds its memories, its finished
event and its finished job, and which fails as a whole when the lease is not ours any more. Adds that wait for one user
share a commit as far as their size allows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby

from yiku.core.memory.extraction import Extraction, Fact, extract
from yiku.core.memory.fingerprint import fingerprint
from yiku.core.memory.reconcile import Ledger
from yiku.core.memory.records import (
    EVENT,
    MEMORY,
    MESSAGE,
    event_of,
    event_record,
    index_text,
    memory_of,
    memory_record,
    message_of,
)
from yiku.model.errors import Conflict, LeaseLost
from yiku.model.jobs import Job
from yiku.model.memories import MEMORY_PREFIX, Decision, DecisionKind, Event, EventFailure, EventState, Memory
from yiku.model.messages import Message, joined
from yiku.model.records import Changes, Embedding, Expectation, Ref
from yiku.model.scopes import Partition
from yiku.ports import Ports

EMBEDDED_AT_ONCE = 64
"""Passages of one embedder call: small enough that each call keeps its deadline on a busy machine."""
TRIES_AFTER_CONFLICT = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """An add with its job and what was extracted from its messages."""

    job: Job
    event: Event
    extraction: Extraction


async def digest(ports: Ports, jobs: Sequence[Job]) -> None:
    """Digest the adds of one user, in order, in few commits. Raises what the worker should retry or report."""
    partition = jobs[0].partition
    heard = await _heard(ports, partition, jobs)
    for together in _groups(heard, ports.limits.facts_per_commit):
        await _settle(ports, partition, together)


async def _settle(ports: Ports, partition: Partition, heard: Sequence[Heard]) -> None:
    for _ in range(TRIES_AFTER_CONFLICT):
        try:
            return await _settle_once(ports, partition, heard)
        except LeaseLost:
            raise
        except Conflict:
            continue  # Somebody edited a memory that we had decided about: decide again on what is there now.
    raise Conflict("The memories of this user kept changing while an add was digested")


async def fail(ports: Ports, job: Job, failure: EventFailure) -> None:
    """End the event FAILED, with something a person can act on, and the job with it."""
    records = await ports.storage.get(job.partition, EVENT, [job.id])
    now = ports.clock.now()
    failed = (replace(event_of(record, job.partition), state=EventState.FAILED, failure=failure) for record in records)
    await ports.storage.commit(
        Changes(
            partition=job.partition,
            puts=tuple(event_record(replace(event, updated=now)) for event in failed),
            finishes=(job,),
        )
    )


async def _settle_once(ports: Ports, partition: Partition, heard: Sequence[Heard]) -> None:
    ledger = Ledger(await _known(ports, partition, heard))
    finished = tuple(_finished(ports, item, ledger) for item in heard)
    embeddings = await embedded(ports, [index_text(memory) for memory in ledger.changed])
    await ports.storage.commit(
        Changes(
            partition=partition,
            expects=(
                *(Expectation(Ref(EVENT, event.id), event.version) for event in finished),
                *(Expectation(Ref(MEMORY, memory.id), memory.version) for memory in ledger.relied_on),
            ),
            puts=(
                *(memory_record(memory, vector) for memory, vector in zip(ledger.changed, embeddings, strict=True)),
                *(event_record(event) for event in finished),
            ),
            finishes=tuple(item.job for item in heard),
        )
    )


def _groups(heard: Sequence[Heard], facts_max: int) -> Iterator[list[Heard]]:
    """Adds that are committed together, in order: as many as their facts allow, at least one."""
    group: list[Heard] = []
    facts = 0
    for item in heard:
        facts += len(item.extraction.facts)
        if group and facts > facts_max:
            yield group
            group, facts = [], len(item.extraction.facts)
        group.append(item)
    if group:
        yield group


async def _heard(ports: Ports, partition: Partition, jobs: Sequence[Job]) -> list[Heard]:
    records = await ports.storage.get(partition, EVENT, [job.id for job in jobs])
    events = {record.id: event_of(record, partition) for record in records}
    wanted = [message_id for event in events.values() for message_id in event.message_ids]
    messages = {record.id: message_of(record) for record in await ports.storage.get(partition, MESSAGE, wanted)}
    heard = []
    for job in jobs:
        event = events[job.id]
        said = tuple(messages[message_id] for message_id in event.message_ids)
        # Extraction is pure computation, and a large dialogue takes long enough to be felt on the event loop.
        extraction = await asyncio.to_thread(extract, said) if event.infer else _verbatim(said)
        heard.append(Heard(job=job, event=event, extraction=_bounded(extraction, ports.limits.facts_per_commit)))
    return heard


def _bounded(extraction: Extraction, facts_max: int) -> Extraction:
    """With at most about `facts_max` facts: more are told several at a time, neighbours of one message together."""
    several = -(-len(extraction.facts) // facts_max)
    if several <= 1:
        return extraction
    facts = []
    for _, told in groupby(extraction.facts, key=lambda fact: fact.position):
        neighbours = list(told)
        parts = (neighbours[start : start + several] for start in range(0, len(neighbours), several))
        facts += [replace(part[0], text="\n".join(fact.text for fact in part)) for part in parts]
    return Extraction(tuple(facts), extraction.left_out)


def _verbatim(messages: tuple[Message, ...]) -> Extraction:
    """`infer=false`: the text itself, whole, as one memory."""
    speaker = messages[0].name if len(messages) == 1 else None
    return Extraction((Fact(text=joined(messages), position=0, speaker=speaker, reason="stored as given"),), ())


async def _known(ports: Ports, partition: Partition, heard: Sequence[Heard]) -> list[Memory]:
    """The memories that say one of the heard facts already."""
    prints = {fingerprint(fact.text) for item in heard if item.event.infer for fact in item.extraction.facts}
    records = await ports.storage.find(partition, MEMORY, sorted(prints)) if prints else []
    return [memory_of(record, partition) for record in records]


def _finished(ports: Ports, item: Heard, ledger: Ledger) -> Event:
    """The event with a decision for everything that was said."""
    event, now = item.event, ports.clock.now()
    decisions = []
    for place, fact in enumerate(item.extraction.facts):
        # A list by time must come in the order in which things were said.
        told = now + timedelta(microseconds=place)
        evidence = (event.message_ids[fact.position],) if event.infer else event.message_ids
        memory = Memory(
            id=ports.clock.new_id(MEMORY_PREFIX),
            scope=event.scope,
            text=fact.text,
            created=told,
            updated=told,
            metadata=event.metadata,
            speaker=fact.speaker,
            evidence=evidence,
            anchor=event.anchor,
            agent_ids=(event.scope.agent_id,),
            run_ids=(event.scope.run_id,),
            fingerprint=fingerprint(fact.text) if event.infer else None,
        )
        decisions.append(ledger.decide(memory, fact.reason))
    decisions.extend(
        Decision(
            kind=DecisionKind.SKIP,
            text=skipped.text,
            reason=skipped.reason,
            message_ids=(event.message_ids[skipped.position],),
        )
        for skipped in item.extraction.left_out
    )
    return replace(event, state=EventState.SUCCEEDED, updated=now, decisions=tuple(decisions))


async def embedded(ports: Ports, texts: Sequence[str]) -> list[Embedding]:
    """The vectors of any number of texts, in calls that keep their deadlines."""
    embeddings: list[Embedding] = []
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        embeddings += await ports.embedder.embed_passages(texts[start : start + EMBEDDED_AT_ONCE])
    return embeddings
