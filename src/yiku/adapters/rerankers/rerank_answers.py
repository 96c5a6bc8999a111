"""Which scores does the answer of a rerank call hold? Nothing in it is believed before it is checked."""

from __future__ import annotations

import json
import math
from typing import Any

from yiku.model.errors import RerankerUnavailable

ANSWER_BYTES_MAX = 64 * 1024
"""Of an answer, apart from its documents."""


def scores_of(body: bytes, *, count: int) -> list[float]:
    """The `count` scores in the order of the documents, or `RerankerUnavailable`."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _malformed("is not JSON") from error
    entries = next((found for name in ("results", "data") if (found := _entries(answer, name)) is not None), None)
    if entries is None:
        raise _malformed("has no list 'results'")
    scores = dict(_indexed(entry) for entry in entries)
    if len(entries) != count or scores.keys() != set(range(count)):
        raise _malformed(f"does not give {count} documents a score each")
    return [scores[place] for place in range(count)]


def _entries(answer: Any, name: str) -> list[dict[str, Any]] | None:
    entries = answer.get(name) if isinstance(answer, dict) else None
    whole = isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries)
    return entries if whole else None


def _indexed(entry: dict[str, Any]) -> tuple[int, float]:
    index, score = entry.get("index"), entry.get("relevance_score", entry.get("score"))
    if type(index) is not int or isinstance(score, bool) or not isinstance(score, int | float):
        raise _malformed("has a result without a number as 'index' or 'relevance_score'")
    try:
        value = float(score)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise _malformed("has a score that is not finite")
    return index, value


def _malformed(problem: str) -> RerankerUnavailable:
    return RerankerUnavailable(f"The answer of the reranker {problem}: check that its URL is that of a rerank call.")
