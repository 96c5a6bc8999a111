"""What a store holds: records, the changes of one commit, and the questions one can ask.

A store knows records, not memories. Each noun maps itself onto records in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from yiku.model.conditions import EVERYTHING, Condition, Fields
from yiku.model.jobs import Job, NewJob
from yiku.model.scopes import Partition
from yiku.model.tokens import QueryTerms

Body = Mapping[str, Any]
"""JSON that only the noun it belongs to understands; a store never looks inside."""


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """A unit vector (float32) and the identity of the model that made it: only vectors of one model are compared."""

    model: str
    values: NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """Where a record stands among others, for searches only.

    Records of one `thread` that were `told` close together are a conversation, in the order in which they were made.
    `begins` and `ends` bound the time that the record speaks of. What it says holds from `since` until before `until`,
    which is None while it does. `speaker` is who said it.
    """

    thread: str
    told: datetime
    begins: datetime
    ends: datetime
    since: datetime
    until: datetime | None = None
    speaker: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One row.

    `id` is unique within partition and kind; so is `unique_key` where there is one. `text` is what the word index
    sees, which need not be what a person sees. `version` counts the puts of this id: 0 in a record that was never
    stored. Reads leave `setting` out, and `embedding` except `scan`. Times are UTC with microseconds.

    `ready` is what a store keeps of `body`, `fields`, `embedding` and `setting`, where it was worked out before (by
    another process, see `engine.records`): of a record that has it, nobody looks at those four any more.
    """

    kind: str
    id: str
    body: Body
    created: datetime
    updated: datetime
    fields: Fields = field(default_factory=dict)
    unique_key: str | None = None
    text: str | None = None
    embedding: Embedding | None = None
    setting: Setting | None = None
    expires: datetime | None = None
    version: int = 0
    ready: object | None = None


@dataclass(frozen=True, slots=True)
class Ref:
    """The address of a record inside its partition."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """This record must exist with exactly this version when the commit is applied."""

    ref: Ref
    version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """Everything that one transaction does to one partition: all of it, or nothing.

    Applied in this order: `expects` are checked, `finishes` (whose lease must still be ours), `deletes`, `puts`,
    `enqueues`. A put replaces the record with the same kind and id. Deleting what is not there is no error.
    """

    partition: Partition
    expects: tuple[Expectation, ...] = ()
    deletes: tuple[Ref, ...] = ()
    puts: tuple[Record, ...] = ()
    enqueues: tuple[NewJob, ...] = ()
    finishes: tuple[Job, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class PageQuery:
    """Records of one kind in the given partitions, by `created`, then id; newest first unless `ascending`."""

    partitions: tuple[Partition, ...]
    kind: str
    where: Condition = EVERYTHING
    ascending: bool = False
    offset: int = 0
    limit: int = 100


@dataclass(frozen=True, slots=True)
class RecordPage:
    """`count` is exact and counts all matches, not only those shown."""

    count: int
    records: tuple[Record, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CandidateQuery:
    """What a search asks of the store, in one trip.

    `terms` is None for a search by vectors alone, `embedding` for one by words alone. `asked` is the question itself,
    in which speakers are looked for; `people` are others whom it is about. `periods` are the times it names. Of records
    with a setting only those are hits that began to hold at `since_by` or earlier, and hold until after `until_after`.
    `answers` is what answers the question by what it is, whatever its words; with `past_answers` only what holds no
    more does. `limit` is how many hits each arm may bring. With `exact` the cosines of the nearest are measured on the
    vectors as they were given, for a trip more: among a hundred thousand, many lie as near as bytes can tell.
    """

    partitions: tuple[Partition, ...]
    kind: str
    terms: QueryTerms | None = None
    embedding: Embedding | None = None
    asked: str = ""
    people: tuple[str, ...] = ()
    periods: tuple[tuple[datetime, datetime], ...] = ()
    since_by: datetime | None = None
    until_after: datetime | None = None
    answers: Condition | None = None
    past_answers: bool = False
    where: Condition = EVERYTHING
    limit: int = 200
    exact: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TermStatistics:
    """Of the partitions that were searched, one kind, before the condition. Sums over several partitions.

    `terms` are those that were looked up: the query's words and lone characters, each once, in order, followed by its
    other characters when none of its words stands in any record. `records` and `average_length` are about records
    that have a text.
    """

    terms: tuple[str, ...]
    document_frequencies: tuple[int, ...]
    records: int
    average_length: float


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Measured:
    """The union of what the arms found, newest first, each hit with every measurement it has.

    Columns, because hundreds of hits are ranked and ten are read: entry `i` of each belongs to hit `i`.
    `frequencies[i, t]` is how often `statistics.terms[t]` stands in the record, `words` its `ranking.word_score`.
    `cosines` are those of the vectors as bytes, within 0.01 of the exact ones (0.001 where `exact` asked for them); NaN
    where the record has no vector of the query's model, or the query had none. `words_around` and `cosines_around` are
    the same of the conversation that the record stands in (`ranking.REACH`); alone, they are its own. `is_by_whom`
    marks records of the people asked about, `is_of_then` those of the times asked about, `is_answer` those that the
    condition `answers` names; these are hits even when neither arm found them. `cosine_mean` and `cosine_deviation` are
    those of all records with such a vector.
    """

    statistics: TermStatistics
    frequencies: NDArray[np.int64]
    words: NDArray[np.float64]
    words_around: NDArray[np.float64]
    cosines: NDArray[np.float64]
    cosines_around: NDArray[np.float64]
    is_by_whom: NDArray[np.bool_]
    is_of_then: NDArray[np.bool_]
    is_answer: NDArray[np.bool_]
    cosine_mean: float
    cosine_deviation: float

    def __len__(self) -> int:
        return len(self.words)


class Placed(Protocol):
    """What is known of hit number `hit` once it was ranked."""

    @property
    def hit(self) -> int: ...


PlacedT = TypeVar("PlacedT", bound=Placed)

Choose = Callable[[Measured], Sequence[PlacedT]]
"""Which hits are wanted, in which order. Pure: called in a thread, and again when a call had to be tried anew."""


@dataclass(frozen=True, slots=True)
class Chosen(Generic[PlacedT]):
    """A hit that was chosen, with its row."""

    place: PlacedT
    partition: Partition
    record: Record


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One entry of `scan`: the present state of a record, or that it was deleted (`record` is None)."""

    sequence: int
    partition: Partition
    ref: Ref
    record: Record | None


@dataclass(frozen=True, slots=True)
class Health:
    """What `check` found: `problems` is empty when all is well; each is a sentence a person can act on."""

    problems: tuple[str, ...]
    details: Mapping[str, str | int | float]
