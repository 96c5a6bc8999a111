"""Questions asked of the wrong store: another user's, with the names swapped so that they give nothing away."""

from __future__ import annotations

import re
from collections.abc import Sequence

PEOPLE = {
    "life-2": ("陆明强",),
    "life-3": ("马秀兰",),
    "madial-zh": ("Bart", "Lisa"),
    "locomo-0": ("Caroline", "Melanie"),
    "locomo-1": ("Jon", "Gina"),
    "locomo-2": ("Maria", "John"),
    "locomo-3": ("Joanna", "Nate"),
    "locomo-4": ("Tim", "John"),
}
"""Whom the questions of each user are about."""


def as_if_about(text: str, *, of: str, to: str) -> str:
    """A question of the user `of`, put to the store of `to`."""
    return _swapped(text, PEOPLE[of], PEOPLE[to])


def _swapped(text: str, names: Sequence[str], others: Sequence[str]) -> str:
    places = {name: others[place % len(others)] for place, name in enumerate(names)}
    return re.sub("|".join(map(re.escape, names)), lambda found: places[found.group()], text)
