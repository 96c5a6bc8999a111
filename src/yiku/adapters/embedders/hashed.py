"""Vectors without a model, for tests only: texts that share words are near, meaning plays no part."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from yiku.adapters.embedders.unit_vectors import unit_embedding
from yiku.model.errors import EmbedderUnavailable
from yiku.model.records import Embedding
from yiku.model.tokens import index_terms


class HashedEmbedder:
    """Each word adds its count to one dimension or subtracts it, as a hash says that is the same in every process."""

    def __init__(self, dimensions: int = 64) -> None:
        self._dimensions = dimensions
        self._closed = False

    @property
    def model(self) -> str:
        return f"hashed/{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed_query(self, text: str) -> Embedding:
        [embedding] = await self.embed_passages([text])
        return embedding

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        if self._closed:
            raise EmbedderUnavailable
        return [self._embed(text) for text in texts]

    async def close(self) -> None:
        self._closed = True

    def _embed(self, text: str) -> Embedding:
        vector = np.zeros(self._dimensions)
        for term, count in index_terms(text).items():
            number = int.from_bytes(blake2b(term.encode(), digest_size=8).digest())
            sign = 1 if number & 1 else -1
            vector[(number >> 1) % self._dimensions] += sign * count
        if not vector.any():  # No words at all, or words that cancel each other out.
            vector[0] = 1.0
        return unit_embedding(vector, model=self.model, dimensions=self._dimensions)
