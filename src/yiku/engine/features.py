"""What a search reads of a record, as bytes: its terms with their counts, its vector small, and its setting."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yiku.engine.settings import packed_setting
from yiku.engine.vectors import quantised
from yiku.model.records import Record
from yiku.model.tokens import index_terms, length_of

TERM = np.dtype([("term", "<u8"), ("count", "<u2")])
"""One entry of the `terms` blob. Terms are stored as hashes: 64 bits do not collide at our sizes and cost no text."""
_COUNT_MAX = 65_535
_HASH_BYTES, _COUNT_BYTES = TERM["term"].itemsize, TERM["count"].itemsize
_HASH = blake2b(digest_size=_HASH_BYTES)
"""Copied for each term: to begin anew costs twice as much."""
_ENTRIES_KEPT = 65_536


class Feature(NamedTuple):
    """`length` is None without a text, the last four are None without a vector; see `engine.settings`."""

    terms: bytes
    length: int | None
    setting: bytes
    speaker: str | None
    model: str | None = None
    scale: float | None = None
    vector: bytes | None = None
    half: bytes | None = None


def features_of(records: Sequence[Record]) -> list[Feature | None]:
    """None for each that no search could find. Vectors are made small together: numpy is slow to start."""
    small = iter(_small([record.embedding.values for record in records if record.embedding is not None]))
    return [
        None
        if record.text is None and record.embedding is None
        else _feature(record, None if record.embedding is None else next(small))
        for record in records
    ]


def _feature(record: Record, vector: _SmallVector | None) -> Feature:
    terms, length = (b"", None) if record.text is None else text_feature(record.text)
    setting, speaker = packed_setting(record), record.setting.speaker if record.setting else None
    if vector is None or record.embedding is None:
        return Feature(terms, length, setting, speaker)
    return Feature(terms, length, setting, speaker, record.embedding.model, *vector)


_SmallVector = tuple[float, bytes, bytes]
"""Scale, int8 and float16."""


def _small(vectors: Sequence[NDArray[np.float32]]) -> list[_SmallVector]:
    if len({len(values) for values in vectors}) > 1:
        return [small for values in vectors for small in _small([values])]
    if not vectors:
        return []
    matrix = np.stack(vectors)
    small, scales = quantised(matrix)
    halves = matrix.astype(np.float16)
    return [
        (scale, row.tobytes(), half.tobytes()) for scale, row, half in zip(scales.tolist(), small, halves, strict=True)
    ]


def text_feature(text: str) -> tuple[bytes, int]:
    """The `terms` blob of a text and its number of words."""
    counts = index_terms(text)
    # Put together from pieces that are kept: for so few terms an array costs more than all the rest.
    entries = [
        entry if count == 1 else entry[:_HASH_BYTES] + _count_bytes(count)
        for entry, count in zip(map(_entries.__getitem__, counts), counts.values(), strict=True)
    ]
    return b"".join(entries), length_of(counts)


def term_hashes(terms: Sequence[str]) -> NDArray[np.uint64]:
    return np.frombuffer(b"".join(map(_entries.__getitem__, terms)), TERM)["term"].astype(np.uint64)


def _count_bytes(count: int) -> bytes:
    return min(count, _COUNT_MAX).to_bytes(_COUNT_BYTES, "little")


_ONCE = _count_bytes(1)


class _Entries(dict[str, bytes]):
    """The entry of each term for when it stands there once.

    Its hash is stored on disk, so it must be the same in every process and version: not Python's `hash()`. Emptied
    when it is full: an `lru_cache` writes down every use, which takes longer than all of these look-ups.
    """

    def __missing__(self, term: str) -> bytes:
        if len(self) >= _ENTRIES_KEPT:
            self.clear()
        state = _HASH.copy()
        state.update(term.encode())
        entry = self[term] = state.digest() + _ONCE
        return entry


_entries = _Entries()
