"""Which sentences of a passage show best that it answers?"""

from __future__ import annotations

import re
from collections.abc import Set
from itertools import pairwise

from yiku.core.knowledge.cuts import SENTENCE
from yiku.model.tokens import index_terms, query_terms

EXCERPT_CHARACTERS = 800
_LINE_END = re.compile(r"\n+")
_TERMS_MAX = 64
"""Of the question; more would not change which sentences are chosen."""


def excerpt_of(content: str, question: str, *, characters_max: int = EXCERPT_CHARACTERS) -> tuple[int, str]:
    """Where the excerpt begins in the passage, and whole sentences of it, without blanks around them.

    Of a passage that is too long those that stand together and have most words of the question. A sentence that is too
    long itself is cut.
    """
    start, end = _stripped(content, 0, len(content))
    if end - start > characters_max:
        terms = query_terms(question, limit=_TERMS_MAX)
        start, end = _best_window(content, frozenset(terms.words + terms.lone_characters), characters_max)
    return start, content[start:end]


def _best_window(content: str, terms: Set[str], characters_max: int) -> tuple[int, int]:
    """The sentences in a row with most of the terms, the first such row where several have."""
    sentences = _sentences(content)
    found = [terms & index_terms(content[start:end]).keys() for start, end in sentences]
    windows: list[tuple[int, int, int]] = []
    for first, (start, _) in enumerate(sentences):
        last = first
        while last + 1 < len(sentences) and sentences[last + 1][1] - start <= characters_max:
            last += 1
        windows.append((len(frozenset().union(*found[first : last + 1])), start, sentences[last][1]))
    _, start, end = max(windows, key=lambda window: window[0])
    return start, min(end, start + characters_max)


def _sentences(content: str) -> list[tuple[int, int]]:
    """In the order of the text, without the blanks around each; those that say nothing are left out."""
    ends = {match.end() for pattern in (SENTENCE, _LINE_END) for match in pattern.finditer(content)}
    spans = (_stripped(content, start, end) for start, end in pairwise(sorted({0, len(content)} | ends)))
    return [(start, end) for start, end in spans if start < end]


def _stripped(content: str, start: int, end: int) -> tuple[int, int]:
    while start < end and content[start].isspace():
        start += 1
    while start < end and content[end - 1].isspace():
        end -= 1
    return start, end
