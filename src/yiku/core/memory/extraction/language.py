"""In which language is this sentence told? It decides the rules that apply and the label of the speaker."""

from __future__ import annotations

import re
from typing import Literal

from yiku.core.memory.extraction.sentences import HAN

Language = Literal["zh", "en"]

_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_ENGLISH_SELF = re.compile(r"\b(?:I|I['’]\w+|[Mm]y|me)\b")


def language_of(text: str) -> Language:
    """Chinese wherever Han characters are told in Chinese: 我用 Python is Chinese, I love 火锅 is English.

    Every other language counts as English: no English rule will be sure of it, so it is kept in its own words.
    """
    if not _HAN.search(text) or _KANA.search(text):
        return "en"
    return "en" if _ENGLISH_SELF.search(text) and "我" not in text else "zh"
