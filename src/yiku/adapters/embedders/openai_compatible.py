"""An embedding service elsewhere that speaks OpenAI's `POST {base_url}/embeddings`.

No message of ours holds the key, a text, or words of the service (some repeat the key in their errors).
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any

import httpx

from yiku.adapters.embedders.cutting import beginning, both_ends
from yiku.adapters.embedders.deadlines import deadline
from yiku.adapters.embedders.openai_answers import ANSWER_BYTES_MAX, VECTOR_BYTES_MAX, raw_vectors
from yiku.adapters.embedders.retries import PassingFailure, Retries, seconds_asked
from yiku.adapters.embedders.unit_vectors import unit_embedding
from yiku.model.errors import EmbedderUnavailable, InvalidInput
from yiku.model.records import Embedding

_REQUESTS_IN_FLIGHT_MAX = 4
"""For passages, and again as many for questions: they never queue behind ingestion."""

_PASSING_STATUSES = frozenset({408, 409, 429})

_BLANK = "."
"""Stands for a text of blanks: several services refuse an empty input, and with it the whole batch."""

_WHAT_TO_CHECK = {
    401: "refused the API key: check the key in the settings",
    403: "refused the API key: check that the key may use this model",
    404: "does not know this address or model: check the base URL and the name of the model",
    413: "found the request too large: lower the batch size or the characters of a text in the settings",
}


class OpenAICompatibleEmbedder:
    """`timeout_s` bounds one request, the deadlines a whole call with its retries.

    `dimensions` is sent only when given, since many services refuse it; otherwise it is learned from the first answer,
    for which `ready` asks. A client that is given stays open; its pool needs room for eight connections.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str | None,
        model: str,
        text_characters: int,
        dimensions: int | None = None,
        batch_size: int = 64,
        timeout_s: float = 30.0,
        attempts: int = 4,
        query_deadline_s: float = 10.0,
        passages_deadline_s: float = 60.0,
        query_prefix: str = "",
        passage_prefix: str = "",
        client: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._url = _checked_url(base_url)
        self._headers = _headers(api_key)
        self._model = model
        self._asked_dimensions = dimensions
        self._dimensions = dimensions
        self._batch_size = batch_size
        self._timeout_s = timeout_s
        self._retries = Retries(attempts=attempts, sleep=sleep, chance=chance)
        self._query_deadline_s = query_deadline_s
        self._passages_deadline_s = passages_deadline_s
        self._query_prefix = query_prefix
        self._passage_prefix = passage_prefix
        self._text_characters = text_characters
        self._client = client or httpx.AsyncClient()
        self._owns_client = client is None
        self._query_slots = asyncio.Semaphore(_REQUESTS_IN_FLIGHT_MAX)
        self._passage_slots = asyncio.Semaphore(_REQUESTS_IN_FLIGHT_MAX)
        self._closed = False

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
        async with deadline(self._query_deadline_s, message=self._too_slow):
            [embedding] = await self._embed([text], self._prepared_query, self._query_slots)
        return embedding

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        batches = [texts[start : start + self._batch_size] for start in range(0, len(texts), self._batch_size)]
        try:
            async with deadline(self._passages_deadline_s, message=self._too_slow), asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._embed(batch, self._prepared_passage, self._passage_slots))
                    for batch in batches
                ]
        except ExceptionGroup as failures:  # The other batches are cancelled; one reason is enough for a caller.
            raise failures.exceptions[0] from failures
        return list(chain.from_iterable(task.result() for task in tasks))

    async def close(self) -> None:
        self._closed = True
        if self._owns_client:
            await self._client.aclose()

    async def _embed(
        self, texts: Sequence[str], prepared: Callable[[str], str], slots: asyncio.Semaphore
    ) -> list[Embedding]:
        async with slots:
            body = await self._retries.run(partial(self._request, [prepared(text) for text in texts]))
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
        """One attempt: the body of a good answer."""
        if self._closed:
            raise EmbedderUnavailable("The connection to the embedding service was closed: the server is stopping.")
        question: dict[str, object] = {"model": self._model, "input": texts, "encoding_format": "float"}
        if self._asked_dimensions is not None:
            question["dimensions"] = self._asked_dimensions
        try:
            async with (
                asyncio.timeout(self._timeout_s),
                self._client.stream("POST", self._url, json=question, headers=self._headers, timeout=None) as response,
            ):
                self._check_status(response)
                return await _read(response, bytes_max=ANSWER_BYTES_MAX + len(texts) * VECTOR_BYTES_MAX)
        except TimeoutError as error:
            raise PassingFailure(f"{self._service} did not answer within {self._timeout_s:g} seconds.") from error
        except httpx.TransportError as error:
            raise PassingFailure(
                f"{self._service} cannot be reached ({type(error).__name__}): check the base URL and that it runs."
            ) from error
        except httpx.DecodingError as error:
            raise EmbedderUnavailable(f"{self._service} sent a damaged answer: its compression is broken.") from error

    def _check_status(self, response: httpx.Response) -> None:
        status = response.status_code
        if status in _PASSING_STATUSES or status >= 500:
            raise PassingFailure(
                f"{self._service} is overloaded or broken (HTTP {status}): try again later.",
                pause_s=seconds_asked(response.headers.get("retry-after")),
            )
        if status != httpx.codes.OK:
            check = _WHAT_TO_CHECK.get(
                status, "refused the request: check the base URL, the name of the model, its dimensions and the key"
            )
            raise EmbedderUnavailable(f"{self._service} {check} (HTTP {status}, model '{self._model}').")

    @property
    def _service(self) -> str:
        return f"The embedding service at {self._url.host}"

    @property
    def _too_slow(self) -> str:
        return f"{self._service} did not answer in time: try again in a few seconds."


def _checked_url(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url.rstrip("/") + "/embeddings")
    except httpx.InvalidURL as error:
        raise InvalidInput("The base URL of the embedding service is not a URL.", field="base_url") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise InvalidInput(
            "The base URL of the embedding service must start with http:// or https://", field="base_url"
        )
    return url


def _headers(api_key: str | None) -> dict[str, str]:
    if api_key is None:
        return {}
    # Refused here, because the HTTP library would repeat the key in its error.
    if not (api_key.isascii() and api_key.isprintable()) or api_key != api_key.strip():
        raise InvalidInput(
            "The API key of the embedding service must be plain ASCII without blanks at its ends or line breaks.",
            field="api_key",
        )
    return {"Authorization": f"Bearer {api_key}"}


async def _read(response: httpx.Response, *, bytes_max: int) -> bytes:
    """The body, unless it is larger than any honest answer: it must not fill our memory."""
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > bytes_max:
            raise EmbedderUnavailable(
                f"The embedding service sent more than {bytes_max} bytes: check that the base URL is the right one."
            )
    return bytes(body)
