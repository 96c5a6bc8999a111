"""Is this clause, as a whole, a reaction to what the other said, or talk about the talk?

"That's a great idea", "I'll give it a try", 我想想, 听起来不错: all of it points at what somebody else said, and means
nothing a day later. Only whole clauses, like small talk.
"""

from __future__ import annotations

import re

from yiku.core.memory.extraction import reactions_en, reactions_zh
from yiku.core.memory.extraction.sentences import plain

_LONGEST = 90
_TO_THE_OTHER = re.compile(
    r"(?:(?:wow|and|but|so|yeah|yes|haha|oh|aw+),? )*+(?:you|your|you're|you've|you'll|you'd|[你您])(?![\w'])"
    r"|[你您]",
    re.IGNORECASE,
)
_OF_THE_SPEAKER = re.compile(r"\b(?:i|i'\w+|my|me|mine|we|we'\w+|our|us)\b|[我咱]|\d", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z]\w+")


def is_about_the_listener(sentence: str) -> bool:
    """Whether somebody tells a friend how the friend is ("You're a real bookworm!"), and nothing that has a name."""
    words = plain(sentence)
    named = _NAME.search(words) or _OF_THE_SPEAKER.search(words)
    return len(words) <= _LONGEST and _TO_THE_OTHER.match(words) is not None and named is None


def is_reaction(clause: str) -> bool:
    """Whether nothing in `clause` is more than a reaction."""
    words = plain(clause)
    if not words or len(words) > _LONGEST:
        return False
    return reactions_en.REACTION.fullmatch(words) is not None or reactions_zh.REACTION.fullmatch(words) is not None
