"""The bundled model, multilingual-e5-small in 4 bits, in this process: no service, no download, no key.

Two instances with a thread each: one for questions, one for passages, so that a search never waits for ingestion.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from yiku.adapters.deadlines import deadline
from yiku.adapters.embedders.cutting import beginning, both_ends
from yiku.adapters.embedders.model_thread import ModelThread
from yiku.adapters.embedders.unit_vectors import unit_embedding
from yiku.model.errors import EmbedderUnavailable
from yiku.model.records import Embedding

_DIMENSIONS = 384
_MODEL = f"multilingual-e5-small-q4/{_DIMENSIONS}"
"""Weights, quantisation and dimensions. The cut is no part of it: it decides how much of a text is read, not what a
vector means, so vectors before and after another cut remain comparable and nothing need be embedded anew."""

_QUERY_TOKENS = 80
"""Questions are shorter (57 tokens at most in LoCoMo and LifeBench). Of the dialogues of 150 tokens that MADial-Bench
pastes as a query, vectors found a right memory among the first five for 77 % at this budget, and for 70 % uncut, in
twice the time: what surrounds the last turns blurs the vector."""

_SLICE_TEXTS = 4
"""Texts in one native call. More gain a tenth in speed at most, and closing has to wait for the call that runs."""

_TOO_SLOW = "The embedding model did not answer in time, because the machine is too busy: try again in a few seconds."


class LocalEmbedder:
    """How much of a text is read: at most `text_characters`, which bounds the work of cutting, and of those as many
    tokens as given, by estimate, which bounds the work of the model.

    Calls for passages take turns slice by slice, so that a small one is not held up by a huge one; beyond
    `waiting_calls_max` of them we refuse, because they would miss their deadline anyway.
    """

    def __init__(
        self,
        *,
        text_characters: int = 8_000,
        passage_tokens: int = 256,
        query_tokens: int = _QUERY_TOKENS,
        threads: int = 1,
        query_deadline_s: float = 10.0,
        passages_deadline_s: float = 60.0,
        waiting_calls_max: int = 64,
    ) -> None:
        self._query_deadline_s = query_deadline_s
        self._passages_deadline_s = passages_deadline_s
        self._free_calls = waiting_calls_max
        self._queries = ModelThread(
            "embed-queries",
            is_query=True,
            cut=partial(both_ends, characters=text_characters, tokens=query_tokens),
            native_threads=threads,
        )
        self._passages = ModelThread(
            "embed-passages",
            is_query=False,
            cut=partial(beginning, characters=text_characters, tokens=passage_tokens),
            native_threads=1,
        )

    @property
    def model(self) -> str:
        return _MODEL

    @property
    def dimensions(self) -> int:
        return _DIMENSIONS

    async def ready(self) -> None:
        """Returns when both instances are loaded; `EmbedderUnavailable` when they cannot be."""
        async with deadline(self._passages_deadline_s, message=_TOO_SLOW, unavailable=EmbedderUnavailable):
            await asyncio.gather(self._queries.ready(), self._passages.ready())

    async def embed_query(self, text: str) -> Embedding:
        async with deadline(self._query_deadline_s, message=_TOO_SLOW, unavailable=EmbedderUnavailable):
            [vector] = await self._queries.encode([text])
        return unit_embedding(vector, model=_MODEL, dimensions=_DIMENSIONS)

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        if not texts:
            return []
        if self._free_calls == 0:
            raise EmbedderUnavailable("Too many texts wait for the embedding model: try again in a few seconds.")
        self._free_calls -= 1
        try:
            async with deadline(self._passages_deadline_s, message=_TOO_SLOW, unavailable=EmbedderUnavailable):
                return await self._embed_slices(texts)
        finally:
            self._free_calls += 1

    async def close(self) -> None:
        await asyncio.gather(self._queries.close(), self._passages.close())

    async def _embed_slices(self, texts: Sequence[str]) -> list[Embedding]:
        embeddings: list[Embedding] = []
        for start in range(0, len(texts), _SLICE_TEXTS):
            vectors = await self._passages.encode(texts[start : start + _SLICE_TEXTS])
            embeddings.extend(unit_embedding(vector, model=_MODEL, dimensions=_DIMENSIONS) for vector in vectors)
        return embeddings
