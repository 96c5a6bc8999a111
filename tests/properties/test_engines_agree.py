"""Do two engines that are told the same things, in the same order, give the same answers after each of them?"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.builders import START, random_vectors, record, search_for, setting
from tests.engines import open_place
from tests.postgres.databases import Databases
from yiku.adapters.clocks import ManualClock
from yiku.model.conditions import EVERYTHING, Condition, Eq, Exists, Not, Range
from yiku.model.errors import KeyTaken, YikuError
from yiku.model.jobs import Job, NewJob
from yiku.model.limits import Limits
from yiku.model.records import CandidateQuery, Changes, Expectation, PageQuery, Record, Ref
from yiku.model.scopes import Partition
from yiku.model.tokens import query_terms
from yiku.ports.storage import Storage

KINDS = ("memory", "event")
IDS = ("a", "b", "c", "d", "é", "😀")
KEYS = ("key", "schlüssel", "钥匙")
TEXTS = ("喝茶", "小明喝茶", "tea and coffee", "running iphone15", "咖啡 咖啡 tea", "茶", "")
QUESTIONS = ("喝茶", "茶", "run coffee", "tea 咖啡 iphone")
VECTORS = (*random_vectors(6, dimensions=8, seed=5), *random_vectors(2, dimensions=8, seed=6, model="model-b"))
CONDITIONS: tuple[Condition, ...] = (EVERYTHING, Eq("n", 1), Not(Exists("n")), Range("n", gte=0, lt=2), Eq("tag", "x"))
QUEUE_JOBS = 6
LEASE_S = 10
NO_COSINE = -2.0

_examples = count()

SETTINGS = [
    setting(thread=thread, minute=minute, until=until, speaker=speaker)
    for thread in ("one", "two")
    for minute, until, speaker in ((0, None, None), (30, START, "Anna"), (300, None, "小明"))
]

refs = st.builds(Ref, st.sampled_from(KINDS), st.sampled_from(IDS))
puts = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(KINDS),
        "id": st.sampled_from(IDS),
        "text": st.none() | st.sampled_from(TEXTS),
        "minute": st.integers(0, 2),
        "fields": st.fixed_dictionaries(
            {},
            optional={"n": st.sampled_from([0, 1, 1.0, 2, True, None]), "tag": st.sampled_from(["x", ("x", "y"), ()])},
        ),
        "unique_key": st.none() | st.sampled_from(KEYS),
        "embedding": st.none() | st.sampled_from(VECTORS),
        "setting": st.none() | st.sampled_from(SETTINGS),
        "lasts_s": st.none() | st.sampled_from([0, 5, 20]),
    }
)


@dataclass(frozen=True, kw_only=True)
class Commit:
    user: int
    expects: Sequence[tuple[Ref, int]]
    deletes: Sequence[Ref]
    puts: Sequence[dict[str, Any]]
    enqueues: Sequence[str]
    finishes: int
    """So many of the jobs that are held."""


@dataclass(frozen=True)
class Drop:
    user: int


@dataclass(frozen=True)
class Claim:
    limit: int


@dataclass(frozen=True)
class Renew:
    jobs: int


@dataclass(frozen=True)
class Release:
    jobs: int
    delay_s: int


@dataclass(frozen=True)
class Wait:
    seconds: int


Step = Commit | Drop | Claim | Renew | Release | Wait

users = st.integers(0, 1)
commits = st.builds(
    Commit,
    user=users,
    expects=st.lists(st.tuples(refs, st.integers(1, 2)), max_size=1) | st.just([]),
    deletes=st.lists(refs, max_size=2),
    puts=st.lists(puts, max_size=4),
    enqueues=st.lists(st.sampled_from(["j-1", "j-2", "j-3"]), max_size=2, unique=True),
    finishes=st.sampled_from([0, 0, 1, 5]),
)
steps: st.SearchStrategy[Step] = st.one_of(
    commits,
    commits,
    commits,
    st.builds(Drop, users),
    st.builds(Claim, st.integers(1, 3)),
    st.builds(Renew, st.integers(1, 3)),
    st.builds(Release, st.integers(1, 3), st.sampled_from([0, 3])),
    st.builds(Wait, st.sampled_from([1, 6, 11])),
)


@dataclass
class Told:
    """One engine, and what is remembered of what it was told in this example."""

    storage: Storage
    clock: ManualClock
    example: int = 0
    held: list[Job] = field(default_factory=list)

    async def begin(self, example: int) -> None:
        """Also after an example that failed, whose jobs would be claimed by this one."""
        for partition in self.partitions:
            await self.storage.drop(partition)
        self.example, self.held = example, []

    @property
    def partitions(self) -> tuple[Partition, Partition]:
        return Partition("default", f"user:{self.example}/0"), Partition("default", f"user:{self.example}/1")

    async def outcome(self, step: Step) -> object:
        """What the engine answers, in words that are the same for every engine."""
        try:
            return await self._take(step)
        except KeyTaken as error:
            return type(error), error.kind, error.unique_key, error.holder_id
        except YikuError as error:
            return type(error)

    async def _take(self, step: Step) -> object:
        match step:
            case Commit():
                await self.storage.commit(self._changes(step))
            case Drop(user):
                return await self.storage.drop(self.partitions[user])
            case Claim(limit):
                claimed = await self.storage.claim(["digest"], lease_s=LEASE_S, limit=limit)
                self.held += claimed
                return [(job.id, job.kind, job.lane, job.attempts, job.last_error, job.enqueued) for job in claimed]
            case Renew(jobs):
                await self.storage.renew(self.held[:jobs], lease_s=LEASE_S)
            case Release(jobs, delay_s):
                given_back, self.held = self.held[:jobs], self.held[jobs:]
                await self.storage.release(given_back, delay_s=delay_s, error="down")
            case Wait(seconds):
                self.clock.advance(seconds)
        return None

    def _changes(self, commit: Commit) -> Changes:
        partition = self.partitions[commit.user]
        finishes, self.held = self.held[: commit.finishes], self.held[commit.finishes :]
        return Changes(
            partition=partition,
            expects=tuple(Expectation(ref, version) for ref, version in commit.expects),
            deletes=tuple(commit.deletes),
            puts=tuple(self._record(**put) for put in commit.puts),
            enqueues=tuple(
                NewJob(id=f"{self.example}/{name}", kind="digest", lane=partition.owner, payload={"name": name})
                for name in commit.enqueues
            ),
            finishes=tuple(finishes),
        )

    def _record(self, *, id: str, text: str | None, lasts_s: int | None, **others: Any) -> Record:
        elapsed_s = (self.clock.now() - START).total_seconds()
        return record(id, text, expires_s=None if lasts_s is None else elapsed_s + lasts_s, **others)

    async def state(self) -> dict[str, object]:
        """Everything that can be asked about the example's two partitions."""
        waiting = [await self.storage.job(f"{self.example}/j-{number}") for number in (1, 2, 3)]
        return {
            "jobs": [job and (job.attempts, job.lease is None, job.last_error, job.partition) for job in waiting],
            "queue": await self.storage.queue_state(),
            "listed": await self.storage.partitions("default", f"user:{self.example}/"),
            "found": [
                [await self.storage.get(partition, kind, IDS[::-1]), await self.storage.find(partition, kind, KEYS)]
                for partition in self.partitions
                for kind in KINDS
            ],
            "located": [await self.storage.locate("nowhere", "memory", "a")],
            "pages": [
                await self.storage.page(PageQuery(partitions=chosen, kind="memory", where=where, offset=1, limit=3))
                for chosen in (self.partitions, self.partitions[:1])
                for where in CONDITIONS
            ],
            "changed": [await self._changed(partition) for partition in self.partitions],
        }

    async def _changed(self, partition: Partition) -> object:
        """Those there are, in order, and those that are gone, in any: each engine sweeps when it likes to."""
        changed = await self.storage.scan(partition)
        assert [change.sequence for change in changed] == sorted({change.sequence for change in changed})
        there = [(change.ref, _comparable(change.record)) for change in changed if change.record is not None]
        return there, {change.ref for change in changed if change.record is None}

    async def answers(self) -> tuple[list[object], list[float]]:
        """What searches find, and the cosines of it, apart."""
        found: list[object] = []
        cosines: list[float] = []
        for query in self._queries():
            candidates = await search_for(self.storage, query)
            exact = [replace(hit, cosine=None, cosine_around=None) for hit in candidates.hits]
            found.append((candidates.statistics, exact))
            for hit in candidates.hits:
                cosines += [NO_COSINE if one is None else one for one in (hit.cosine, hit.cosine_around)]
        return found, cosines

    def _queries(self) -> Iterator[CandidateQuery]:
        for number, text in enumerate((*QUESTIONS, None)):
            for limit in (1, 3):
                yield CandidateQuery(
                    partitions=self.partitions[: 1 + number % 2],
                    kind="memory",
                    terms=None if text is None else query_terms(text, limit=512),
                    embedding=VECTORS[number] if number % 3 else None,
                    asked="Anna 小明",
                    periods=((START, START + timedelta(hours=1)),),
                    until_after=START if number % 2 else None,
                    where=CONDITIONS[number % len(CONDITIONS)],
                    limit=limit,
                )


def _comparable(one: Record) -> object:
    half = None if one.embedding is None else (one.embedding.model, one.embedding.values.tobytes())
    return one.id, one.kind, one.version, one.text, one.fields, one.body, one.unique_key, one.created, one.expires, half


@pytest.fixture
async def both(tmp_path: Path, databases: Databases) -> AsyncIterator[list[Told]]:
    with databases.fresh_database() as url:
        async with AsyncExitStack() as stack:
            opened = []
            for place in (str(tmp_path / "data"), url):
                clock = ManualClock()
                storage = await open_place(place, clock=clock, limits=Limits(queue_jobs=QUEUE_JOBS))
                stack.push_async_callback(storage.close)
                opened.append(Told(storage, clock))
            yield opened


@given(told=st.lists(steps, min_size=1, max_size=12))
@settings(
    max_examples=20,
    deadline=None,
    # Two storages serve every example, each of which has partitions of its own.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_engines_that_are_told_the_same_give_the_same_answers(both: list[Told], told: list[Step]) -> None:
    example = next(_examples)
    for engine in both:
        await engine.begin(example)
    for step in told:
        one, other = [await engine.outcome(step) for engine in both]
        assert one == other
        one_state, other_state = [await engine.state() for engine in both]
        assert one_state == other_state
        (one_found, one_cosines), (other_found, other_cosines) = [await engine.answers() for engine in both]
        assert one_found == other_found
        assert one_cosines == pytest.approx(other_cosines, abs=1e-6)
