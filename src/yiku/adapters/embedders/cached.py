"""The same question again: agents repeat their searches, and a search by page embeds its query for every page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from yiku.model.records import Embedding
from yiku.ports.embedder import Embedder


class CachedQueries:
    """An embedder that remembers the vectors of the `size` questions asked last. Failures are not remembered.

    The same question asked twice at the same moment may reach the inner embedder twice: waiting for each other would
    tie the one to the deadline and the cancellation of the other.
    """

    def __init__(self, embedder: Embedder, size: int = 256) -> None:
        self._embedder = embedder
        self._size = size
        self._queries: OrderedDict[str, Embedding] = OrderedDict()

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    async def embed_query(self, text: str) -> Embedding:
        known = self._queries.get(text)
        if known is None:
            known = self._queries[text] = await self._embedder.embed_query(text)
        self._queries.move_to_end(text)
        if len(self._queries) > self._size:
            self._queries.popitem(last=False)
        return known

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        return await self._embedder.embed_passages(texts)

    async def close(self) -> None:
        self._queries.clear()
        await self._embedder.close()
