"""When two texts say the same thing in the same words."""

from __future__ import annotations

import re
from datetime import UTC
from hashlib import blake2b

from yiku.model.facts import When
from yiku.model.tokens import fold

_IGNORED = re.compile(r"[\s.,;:!?。，；：！？、…~～]+")
"""Spacing and punctuation between words does not change what is said. Signs inside numbers and names stay: -5, C++."""


def fingerprint(text: str, when: When | None = None) -> str:
    """Equal for texts that differ only in case, width, script (traditional or simplified), spacing and punctuation.

    The same words about another time (yesterday, told on two days) are another fact.
    """
    said = _IGNORED.sub(" ", fold(text)).strip()
    if when is not None:
        said += f"\n{when.start.astimezone(UTC).isoformat()} {when.precision.value}"
    return blake2b(said.encode(), digest_size=16).hexdigest()
