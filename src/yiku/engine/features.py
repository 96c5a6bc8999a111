"""What a search reads of a record, as bytes: its terms with their counts, its vector small, and its setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from yiku.engine.settings import packed_setting
from yiku.engine.vectors import quantised
from yiku.model.records import Record
from yiku.model.tokens import index_terms, length_of

TERM = np.dtype([("term", "<u8"), ("count", "<u2")])
"""One entry of the `terms` blob. Terms are stored as hashes: 64 bits do not collide at our sizes and cost no text."""
_COUNT_MAX = 65_535


@dataclass(frozen=True, slots=True)
class Feature:
    """`length` is None without a text, the last four are None without a vector; see `engine.settings`."""

    terms: bytes
    length: int | None
    setting: bytes
    speaker: str | None
    model: str | None = None
    scale: float | None = None
    vector: bytes | None = None
    half: bytes | None = None


def feature_of(record: Record) -> Feature | None:
    """None when no search could find the record."""
    if record.text is None and record.embedding is None:
        return None
    terms, length = (b"", None) if record.text is None else text_feature(record.text)
    setting, speaker = packed_setting(record), record.setting.speaker if record.setting else None
    if record.embedding is None:
        return Feature(terms, length, setting, speaker)
    small, scale = quantised(record.embedding.values)
    half = record.embedding.values.astype(np.float16)
    return Feature(terms, length, setting, speaker, record.embedding.model, scale, small.tobytes(), half.tobytes())


def text_feature(text: str) -> tuple[bytes, int]:
    """The `terms` blob of a text and its number of words."""
    counts = index_terms(text)
    entries = np.empty(len(counts), TERM)
    entries["term"] = term_hashes(tuple(counts))
    entries["count"] = np.minimum(np.fromiter(counts.values(), np.int64, len(counts)), _COUNT_MAX)
    return entries.tobytes(), length_of(counts)


def term_hashes(terms: Sequence[str]) -> NDArray[np.uint64]:
    return np.fromiter(map(_term_hash, terms), np.uint64, len(terms))


@lru_cache(maxsize=65_536)
def _term_hash(term: str) -> int:
    """Stored on disk, so it must be the same in every process and version: not Python's `hash()`."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little")
