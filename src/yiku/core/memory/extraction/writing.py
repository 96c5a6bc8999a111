"""In which writing are these words? Enough to see that a text was translated, without knowing every language."""

from __future__ import annotations

import re
from typing import Literal

from yiku.core.memory.extraction.sentences import HAN

Writing = Literal["zh", "latin", "other"]

_HAN = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’][A-Za-z]+)*")
_OTHER = re.compile(r"[\u0370-\u1fff\u3040-\u30ff\uac00-\ud7af]")
_HAN_OF_A_WORD = 2
"""Characters of an ordinary Chinese word: 我用 Python is Chinese, I love 火锅 is not."""


def writing_of(text: str) -> Writing | None:
    """The writing of most of the words; None where there are no words at all.

    Japanese and Korean are "other" however many Chinese characters they have.
    """
    other = len(_OTHER.findall(text))
    han, latin = len(_HAN.findall(text)), len(_LATIN_WORD.findall(text))
    if not (other or han or latin):
        return None
    if other * _HAN_OF_A_WORD > han and other >= latin:
        return "other"
    return "zh" if han >= latin * _HAN_OF_A_WORD else "latin"
