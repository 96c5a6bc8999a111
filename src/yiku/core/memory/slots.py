"""Does a new telling of a slot tell the old value, the same more exactly, or another one? Pure."""

from __future__ import annotations

import re

from yiku.core.memory.wording import content_terms, denies, holds_in_order, numbers, weight
from yiku.model.facts import Slot
from yiku.model.memories import Memory

REFINABLE = frozenset({"home", "hometown", "job", "employer", "school"})
"""Attributes whose longer value may say the same more exactly: Berlin, Berlin Kreuzberg. Names and numbers never do."""
_NOVEL_MOST = 2.0
"""So many other words are another way to put it ("I really love"); more of them say something of their own."""
_BOUNDARY = re.compile(r"[\s,，、·(（-]")


def same_value(one: Slot | None, other: Slot | None) -> bool:
    return one is not None and other is not None and (one.key, one.value) == (other.key, other.value)


def refines(new: Slot | None, old: Slot | None) -> bool:
    """Whether the new value begins with the old one and goes on: 上海 → 上海浦东, "berlin" → "berlin, kreuzberg"."""
    if new is None or old is None or new.attribute not in REFINABLE or numbers(new.value) != numbers(old.value):
        return False
    rest = new.value.removeprefix(old.value) if new.value.startswith(old.value) else ""
    return bool(rest) and (not rest.isascii() or _BOUNDARY.match(rest) is not None)


def is_fuller(new: Memory, old: Memory) -> bool:
    """Whether the new words say all that the old ones say, and more."""
    return (
        denies(new.text) == denies(old.text)
        and holds_in_order(numbers(new.text), numbers(old.text))
        and content_terms(new.text) > content_terms(old.text)
    )


def adds_nothing(new: Memory, old: Memory) -> bool:
    """Whether the new words tell the value in another way, and nothing beside it."""
    novel = content_terms(new.text) - content_terms(old.text)
    if new.slot is not None:
        novel -= content_terms(f"{new.slot.topic or ''} {new.slot.value}")
    return weight(novel) <= _NOVEL_MOST and holds_in_order(numbers(old.text), numbers(new.text))
