"""An embedding service elsewhere that speaks OpenAI's `POST {base_url}/embeddings`."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from itertools import chain
from typing import Any

from yiku.adapters.deadlines import deadline
from yiku.adapters.embedders.cutting import beginning, both_ends
from yiku.adapters.embedders.openai_answers import ANSWER_BYTES_MAX, VECTOR_BYTES_MAX, raw_vectors
from yiku.adapters.embedders.unit_vectors import unit_embedding
from yiku.adapters.http_endpoint import Access, HttpEndpoint, Service
from yiku.model.errors import EmbedderUnavailable
from yiku.model.records import Embedding

_REQUESTS_IN_FLIGHT_MAX = 4
"""For passages, and again as many for questions: they never queue behind ingestion."""

_BLANK = "."
"""Stands for a text of blanks: several services refuse an empty input, and with it the whole batch."""

_SERVICE = Service(
    name="embedding service",
    unavailable=EmbedderUnavailable,
    refused="refused the request: check the base URL, the name of the model, its dimensions and the key",
    what_to_check={
        413: "found the request too large: lower the batch size or the characters of a text in the settings"
    },
)


class OpenAICompatibleEmbedder:
    """The `timeout_s` of `access` bounds one request, the deadlines a whole call with its retries.

    `dimensions` is sent only when given, since many services refuse it; otherwise it is learned from the first answer,
    for which `ready` asks.
    """

    def __init__(
        self,
        access: Access,
        *,
        text_characters: int,
        dimensions: int | None = None,
        batch_size: int = 64,
        query_deadline_s: float = 10.0,
        passages_deadline_s: float = 60.0,
        query_prefix: str = "",
        passage_prefix: str = "",
    ) -> None:
        self._endpoint = HttpEndpoint(_SERVICE, access, path="/embeddings")
        self._model = access.model
        self._asked_dimensions = dimensions
        self._dimensions = dimensions
        self._batch_size = batch_size
        self._query_deadline_s = query_deadline_s
        self._passages_deadline_s = passages_deadline_s
        self._query_prefix = query_prefix
        self._passage_prefix = passage_prefix
        self._text_characters = text_characters
        self._query_slots = asyncio.Semaphore(_REQUESTS_IN_FLIGHT_MAX)
        self._passage_slots = asyncio.Semaphore(_REQUESTS_IN_FLIGHT_MAX)

    @property
    def model(self) -> str:
        return self._identity(self.dimensions)

    @property
    def dimensions(self) -> int:
        if self._dimensions is None:
            raise EmbedderUnavailable(
                f"The dimensions of the embedding model '{self._model}' are not known yet, because it has not answered "
                "so far: wait for it, or name them in the settings."
            )
        return self._dimensions

    async def ready(self) -> None:
        """Learns the dimensions where they are not given. Fails as any call may; asking again later is fine."""
        if self._dimensions is None:
            await self.embed_passages([_BLANK])

    async def embed_query(self, text: str) -> Embedding:
        async with self._deadline(self._query_deadline_s):
            [embedding] = await self._embed([text], self._prepared_query, self._query_slots)
        return embedding

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        batches = [texts[start : start + self._batch_size] for start in range(0, len(texts), self._batch_size)]
        try:
            async with self._deadline(self._passages_deadline_s), asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._embed(batch, self._prepared_passage, self._passage_slots))
                    for batch in batches
                ]
        except ExceptionGroup as failures:  # The other batches are cancelled; one reason is enough for a caller.
            raise failures.exceptions[0] from failures
        return list(chain.from_iterable(task.result() for task in tasks))

    async def close(self) -> None:
        await self._endpoint.close()

    def _deadline(self, seconds: float) -> AbstractAsyncContextManager[None]:
        return deadline(seconds, message=self._endpoint.too_slow, unavailable=EmbedderUnavailable)

    async def _embed(
        self, texts: Sequence[str], prepared: Callable[[str], str], slots: asyncio.Semaphore
    ) -> list[Embedding]:
        async with slots:
            body = await self._request([prepared(text) for text in texts])
        # An answer is megabytes of digits: reading it on the event loop would hold up everybody.
        vectors = await asyncio.to_thread(raw_vectors, body, count=len(texts))
        return [self._checked(vector) for vector in vectors]

    def _prepared_query(self, text: str) -> str:
        return self._query_prefix + both_ends(text.strip() or _BLANK, characters=self._text_characters)

    def _prepared_passage(self, text: str) -> str:
        return self._passage_prefix + beginning(text.strip() or _BLANK, characters=self._text_characters)

    def _checked(self, vector: list[Any]) -> Embedding:
        """Every vector has as many dimensions as were asked for, or as the first one had."""
        dimensions = self._dimensions or len(vector)
        embedding = unit_embedding(vector, model=self._identity(dimensions), dimensions=dimensions)
        self._dimensions = dimensions
        return embedding

    def _identity(self, dimensions: int) -> str:
        """Model, dimensions and, where there is one, a mark of the passage prefix, which moves every stored vector.

        Not the host: the same model behind another address gives the same vectors, and moving a gateway must not cost
        a new embedding of everything. Nor the query prefix: it moves no stored vector.
        """
        mark = hashlib.sha256(self._passage_prefix.encode()).hexdigest()[:8]
        return f"{self._model}/{dimensions}" + (f"/{mark}" if self._passage_prefix else "")

    async def _request(self, texts: list[str]) -> bytes:
        question: dict[str, object] = {"input": texts, "encoding_format": "float"}
        if self._asked_dimensions is not None:
            question["dimensions"] = self._asked_dimensions
        return await self._endpoint.post(question, answer_bytes_max=ANSWER_BYTES_MAX + len(texts) * VECTOR_BYTES_MAX)
