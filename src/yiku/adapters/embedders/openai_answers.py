"""Which vectors does the answer of `POST /embeddings` hold? Nothing in it is believed before it is checked."""

from __future__ import annotations

import json
from typing import Any

from yiku.model.errors import EmbedderUnavailable

ANSWER_BYTES_MAX = 1024 * 1024
"""Of an answer, apart from its vectors."""
VECTOR_BYTES_MAX = 256 * 1024
"""Of one vector as JSON: 8,192 numbers in full length."""


def raw_vectors(body: bytes, *, count: int) -> list[list[Any]]:
    """The `count` vectors in the order of the texts, each still to be checked, or `EmbedderUnavailable`."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _malformed("is not JSON") from error
    entries = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise _malformed("has no list 'data' of vectors")
    if len(entries) != count:
        raise _malformed(f"has {len(entries)} vectors for {count} texts")
    vectors = dict(_indexed(position, entry) for position, entry in enumerate(entries))
    if vectors.keys() != set(range(count)):
        raise _malformed("does not say which vector belongs to which text ('index')")
    return [vectors[index] for index in range(count)]


def _indexed(position: int, entry: dict[str, Any]) -> tuple[int, list[Any]]:
    """Servers that give no index keep the order."""
    index, vector = entry.get("index", position), entry.get("embedding")
    if type(index) is not int or not isinstance(vector, list):
        raise _malformed("has an entry without a list 'embedding' or with an 'index' that is no number")
    return index, vector


def _malformed(problem: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        f"The answer of the embedding service {problem}: check that the base URL is that of an OpenAI-compatible API."
    )
