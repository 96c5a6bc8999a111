"""Which times does a text speak of? For what was said, and for questions about it.

Relative words (昨天, last Friday, in two weeks) count from a moment and are told in its zone. Times that are not sure
("recently", 前几天, "last summer": which half of the world?) are not named; habits (每周三, on Mondays) are no dates.
"""

from __future__ import annotations

from datetime import datetime

from yiku.core.memory.dates import dates_en, dates_zh
from yiku.core.memory.dates.naming import Named, without_overlaps
from yiku.model.facts import When

__all__ = ["Named", "named_in", "times_named"]


def times_named(text: str, now: datetime) -> tuple[When, ...]:
    """The times that `text` speaks of, in its order, each once."""
    return tuple(dict.fromkeys(named.when for named in named_in(text, now)))


def named_in(text: str, now: datetime) -> list[Named]:
    """The times that `text` speaks of, with the places of their words."""
    return without_overlaps([*dates_zh.named_in(text, now), *dates_en.named_in(text, now)])
