"""What comes out of a conversation: facts to keep, and what was left out, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

IN_THIRD_PERSON = "a statement about the speaker, in the third person"
IN_OWN_WORDS = "kept in the speaker's own words"
RECOMMENDATION = "an assistant's recommendation"
PROMISE = "something the assistant did or promised"

SMALL_TALK = "small talk"
CONFIRMATION = "a bare confirmation"
QUESTION = "a question"
REQUEST = "a request to the assistant"
FORGET = "a request to forget: delete the memory instead (memory_delete)"
FRAGMENT = "too little to mean anything by itself"
NO_RECOMMENDATION = "an assistant's reply without a recommendation"
RECALLED = "an assistant repeating what it remembers"
NOT_A_PERSON = "not said by a person"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One thing to remember; `position` is the index of the message it rests on, `speaker` the name it came with."""

    text: str
    position: int
    speaker: str | None
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """Words of the message at `position` that say nothing worth remembering."""

    text: str
    position: int
    reason: str


@dataclass(frozen=True, slots=True)
class Extraction:
    facts: tuple[Fact, ...]
    left_out: tuple[LeftOut, ...]


def runs(left_out: Iterable[LeftOut]) -> list[LeftOut]:
    """Neighbours with one reason become one entry: a long reply of the assistant is one decision, not a hundred."""
    grouped = groupby(left_out, key=lambda part: (part.position, part.reason))
    return [
        LeftOut(text=" ".join(part.text for part in parts), position=position, reason=reason)
        for (position, reason), parts in grouped
    ]
