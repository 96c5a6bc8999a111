"""An embedder that keeps what it has made in an ignored folder, so that a second run of a benchmark is quick."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from yiku.model.records import Embedding
from yiku.ports import Embedder

CACHE = Path(__file__).parents[1] / ".cache" / "embeddings.db"


class KeptEmbeddings:
    """An `Embedder` in front of another, with a cache by model, purpose and content."""

    def __init__(self, inner: Embedder) -> None:
        CACHE.parent.mkdir(exist_ok=True)
        self._inner = inner
        self._cache = sqlite3.connect(CACHE, isolation_level=None)
        self._cache.execute("PRAGMA journal_mode=WAL")
        self._cache.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    async def embed_query(self, text: str) -> Embedding:
        kept = self._kept("query", text)
        if kept is None:
            kept = await self._inner.embed_query(text)
            self._keep("query", text, kept)
        return kept

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        missing = [text for text in dict.fromkeys(texts) if self._kept("passage", text) is None]
        for text, made in zip(missing, await self._inner.embed_passages(missing), strict=True):
            self._keep("passage", text, made)
        found = [self._kept("passage", text) for text in texts]
        return [embedding for embedding in found if embedding is not None]

    async def close(self) -> None:
        self._cache.close()
        await self._inner.close()

    def _kept(self, purpose: str, text: str) -> Embedding | None:
        row = self._cache.execute("SELECT vector FROM kept WHERE key = ?", (self._key(purpose, text),)).fetchone()
        return Embedding(self.model, np.frombuffer(row[0], dtype=np.float32)) if row else None

    def _keep(self, purpose: str, text: str, embedding: Embedding) -> None:
        vector = embedding.values.astype(np.float32).tobytes()
        self._cache.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (self._key(purpose, text), vector))

    def _key(self, purpose: str, text: str) -> bytes:
        return hashlib.blake2b(f"{self.model}\x00{purpose}\x00{text}".encode(), digest_size=16).digest()
