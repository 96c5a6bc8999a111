"""What comes out of a conversation: facts to keep, and what was left out, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from yiku.model.facts import FactKind, Slot, When

IN_THIRD_PERSON = "a statement about the speaker, in the third person"
IN_OWN_WORDS = "kept in the speaker's own words"
RECOMMENDATION = "an assistant's recommendation"
PROMISE = "something the assistant did or promised"

SMALL_TALK = "small talk"
REACTION = "a reaction to what was said, or talk about the talk"
CONFIRMATION = "a bare confirmation"
QUESTION = "a question"
REQUEST = "a request to the assistant"
FORGET = "a request to forget"
ONLY_CORRECTS = "says only that something said before was wrong"
TAKEN_BACK = "put right in the same breath"
PASTED = "text or code that the assistant is to work on"
FRAGMENT = "too little to mean anything by itself"
NO_RECOMMENDATION = "an assistant's reply without a recommendation"
RECALLED = "an assistant repeating what it remembers"
NOT_A_PERSON = "not said by a person"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One thing to remember; `speaker` is the name it came with.

    `positions` are the indices of the messages it rests on, its own first: an answer rests on its question too.
    `corrects` says that by these words something said before was wrong. `puts_right` is the day or the number that was
    meant, where the words say nothing besides ("I meant Friday"): it belongs in what was said last.
    """

    text: str
    positions: tuple[int, ...]
    speaker: str | None
    reason: str
    kind: FactKind = FactKind.STATEMENT
    slot: Slot | None = None
    when: When | None = None
    corrects: bool = False
    puts_right: str | None = None

    @property
    def position(self) -> int:
        """The index of its own message."""
        return self.positions[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """Words of the message at `position` that say nothing worth remembering."""

    text: str
    position: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Forget:
    """A request to forget: its `text`, the `words` for what is to be forgotten, and the questions that these name.

    `keys` are those of a `Slot` ("my address" is the user's address, and home); a topic of `ANY_TOPIC` stands for all.
    """

    text: str
    words: str
    position: int
    keys: tuple[tuple[str, str, str | None], ...] = ()

    @property
    def key(self) -> tuple[str, str, str | None] | None:
        """The first of the questions."""
        return self.keys[0] if self.keys else None


@dataclass(frozen=True, slots=True)
class Extraction:
    facts: tuple[Fact, ...]
    left_out: tuple[LeftOut, ...]
    forget: tuple[Forget, ...] = ()


def runs(left_out: Iterable[LeftOut]) -> list[LeftOut]:
    """Neighbours with one reason become one entry: a long reply of the assistant is one decision, not a hundred."""
    grouped = groupby(left_out, key=lambda part: (part.position, part.reason))
    return [
        LeftOut(text=" ".join(part.text for part in parts), position=position, reason=reason)
        for (position, reason), parts in grouped
    ]
