"""A reranking model elsewhere: `{model, query, documents, top_n}` → `{results: [{index, relevance_score}]}`.

The call that Cohere and Jina have in common, and vLLM, SiliconFlow, Xinference, OpenVINO and others took over; its path
differs (`/v1/rerank`, `/v2/rerank`, `/reranks`), so the whole address is given. Voyage and Pinecone say `data` for
`results`, some `score` for `relevance_score`; both are understood.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from yiku.adapters.deadlines import deadline
from yiku.adapters.http_endpoint import Access, HttpEndpoint, Service
from yiku.adapters.rerankers.rerank_answers import ANSWER_BYTES_MAX, scores_of
from yiku.model.errors import RerankerUnavailable

_CALLS_IN_FLIGHT_MAX = 4
_QUERY_CHARACTERS_MAX = 2_000
_TEXT_CHARACTERS_MAX = 2_000
"""Reranking models read 512 to 8,192 tokens of question and document together, and some refuse what is longer."""
_BLANK = "."

_SERVICE = Service(
    name="reranker",
    unavailable=RerankerUnavailable,
    refused="refused the request: check its URL, the name of the model and the key",
    what_to_check={},
)


class HttpReranker:
    """The `timeout_s` of `access` bounds a whole call: somebody waits for this search."""

    def __init__(self, access: Access) -> None:
        self._endpoint = HttpEndpoint(_SERVICE, access)
        self._model = access.model
        self._timeout_s = access.timeout_s
        self._slots = asyncio.Semaphore(_CALLS_IN_FLIGHT_MAX)

    @property
    def model(self) -> str:
        return self._model

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        question = {
            "query": query[:_QUERY_CHARACTERS_MAX],
            "documents": [text[:_TEXT_CHARACTERS_MAX].strip() or _BLANK for text in texts],
            "top_n": len(texts),
        }
        # Some repeat the documents in their answer, each character escaped.
        bytes_max = ANSWER_BYTES_MAX + len(texts) * _TEXT_CHARACTERS_MAX * 12
        within = deadline(self._timeout_s, message=self._endpoint.too_slow, unavailable=RerankerUnavailable)
        async with within, self._slots:
            body = await self._endpoint.post(question, answer_bytes_max=bytes_max)
        return scores_of(body, count=len(texts))

    async def close(self) -> None:
        await self._endpoint.close()
