"""When two texts say the same thing in the same words."""

from __future__ import annotations

import re
from hashlib import blake2b

from yiku.model.tokens import fold

_IGNORED = re.compile(r"[\s.,;:!?。，；：！？、…~～]+")
"""Spacing and punctuation between words does not change what is said. Signs inside numbers and names stay: -5, C++."""


def fingerprint(text: str) -> str:
    """Equal for texts that differ only in case, width, script (traditional or simplified), spacing and punctuation."""
    return blake2b(_IGNORED.sub(" ", fold(text)).strip().encode(), digest_size=16).hexdigest()
