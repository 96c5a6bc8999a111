"""Does a text name somebody?"""

from __future__ import annotations

import re
from functools import lru_cache

from yiku.model.tokens import fold

_FIRST_NAME_LETTERS = 3
"""Shorter ones are too often words or initials."""


def mentions(name: str, folded: str) -> bool:
    """Whether a folded text holds the name, or its first word where that is a name too: Caroline of Caroline Smith."""
    return bool(name.strip()) and any(pattern.search(folded) for pattern in _patterns(name))


@lru_cache(maxsize=4_096)
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    whole = fold(name).strip()
    first = whole.split()[0]
    names = {whole, first} if len(first) >= _FIRST_NAME_LETTERS else {whole}
    # In Chinese no space stands around a name; elsewhere Ann is not in Annual.
    return tuple(
        re.compile(rf"(?<![a-z0-9]){re.escape(one)}(?![a-z0-9])" if one.isascii() else re.escape(one))
        for one in sorted(names)
    )
