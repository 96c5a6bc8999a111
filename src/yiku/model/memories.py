"""Memories, the events that make them, and the questions one asks about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from yiku.model.conditions import EVERYTHING, Condition
from yiku.model.errors import InvalidInput
from yiku.model.facts import FactKind, Slot, When
from yiku.model.jobs import JobFailure
from yiku.model.messages import Message
from yiku.model.metadata import Metadata
from yiku.model.ranking import Legs
from yiku.model.scopes import Scope

MEMORY_PREFIX = "m-"
EVENT_PREFIX = "me-"
MESSAGE_PREFIX = "msg-"


@dataclass(frozen=True, kw_only=True, slots=True)
class Lifetime:
    """How long a memory is kept: until a moment, for some time, or (neither is given) for good."""

    until: datetime | None = None
    seconds: int | None = None

    def end(self, now: datetime) -> datetime | None:
        """When it goes away; `InvalidInput` when that is past already."""
        if self.seconds is not None:
            return now + timedelta(seconds=self.seconds)
        if self.until is not None and self.until <= now:
            raise InvalidInput("expires_at must lie in the future", field="expires_at")
        return self.until


FOR_GOOD = Lifetime()


@dataclass(frozen=True, kw_only=True, slots=True)
class AddMemories:
    """A request to remember. `anchor` is the time that was given for the messages; relative dates count from it.

    Of several adds with one `idempotency_key` only the first is taken in.
    """

    scope: Scope
    messages: tuple[Message, ...]
    metadata: Metadata = field(default_factory=dict)
    anchor: datetime | None = None
    infer: bool = True
    lifetime: Lifetime = FOR_GOOD
    idempotency_key: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeMemory:
    """A correction by hand. `metadata` is merged into what is there: a key that is None is removed; at least one is
    given."""

    text: str | None = None
    metadata: Metadata | None = None
    lifetime: Lifetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Revision:
    """What a memory said before it was corrected, and when it was."""

    text: str
    metadata: Metadata
    replaced: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """One thing worth knowing about a user.

    `speaker` is the name of who said it, where the message gave one; `evidence` are the ids of the messages it rests
    on. A fact that was said again under other agents or runs belongs to all of them: `scope` names the first,
    `agent_ids` and `run_ids` all.
    """

    id: str
    scope: Scope
    text: str
    created: datetime
    updated: datetime
    metadata: Metadata = field(default_factory=dict)
    speaker: str | None = None
    evidence: tuple[str, ...] = ()
    anchor: datetime | None = None
    agent_ids: tuple[str | None, ...] = ()
    run_ids: tuple[str | None, ...] = ()
    kind: FactKind | None = None
    slot: Slot | None = None
    when: When | None = None
    """What the rules or a model knew beside the words; None for `infer=false` and for what earlier versions wrote."""
    valid_until: datetime | None = None
    """When it stopped to hold; None while it holds."""
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    """The memories whose value this one took over, and the one that took over this one's (DESIGN §5)."""
    expires: datetime | None = None
    """When it goes away by itself; None for never."""
    repeated_metadata: tuple[Metadata, ...] = ()
    """Of later adds that said the same. `metadata` has their new keys; a filter finds the memory by any of them."""
    revisions: tuple[Revision, ...] = ()
    """Oldest first; of many the oldest are dropped, and counted in `revisions_dropped`."""
    revisions_dropped: int = 0
    fingerprint: str | None = None
    """Equal for texts that say the same in the same words; None for `infer=false`, which is never merged, and for what
    holds no more: when it is said again, that is a new memory."""
    version: int = 0

    @property
    def told(self) -> datetime:
        """When it was said."""
        return self.anchor or self.created

    @property
    def valid_from(self) -> datetime:
        """When it began to hold: the time its words speak of, else when it was told. A plan holds once it is made."""
        if self.when is None:
            return self.told
        return min(self.when.start, self.told) if self.kind is FactKind.PLAN else self.when.start

    def holds_at(self, moment: datetime) -> bool:
        return self.valid_from <= moment and (self.valid_until is None or moment < self.valid_until)


class EventState(StrEnum):
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


class DecisionKind(StrEnum):
    """What became of one fact. UPDATE and SUPERSEDE are defined in DESIGN §5."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    SUPERSEDE = "SUPERSEDE"
    NOOP = "NOOP"
    DELETE = "DELETE"
    """The user asked to forget it."""
    SKIP = "SKIP"
    """Nothing to remember: small talk, a question, boilerplate."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What was decided about one fact of an add, and why.

    `memory_id` is None for SKIP, and for a SUPERSEDE that takes a memory back without saying anything else. `old_id`
    and `old_text` are what an UPDATE or a SUPERSEDE replaced: of an UPDATE the id is the same.
    """

    kind: DecisionKind
    text: str
    reason: str
    memory_id: str | None = None
    message_ids: tuple[str, ...] = ()
    old_id: str | None = None
    old_text: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """The life of one add. It ends SUCCEEDED with a decision for every fact, or FAILED with what went wrong.

    `repeats` are the positions of messages that came before in another add, and were stored and digested with that.
    `expires` is when its memories go away. `key` and `content` recognise an add that is sent again. `by_model` tells
    whether a language model extracted its facts, or the rules.
    """

    id: str
    scope: Scope
    state: EventState
    created: datetime
    updated: datetime
    message_ids: tuple[str, ...]
    infer: bool
    metadata: Metadata = field(default_factory=dict)
    anchor: datetime | None = None
    decisions: tuple[Decision, ...] = ()
    failure: JobFailure | None = None
    repeats: tuple[int, ...] = ()
    expires: datetime | None = None
    key: str | None = None
    content: str | None = None
    by_model: bool = False
    version: int = 0

    @property
    def memory_ids(self) -> tuple[str, ...]:
        """The memories that this event made or changed, each once."""
        kept = (DecisionKind.ADD, DecisionKind.UPDATE, DecisionKind.SUPERSEDE)
        return tuple(dict.fromkeys(d.memory_id for d in self.decisions if d.memory_id and d.kind in kept))


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchMemories:
    """`threshold` drops hits that score lower; `rerank` asks for a second stage, `explain` for what made each place.

    What holds is found; `as_of` asks for what held then.
    """

    scope: Scope
    text: str
    where: Condition = EVERYTHING
    as_of: datetime | None = None
    top_k: int = 10
    threshold: float | None = None
    rerank: bool = False
    explain: bool = False


@dataclass(frozen=True, slots=True)
class MemoryHit:
    """`legs` are what its place was made of."""

    memory: Memory
    score: float
    legs: Legs | None = None


@dataclass(frozen=True, slots=True)
class MemoryHits:
    """Best first. `notices` say what the answer lacks, for instance vectors."""

    hits: tuple[MemoryHit, ...]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ListMemories:
    """What holds, or held at `as_of`. `page` counts from 1."""

    scope: Scope
    where: Condition = EVERYTHING
    as_of: datetime | None = None
    page: int = 1
    page_size: int = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class DeleteMemories:
    """All memories of a user that meet the condition, those that hold no more too."""

    scope: Scope
    where: Condition = EVERYTHING


@dataclass(frozen=True, slots=True)
class MemoryPage:
    count: int
    memories: tuple[Memory, ...]
