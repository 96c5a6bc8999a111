"""How do contract tests spell records, commits, jobs and questions in one line each?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import isnan
from typing import Any

import numpy as np

from yiku.model.conditions import EVERYTHING, Condition, Fields
from yiku.model.jobs import Job, NewJob
from yiku.model.records import (
    CandidateQuery,
    Changes,
    Embedding,
    Expectation,
    Measured,
    PageQuery,
    Record,
    Ref,
    Setting,
    TermStatistics,
)
from yiku.model.scopes import Partition, user_partition
from yiku.model.tokens import query_terms
from yiku.ports.storage import Storage

ALICE = user_partition("default", "alice")
BOB = user_partition("default", "bob")
STRANGER = user_partition("elsewhere", "alice")
"""The same owner in another workspace."""

START = datetime(2026, 1, 1, tzinfo=UTC)
"""When a `ManualClock` starts."""

ANY_NUMBER = 1_000


def record(
    id: str,
    text: str | None = None,
    *,
    kind: str = "memory",
    minute: float = 0,
    body: Mapping[str, Any] | None = None,
    fields: Fields | None = None,
    unique_key: str | None = None,
    embedding: Embedding | None = None,
    expires_s: float | None = None,
    setting: Setting | None = None,
) -> Record:
    """A record that was made `minute` minutes after `START` and expires `expires_s` seconds after it."""
    return Record(
        kind=kind,
        id=id,
        body={} if body is None else body,
        created=START + timedelta(minutes=minute),
        updated=START + timedelta(minutes=minute),
        fields={} if fields is None else fields,
        unique_key=unique_key,
        text=text,
        embedding=embedding,
        setting=setting,
        expires=None if expires_s is None else START + timedelta(seconds=expires_s),
    )


def changes(
    *puts: Record,
    partition: Partition = ALICE,
    expects: Mapping[str, int] | None = None,
    deletes: Iterable[str] = (),
    enqueues: Iterable[NewJob] = (),
    finishes: Iterable[Job] = (),
) -> Changes:
    """One commit; `expects` (id → version) and `deletes` speak of memories."""
    return Changes(
        partition=partition,
        expects=tuple(Expectation(Ref("memory", name), version) for name, version in (expects or {}).items()),
        deletes=tuple(Ref("memory", name) for name in deletes),
        puts=puts,
        enqueues=tuple(enqueues),
        finishes=tuple(finishes),
    )


def new_job(id: str, *, lane: str = "lane", kind: str = "digest", payload: Mapping[str, Any] | None = None) -> NewJob:
    return NewJob(id=id, kind=kind, lane=lane, payload={} if payload is None else payload)


def vector(*values: float, model: str = "model-a") -> Embedding:
    """The unit vector in the direction of `values`."""
    direction = np.array(values, dtype=np.float64)
    return Embedding(model, (direction / np.linalg.norm(direction)).astype(np.float32))


def random_vectors(count: int, *, dimensions: int, seed: int, model: str = "model-a") -> list[Embedding]:
    generator = np.random.default_rng(seed)
    return [vector(*generator.standard_normal(dimensions), model=model) for _ in range(count)]


async def enqueue(storage: Storage, *ids: str, lane: str = "lane", kind: str = "digest") -> None:
    """Jobs of Alice, in one commit."""
    await storage.commit(changes(enqueues=[new_job(name, lane=lane, kind=kind) for name in ids]))


async def claim(storage: Storage, *, limit: int = 10, kinds: Sequence[str] = ("digest",)) -> list[Job]:
    """The next jobs, for a minute."""
    return await storage.claim(kinds, lease_s=60, limit=limit)


def job_ids(jobs: Sequence[Job]) -> list[str]:
    return [job.id for job in jobs]


async def ids_of(storage: Storage, partition: Partition = ALICE, *, kind: str = "memory") -> list[str]:
    """Every id there is, oldest first."""
    query = PageQuery(partitions=(partition,), kind=kind, ascending=True, limit=ANY_NUMBER)
    return [found.id for found in (await storage.page(query)).records]


@dataclass(frozen=True, slots=True)
class Hit:
    """One hit with what was measured of it: see `Measured`."""

    record: Record
    partition: Partition
    frequencies: tuple[int, ...]
    words: float
    words_around: float
    cosine: float | None
    cosine_around: float | None
    is_by_whom: bool
    is_of_then: bool
    is_answer: bool


@dataclass(frozen=True, slots=True)
class Found:
    hits: tuple[Hit, ...]
    statistics: TermStatistics


@dataclass(frozen=True, slots=True)
class Place:
    hit: int


async def search(
    storage: Storage,
    text: str | None = None,
    *,
    embedding: Embedding | None = None,
    partitions: Sequence[Partition] = (ALICE,),
    kind: str = "memory",
    where: Condition = EVERYTHING,
    limit: int = 200,
    **asked: Any,
) -> Found:
    """Every hit, in the order of `Measured`; `asked` are further fields of the query."""
    query = CandidateQuery(
        partitions=tuple(partitions),
        kind=kind,
        terms=None if text is None else query_terms(text, limit=512),
        embedding=embedding,
        where=where,
        limit=limit,
        **asked,
    )
    return await search_for(storage, query)


async def search_for(storage: Storage, query: CandidateQuery) -> Found:
    seen: list[Measured] = []

    def every(measured: Measured) -> list[Place]:
        seen.append(measured)
        return [Place(number) for number in range(len(measured))]

    chosen = await storage.candidates(query, every)
    measured = seen[-1]
    hits = (_hit(measured, one.place.hit, one.record, one.partition) for one in chosen)
    return Found(tuple(hits), measured.statistics)


def _hit(measured: Measured, number: int, record: Record, partition: Partition) -> Hit:
    cosine, around = float(measured.cosines[number]), float(measured.cosines_around[number])
    return Hit(
        record=record,
        partition=partition,
        frequencies=tuple(measured.frequencies[number].tolist()),
        words=float(measured.words[number]),
        words_around=float(measured.words_around[number]),
        cosine=None if isnan(cosine) else cosine,
        cosine_around=None if isnan(around) else around,
        is_by_whom=bool(measured.is_by_whom[number]),
        is_of_then=bool(measured.is_of_then[number]),
        is_answer=bool(measured.is_answer[number]),
    )


def hit_ids(found: Found) -> list[str]:
    """The ids that were found, sorted."""
    return sorted(hit.record.id for hit in found.hits)


def hit(found: Found, id: str) -> Hit:
    (only,) = [one for one in found.hits if one.record.id == id]
    return only


def scores(found: Found) -> dict[str, float]:
    """The word score of each hit, by its id."""
    return {one.record.id: one.words for one in found.hits}


def by_score(found: Found) -> list[str]:
    """The ids that were found, the best word score first, ties by id."""
    scored = scores(found)
    return sorted(scored, key=lambda name: (-scored[name], name))


def setting(*, thread: str = "run", minute: float = 0, **known: Any) -> Setting:
    """Said `minute` minutes after `START`; `known` are further fields."""
    told = START + timedelta(minutes=minute)
    return Setting(**{"thread": thread, "told": told, "begins": told, "ends": told, "since": told, **known})
