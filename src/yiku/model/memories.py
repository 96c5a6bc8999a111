"""Memories, the events that make them, and the questions one asks about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from yiku.model.conditions import EVERYTHING, Condition
from yiku.model.messages import Message
from yiku.model.metadata import Metadata
from yiku.model.scopes import Scope

MEMORY_PREFIX = "m-"
EVENT_PREFIX = "me-"
MESSAGE_PREFIX = "msg-"


@dataclass(frozen=True, kw_only=True, slots=True)
class AddMemories:
    """A request to remember. `anchor` is the time that was given for the messages; relative dates count from it."""

    scope: Scope
    messages: tuple[Message, ...]
    metadata: Metadata = field(default_factory=dict)
    anchor: datetime | None = None
    infer: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeMemory:
    """A correction by hand. `metadata` is merged into what is there: a key that is None is removed; at least one is
    given."""

    text: str | None = None
    metadata: Metadata | None = None


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
    repeated_metadata: tuple[Metadata, ...] = ()
    """Of later adds that said the same. `metadata` has their new keys; a filter finds the memory by any of them."""
    revisions: tuple[Revision, ...] = ()
    """Oldest first; of many the oldest are dropped, and counted in `revisions_dropped`."""
    revisions_dropped: int = 0
    fingerprint: str | None = None
    """Equal for texts that say the same in the same words; None for `infer=false`, which is never merged."""
    version: int = 0


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
    SKIP = "SKIP"
    """Nothing to remember: small talk, a question, boilerplate."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What was decided about one fact of an add, and why. `memory_id` is None for SKIP."""

    kind: DecisionKind
    text: str
    reason: str
    memory_id: str | None = None
    message_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EventFailure:
    code: str
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """The life of one add. It ends SUCCEEDED with a decision for every fact, or FAILED with what went wrong."""

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
    failure: EventFailure | None = None
    version: int = 0

    @property
    def memory_ids(self) -> tuple[str, ...]:
        """The memories that this event made or changed, each once."""
        changed = (d.memory_id for d in self.decisions if d.memory_id and d.kind is not DecisionKind.NOOP)
        return tuple(dict.fromkeys(changed))


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchMemories:
    """`threshold` drops hits that score lower; `rerank` asks for a second stage."""

    scope: Scope
    text: str
    where: Condition = EVERYTHING
    top_k: int = 10
    threshold: float | None = None
    rerank: bool = False


@dataclass(frozen=True, slots=True)
class MemoryHit:
    memory: Memory
    score: float


@dataclass(frozen=True, slots=True)
class MemoryHits:
    """Best first. `notices` say what the answer lacks, for instance vectors."""

    hits: tuple[MemoryHit, ...]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ListMemories:
    """`page` counts from 1."""

    scope: Scope
    where: Condition = EVERYTHING
    page: int = 1
    page_size: int = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class DeleteMemories:
    """All memories of a user that meet the condition."""

    scope: Scope
    where: Condition = EVERYTHING


@dataclass(frozen=True, slots=True)
class MemoryPage:
    count: int
    memories: tuple[Memory, ...]
