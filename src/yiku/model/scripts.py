"""In which script is a text written? Texts of two scripts share hardly a word, whatever they say."""

from __future__ import annotations

import re
from enum import Enum

_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LETTERS_PER_CHARACTER = 3
"""So many letters say about as much as one character."""
_LETTER = re.compile(r"[^\W\d_]")


class Script(Enum):
    EAST_ASIAN = "east_asian"
    """Chinese, Japanese and Korean, of which words are pairs of characters."""
    ALPHABETIC = "alphabetic"


def script_of(text: str) -> Script:
    """The one in which most of it is said: 我用 Python 写代码 is Chinese."""
    characters = len(_EAST_ASIAN.findall(text))
    letters = len(_LETTER.findall(text)) - characters
    return Script.EAST_ASIAN if characters * _LETTERS_PER_CHARACTER > letters else Script.ALPHABETIC
