"""Make memories of what was added: extract, decide on each fact, embed in one batch, commit once.

Rerunning a digest is safe: nothing of an add is written before its one commit, which holds its memories, its finished
event and its finished job, and which fails as a whole when the lease is not ours any more. Adds that wait for one user
share a commit as far as their size allows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from yiku.core.audit import audited
from yiku.core.gathering import all_of
from yiku.core.memory.deciding import decided, wanted_of
from yiku.core.memory.doubts import Settlement, settlement_of
from yiku.core.memory.extraction import Extraction, Fact
from yiku.core.memory.extraction.by_llm import extracted
from yiku.core.memory.known import read_known
from yiku.core.memory.reconcile import Ledger
from yiku.core.memory.records import (
    EVENT,
    MEMORY,
    MESSAGE,
    event_of,
    event_record,
    index_text,
    memory_record,
    message_of,
)
from yiku.model.errors import Conflict, LeaseLost, LlmUnavailable
from yiku.model.facts import FactKind
from yiku.model.jobs import Job, JobFailure
from yiku.model.memories import Event, EventState
from yiku.model.messages import Message, joined
from yiku.model.principal import Principal
from yiku.model.records import Changes, Embedding, Expectation, Record, Ref
from yiku.model.scopes import DEFAULT_WORKSPACE, Partition, user_of
from yiku.ports import Ports

EMBEDDED_AT_ONCE = 64
"""Passages of one embedder call: small enough that each call keeps its deadline on a busy machine."""
FORGOTTEN = Message(role="system", content="")
"""In place of a message that came before and is older than messages are kept."""
_DIGESTER = Principal(key_id="digest", workspace=DEFAULT_WORKSPACE, permissions=frozenset({"memory:write"}))
"""In whose name the audit log says what users asked to forget."""
HEARD_AT_ONCE = 4
"""Adds that wait for a language model at the same time; rules only compete for the same core."""
TRIES_AFTER_CONFLICT = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """An add with its job and what was extracted from its messages."""

    job: Job
    event: Event
    extraction: Extraction
    calls: int = 0
    """Of the language model."""


async def digest(ports: Ports, jobs: Sequence[Job]) -> None:
    """Digest the adds of one user, in order, in few commits. Raises what the worker should retry or report."""
    partition = jobs[0].partition
    heard, waiting = await _heard(ports, partition, jobs)
    for together in _groups(heard, ports.limits.facts_per_commit):
        await _settle(ports, partition, together)
    if waiting is not None:
        raise waiting


async def _settle(ports: Ports, partition: Partition, heard: Sequence[Heard]) -> None:
    settlement = await _settlement(ports, partition, heard)
    for _ in range(TRIES_AFTER_CONFLICT):
        try:
            return await _settle_once(ports, partition, heard, settlement)
        except LeaseLost:
            raise
        except Conflict:
            continue  # Somebody edited a memory that we had decided about: decide again on what is there now.
    raise Conflict("The memories of this user kept changing while an add was digested")


async def fail(ports: Ports, job: Job, failure: JobFailure) -> None:
    """End the event FAILED, with something a person can act on, and the job with it."""
    records = await ports.storage.get(job.partition, EVENT, [job.id])
    now = ports.clock.now()
    events = [event_of(record, job.partition) for record in records]
    failed = (replace(event, state=EventState.FAILED, failure=failure, updated=now) for event in events)
    messages = [record for event in events for record in await _own_messages(ports, event)]
    await ports.storage.commit(
        Changes(
            partition=job.partition,
            puts=(
                *(event_record(event) for event in failed),
                # Sent again, they must be digested.
                *(replace(record, unique_key=None) for record in messages if record.unique_key),
            ),
            finishes=(job,),
        )
    )


async def _own_messages(ports: Ports, event: Event) -> list[Record]:
    """Those that came with this add first."""
    own = [message_id for place, message_id in enumerate(event.message_ids) if place not in event.repeats]
    return await ports.storage.get(event.scope.partition, MESSAGE, own)


async def _settlement(ports: Ports, partition: Partition, heard: Sequence[Heard]) -> Settlement:
    """At most two calls of the language model an add: one that needed a second for its facts gets none for doubts."""
    return await settlement_of(
        ports,
        partition,
        [
            (fact, item.event.anchor or item.event.created)
            for item in heard
            for fact in (item.extraction.facts if item.calls == 1 else ())
        ],
    )


async def _settle_once(ports: Ports, partition: Partition, heard: Sequence[Heard], settlement: Settlement) -> None:
    wanted = wanted_of((item.event, item.extraction) for item in heard)
    known_ids = {settled.known_id for settled in settlement.values()}
    ledger = Ledger(await read_known(ports, partition, replace(wanted, ids=known_ids)), settlement)
    finished = tuple(_finished(ports, item, ledger) for item in heard)
    embeddings = await embedded(ports, [index_text(memory) for memory in ledger.changed])
    async with AsyncExitStack() as stack:
        if ledger.deleted:
            forgetting = audited(
                ports, _DIGESTER, "memory.forget", workspace=partition.workspace, subject=user_of(partition)
            )
            await stack.enter_async_context(forgetting)
        await ports.storage.commit(_changes(partition, heard, ledger, finished, embeddings))


def _changes(
    partition: Partition,
    heard: Sequence[Heard],
    ledger: Ledger,
    finished: Sequence[Event],
    embeddings: Sequence[Embedding],
) -> Changes:
    return Changes(
        partition=partition,
        expects=(
            *(Expectation(Ref(EVENT, event.id), event.version) for event in finished),
            *(Expectation(Ref(MEMORY, memory.id), memory.version) for memory in ledger.relied_on),
        ),
        deletes=tuple(Ref(MEMORY, memory_id) for memory_id in ledger.deleted),
        puts=(
            *(memory_record(memory, vector) for memory, vector in zip(ledger.changed, embeddings, strict=True)),
            *(event_record(event) for event in finished),
        ),
        finishes=tuple(item.job for item in heard),
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


async def _heard(ports: Ports, partition: Partition, jobs: Sequence[Job]) -> tuple[list[Heard], LlmUnavailable | None]:
    """What was said in the adds before the first one that has to wait for the language model, and why that waits."""
    records = await ports.storage.get(partition, EVENT, [job.id for job in jobs])
    events = {record.id: event_of(record, partition) for record in records}
    wanted = [message_id for event in events.values() for message_id in event.message_ids]
    messages = {record.id: message_of(record) for record in await ports.storage.get(partition, MESSAGE, wanted)}
    turns = asyncio.Semaphore(1 if ports.llm is None else HEARD_AT_ONCE)

    async def heard(job: Job) -> Heard | LlmUnavailable:
        event = events[job.id]
        said = tuple(messages.get(message_id, FORGOTTEN) for message_id in event.message_ids)
        async with turns:
            return await _listened(ports, job, event, said)

    listened = await all_of(heard(job) for job in jobs)
    before = list(takewhile(lambda item: isinstance(item, Heard), listened))
    waiting = next((item for item in listened if isinstance(item, LlmUnavailable)), None)
    return [item for item in before if isinstance(item, Heard)], waiting


async def _listened(ports: Ports, job: Job, event: Event, said: tuple[Message, ...]) -> Heard | LlmUnavailable:
    if not event.infer:
        return Heard(job=job, event=event, extraction=_verbatim(said))
    if len(event.repeats) == len(said):
        return Heard(job=job, event=event, extraction=Extraction((), ()))
    try:
        found = await extracted(ports, said, event.anchor or event.created)
    except LlmUnavailable as error:
        return error
    extraction = _bounded(_without_repeats(found.extraction, event), ports.limits.facts_per_commit)
    return Heard(job=job, event=event, extraction=extraction, calls=found.calls)


def _without_repeats(extraction: Extraction, event: Event) -> Extraction:
    """Messages that came before help to understand the new ones, but what they say was decided on then."""
    if not event.repeats:
        return extraction
    before = frozenset(event.repeats)
    return Extraction(
        tuple(fact for fact in extraction.facts if fact.position not in before),
        tuple(part for part in extraction.left_out if part.position not in before),
        tuple(request for request in extraction.forget if request.position not in before),
    )


def _bounded(extraction: Extraction, facts_max: int) -> Extraction:
    """With at most about `facts_max` facts: more are told several at a time, neighbours of one message together."""
    several = -(-len(extraction.facts) // facts_max)
    if several <= 1:
        return extraction
    facts = []
    for _, told in groupby(extraction.facts, key=lambda fact: fact.position):
        neighbours = list(told)
        parts = (neighbours[start : start + several] for start in range(0, len(neighbours), several))
        facts += [_as_one(part) for part in parts]
    return replace(extraction, facts=tuple(facts))


def _as_one(facts: Sequence[Fact]) -> Fact:
    """Several facts answer no one question."""
    if len(facts) == 1:
        return facts[0]
    text = "\n".join(fact.text for fact in facts)
    return replace(facts[0], text=text, kind=FactKind.STATEMENT, slot=None, when=None, corrects=False)


def _verbatim(messages: tuple[Message, ...]) -> Extraction:
    """`infer=false`: the text itself, whole, as one memory."""
    speaker = messages[0].name if len(messages) == 1 else None
    return Extraction((Fact(text=joined(messages), positions=(0,), speaker=speaker, reason="stored as given"),), ())


def _finished(ports: Ports, item: Heard, ledger: Ledger) -> Event:
    """The event with a decision for everything that was said."""
    now = ports.clock.now()
    decisions = decided(item.event, item.extraction, ledger, now=now, new_id=ports.clock.new_id)
    return replace(item.event, state=EventState.SUCCEEDED, updated=now, decisions=decisions, by_model=item.calls > 0)


async def embedded(ports: Ports, texts: Sequence[str]) -> list[Embedding]:
    """The vectors of any number of texts, in calls that keep their deadlines."""
    embeddings: list[Embedding] = []
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        embeddings += await ports.embedder.embed_passages(texts[start : start + EMBEDDED_AT_ONCE])
    return embeddings
