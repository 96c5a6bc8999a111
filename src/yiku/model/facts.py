"""What is known of a fact beside its words: its kind, the slot it fills, and when it holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class FactKind(StrEnum):
    PREFERENCE = "preference"
    """What somebody likes, dislikes, prefers or avoids."""
    PROFILE = "profile"
    """What somebody is: name, home, job, age, health, habits, tools."""
    PLAN = "plan"
    """What is meant to happen."""
    EVENT = "event"
    """What happened."""
    RELATION = "relation"
    """Who belongs to whom: family, friends, colleagues, pets."""
    INSTRUCTION = "instruction"
    """How the assistant is asked to behave from now on."""
    SUGGESTION = "suggestion"
    """What the assistant recommended or promised."""
    STATEMENT = "statement"
    """Everything else, kept in its own words."""


class Precision(StrEnum):
    """The unit in which a time was told: 昨天 is a day, "in 2023" a year."""

    MINUTE = "minute"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class When:
    """The time that words speak of: from `start` until before `end`, as exactly as `precision` says.

    Both carry the zone of the message's anchor.
    """

    start: datetime
    end: datetime
    precision: Precision


@dataclass(frozen=True, kw_only=True, slots=True)
class Slot:
    """A question about somebody that has one answer at a time, and the answer: the user's home is Berlin.

    `subject` is "user" or the name or role of whoever it is about; `attribute` a word of a closed list (home, job,
    likes …); `topic` what a question of many answers is about (likes of *coffee*), None where the attribute alone is
    the question; `value` the answer, normalised so that equal answers are equal texts. A new value of the same slot
    takes the place of the old one; topics of their own stand side by side.
    """

    subject: str
    attribute: str
    topic: str | None = None
    value: str

    @property
    def key(self) -> tuple[str, str, str | None]:
        """The question without the answer."""
        return (self.subject, self.attribute, self.topic)
