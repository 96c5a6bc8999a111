"""What is known already of what a digest has heard, read in as few trips as the store allows."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from yiku.core.memory.holdings import SlotKey
from yiku.core.memory.latest import read_latest
from yiku.core.memory.records import MEMORY, memory_of
from yiku.core.memory.slots_asked import slots_condition
from yiku.model.conditions import Condition
from yiku.model.memories import Memory
from yiku.model.ranking import rank
from yiku.model.records import CandidateQuery, PageQuery, Record
from yiku.model.scopes import Partition, Scope
from yiku.model.tokens import query_terms
from yiku.ports import Ports

VALUES_READ = 1_000
"""Of all slots together; nobody moves house as often."""
FORGETTABLE_READ = 200


@dataclass(frozen=True, slots=True)
class Known:
    """`latest` are those memories that rest on the message that was remembered last."""

    memories: tuple[Memory, ...]
    latest: tuple[Memory, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What to look up: equal words, the values of slots, words to be forgotten, and what was remembered last."""

    fingerprints: Collection[str] = ()
    slots: Collection[SlotKey] = ()
    forgettable: Collection[str] = ()
    latest_of: Scope | None = None
    ids: Collection[str] = ()


async def read_known(ports: Ports, partition: Partition, wanted: Wanted) -> Known:
    """All at once: what is not wanted costs nothing."""
    same_words, values, forgettable, latest, named = await asyncio.gather(
        _same_words(ports, partition, wanted.fingerprints),
        _page(ports, partition, slots_condition(wanted.slots), VALUES_READ if wanted.slots else 0),
        _by_words(ports, partition, wanted.forgettable),
        _latest(ports, partition, wanted.latest_of),
        _named(ports, partition, wanted.ids),
    )
    last, replaced = latest
    read = (*same_words, *values, *forgettable, *named, *last, *replaced)
    found = {record.id: memory_of(record, partition) for record in read}
    return Known(tuple(found.values()), tuple(found[record.id] for record in last))


async def _same_words(ports: Ports, partition: Partition, fingerprints: Collection[str]) -> Iterable[Record]:
    return await ports.storage.find(partition, MEMORY, sorted(fingerprints)) if fingerprints else ()


async def _latest(ports: Ports, partition: Partition, scope: Scope | None) -> tuple[list[Record], list[Record]]:
    return ([], []) if scope is None else await read_latest(ports, partition, scope)


async def _named(ports: Ports, partition: Partition, ids: Collection[str]) -> Iterable[Record]:
    return await ports.storage.get(partition, MEMORY, sorted(ids)) if ids else ()


async def _page(ports: Ports, partition: Partition, where: Condition, limit: int) -> Iterable[Record]:
    if not limit:
        return ()
    query = PageQuery(partitions=(partition,), kind=MEMORY, where=where, limit=limit)
    return (await ports.storage.page(query)).records


async def read_alike(ports: Ports, partition: Partition, texts: Collection[str]) -> list[Memory]:
    """The memories that share the most words with any of the texts."""
    return [memory_of(record, partition) for record in await _by_words(ports, partition, texts)]


async def _by_words(ports: Ports, partition: Partition, words: Collection[str]) -> Iterable[Record]:
    """By words alone: a request to forget means what it names, not what is like it."""
    if not words:
        return ()
    terms = query_terms("\n".join(words), limit=ports.limits.query_terms)
    query = CandidateQuery(partitions=(partition,), kind=MEMORY, terms=terms, limit=FORGETTABLE_READ)
    found = await ports.storage.candidates(query, lambda measured: rank(measured, limit=FORGETTABLE_READ))
    return [chosen.record for chosen in found]
