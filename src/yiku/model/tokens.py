"""The one tokeniser: what a text's words are, for every engine and every language.

A text is folded (NFKC, traditional Chinese to simplified, lower case) and cut into runs:

- Latin letters and digits: the run itself, stemmed when it is a word; a run of letters and digits also gives its parts
  (`iphone15` → `iphone15`, `iphon`, `15`), so that either finds it.
- Chinese, Japanese and Korean: overlapping pairs of characters (喝咖啡 → 喝咖, 咖啡), and the run itself when it is one
  character. Each character is also given on its own, marked, as a **character term**: those are only looked at when a
  query has a run of one character, or when no record has any of its words. As ordinary terms they would match nearly
  every row and drown the pairs (DESIGN §4 has the measurement).
- Everything else (Cyrillic, Greek, Arabic, Thai …): the run as a word.

No dictionary, so nothing to install and no name or new word that it does not know.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from operator import add

import Stemmer

from yiku.model.tables import traditional_to_simplified

TOKENISER_VERSION = f"1.{Stemmer.version()}"
"""Stored with every index; a store made by another version is rebuilt from its texts."""

CHARACTER_MARK = "·"
"""Starts a character term; cannot start a word, because it is not a letter."""

_CJK = "\u2e80-\u2fdf\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_RUNS = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<word>[^\W_{_CJK}]+(?:['’][^\W\d_{_CJK}]+)*)")
_LETTERS_OR_DIGITS = re.compile(r"\d+|\D+")
_APOSTROPHE = re.compile(r"['’]")
_WORD_CHARACTERS_MAX = 64

_stemmer = Stemmer.Stemmer("english", 0)


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The distinct terms of a query, in order of appearance; `characters` are marked and complete."""

    words: tuple[str, ...]
    characters: tuple[str, ...]
    lone_characters: tuple[str, ...]
    """Character terms of runs of one character: these are always looked up."""


def fold(text: str) -> str:
    """The form in which texts are compared: NFKC, simplified, lower case. Folding it again changes nothing."""
    if text.isascii():
        return text.lower()  # The rest changes nothing in it, and half of what people write is such text.
    folded = unicodedata.normalize("NFKC", text).translate(traditional_to_simplified()).lower()
    # Lower case can bring letter and accent together that have a form of their own.
    return unicodedata.normalize("NFKC", folded)


def index_terms(text: str) -> Counter[str]:
    """Every term of a record and how often it stands there, character terms included."""
    terms: list[str] = []
    for cjk, word in _runs(text):
        if cjk:
            terms += _pairs(cjk)
            terms += map(CHARACTER_MARK.__add__, cjk)
        else:
            terms += _word_terms(word)
    return Counter(terms)


def length_of(terms: Counter[str]) -> int:
    """The number of words of a record: character terms repeat what the pairs say and do not count."""
    return sum([count for term, count in terms.items() if term[0] != CHARACTER_MARK])


def query_terms(text: str, *, limit: int) -> QueryTerms:
    """What to look up for a query, at most `limit` distinct terms of a kind."""
    words: dict[str, None] = {}
    characters: dict[str, None] = {}
    lone: dict[str, None] = {}
    for cjk, word in _runs(text):
        words.update(dict.fromkeys(_pairs(cjk) if cjk else _word_terms(word)))
        if cjk:
            marked = [CHARACTER_MARK + character for character in cjk]
            characters.update(dict.fromkeys(marked))
            lone.update(dict.fromkeys(marked if len(cjk) == 1 else ()))
        if len(words) >= limit:
            break
    return QueryTerms(tuple(words)[:limit], tuple(characters)[:limit], tuple(lone)[:limit])


def _runs(text: str) -> list[tuple[str, str]]:
    """Each as the run of its kind: the other of the two is empty."""
    return _RUNS.findall(fold(text))


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    return list(map(add, run, run[1:]))


@lru_cache(maxsize=65_536)
def _word_terms(run: str) -> tuple[str, ...]:
    """`caroline's` → `carolin`; `don't` → `don`, `t`; `iphone15` → `iphone15`, `iphon`, `15`."""
    pieces = [piece for piece in _APOSTROPHE.split(run) if piece]
    if len(pieces) > 1 and pieces[-1] == "s":
        pieces.pop()
    terms: list[str] = []
    for piece in pieces:
        parts = _LETTERS_OR_DIGITS.findall(piece)
        if len(parts) > 1:
            terms.append(piece[:_WORD_CHARACTERS_MAX])
        terms.extend(_stemmer.stemWord(part)[:_WORD_CHARACTERS_MAX] for part in parts)
    return tuple(terms)
