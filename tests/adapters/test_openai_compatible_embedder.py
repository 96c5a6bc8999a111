"""The embedding service elsewhere: a real HTTP server on a real socket stands in for it."""

from __future__ import annotations

import asyncio
import json
import math
import socket
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import fields
from typing import Any

import httpx
import numpy as np
import pytest
from starlette.responses import JSONResponse, Response

from tests.adapters.json_service import KEY, TEXT, JsonService, refusal, running
from yiku.adapters.embedders import OpenAICompatibleEmbedder
from yiku.adapters.http_endpoint import Access
from yiku.model.errors import EmbedderUnavailable, InvalidInput


def vector_of(text: str) -> list[float]:
    return [float(len(text)), 1.0, 0.0]


def direction_of(text: str) -> list[float]:
    return [value / math.hypot(len(text), 1) for value in vector_of(text)]


def honest(question: dict[str, Any]) -> Response:
    """The right vectors, in reverse order."""
    data = [{"index": index, "embedding": vector_of(text)} for index, text in enumerate(question["input"])]
    return JSONResponse({"data": data[::-1], "model": question["model"]})


def batches(service: JsonService) -> list[list[str]]:
    return [question["input"] for question in service.questions]


@pytest.fixture
async def service() -> AsyncIterator[JsonService]:
    """Questions with 'wait' in them wait for `released`."""
    async with running(honest) as service:
        service.hangs = lambda question: any("wait" in text for text in question["input"])
        yield service


Open = Callable[..., AbstractAsyncContextManager[OpenAICompatibleEmbedder]]


@pytest.fixture
def opened(service: JsonService) -> Open:
    @asynccontextmanager
    async def opened(**changes: Any) -> AsyncIterator[OpenAICompatibleEmbedder]:
        access: dict[str, Any] = {
            "url": service.url,
            "api_key": KEY,
            "model": "some-model",
            "timeout_s": 30.0,
            "sleep": service.pause,
            "chance": lambda: 1.0,
        }
        given = {field.name for field in fields(Access)} & changes.keys()
        access |= {name: changes.pop(name) for name in given}
        embedder = OpenAICompatibleEmbedder(Access(**access), **({"text_characters": 100} | changes))
        yield embedder
        await embedder.close()

    return opened


def vectors(*embeddings: Any) -> Response:
    data = [{"index": index, "embedding": embedding} for index, embedding in enumerate(embeddings)]
    return Response(json.dumps({"data": data}))


async def test_texts_go_in_batches_and_come_back_as_unit_vectors_in_order(service: JsonService, opened: Open) -> None:
    texts = ["忆" * length for length in range(1, 8)]
    async with opened(batch_size=3) as embedder:
        embeddings = await embedder.embed_passages(texts)
    assert sorted(batches(service)) == [texts[:3], texts[3:6], texts[6:]]
    for text, embedding in zip(texts, embeddings, strict=True):
        assert embedding.values.dtype == np.float32
        assert embedding.values.tolist() == pytest.approx(direction_of(text), abs=1e-6)
    assert service.questions[0].keys() == {"model", "input", "encoding_format"}
    assert set(service.keys) == {f"Bearer {KEY}"}


async def test_no_texts_cause_no_request_and_no_key_no_header(service: JsonService, opened: Open) -> None:
    async with opened(api_key=None) as embedder:
        assert await embedder.embed_passages([]) == []
        await embedder.embed_query("a")
    assert service.keys == [None]


async def test_prefixes_are_put_before_what_is_left_of_a_long_text(service: JsonService, opened: Open) -> None:
    async with opened(query_prefix="Q: ", passage_prefix="P: ", text_characters=9) as embedder:
        await embedder.embed_query("ab" * 50)
        await embedder.embed_passages(["ab" * 50])
    assert batches(service) == [["Q: ab\nababab"], ["P: ababababa"]]


async def test_a_text_of_blanks_is_sent_as_something_that_services_accept(service: JsonService, opened: Open) -> None:
    async with opened() as embedder:
        assert len(await embedder.embed_passages(["", " \n"])) == 2
    assert all(text.strip() for text in batches(service)[0])


async def test_dimensions_are_learned_from_the_first_answer_and_sent_only_when_given(
    service: JsonService, opened: Open
) -> None:
    async with opened() as embedder:
        with pytest.raises(EmbedderUnavailable, match="not known yet"):
            _ = embedder.dimensions
        await embedder.ready()
        await embedder.ready()
        assert (embedder.dimensions, embedder.model) == (3, "some-model/3")
        assert len(service.questions) == 1
        service.answers.append(vectors([1.0, 0.0]))
        with pytest.raises(EmbedderUnavailable, match="3 dimensions"):
            await embedder.embed_query("a")
    async with opened(dimensions=3) as embedder:
        assert (await embedder.embed_query("a")).model == embedder.model == "some-model/3"
    assert service.questions[-1]["dimensions"] == 3


async def test_another_passage_prefix_is_another_identity_but_another_query_prefix_is_not(opened: Open) -> None:
    async with opened(dimensions=3) as plain, opened(dimensions=3, passage_prefix="passage: ") as prefixed:
        assert plain.model != prefixed.model
    async with opened(dimensions=3, query_prefix="query: ") as asking:
        assert plain.model == asking.model


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
async def test_a_passing_failure_is_tried_again(service: JsonService, opened: Open, status: int) -> None:
    service.answers += [refusal(status), refusal(status)]
    async with opened() as embedder:
        assert len(await embedder.embed_passages(["a"])) == 1
    assert len(service.questions) == 3
    assert service.pauses == [0.5, 1.0]


async def test_pauses_are_spread_over_their_whole_length(service: JsonService, opened: Open) -> None:
    service.answers += [refusal(503), refusal(503)]
    async with opened(chance=lambda: 0.25) as embedder:
        await embedder.embed_query("a")
    assert service.pauses == [0.125, 0.25]


@pytest.mark.parametrize(
    ("retry_after", "pause_s"),
    [
        ("7", 7.0),
        ("86400", 20.0),
        ("Wed, 01 Jan 2003 00:00:00 GMT", 0.0),
        ("Wed, 01 Jan 2203 00:00:00 GMT", 20.0),
        ("soon", 0.5),
    ],
)
async def test_the_pause_that_a_service_asks_for_is_kept_within_bounds(
    service: JsonService, opened: Open, retry_after: str, pause_s: float
) -> None:
    service.answers.append(refusal(429, **{"Retry-After": retry_after}))
    async with opened() as embedder:
        await embedder.embed_query("a")
    assert service.pauses == [pause_s]


async def test_after_the_last_attempt_the_error_says_when_to_come_back(service: JsonService, opened: Open) -> None:
    service.answers += [refusal(429, **{"Retry-After": "7"})] * 2
    async with opened(attempts=2) as embedder:
        with pytest.raises(EmbedderUnavailable, match="HTTP 429") as raised:
            await embedder.embed_query("a")
    assert raised.value.retry_after_s == 7
    assert (len(service.questions), service.pauses) == (2, [7.0])


@pytest.mark.parametrize(
    ("status", "what_to_check"), [(400, "dimensions"), (401, "key"), (403, "key"), (404, "base URL"), (302, "base URL")]
)
async def test_a_refusal_is_not_tried_again_and_says_what_to_check_without_key_or_text(
    service: JsonService, opened: Open, status: int, what_to_check: str
) -> None:
    service.answers.append(refusal(status))
    async with opened() as embedder:
        with pytest.raises(EmbedderUnavailable, match=what_to_check) as raised:
            await embedder.embed_passages([TEXT])
    assert (len(service.questions), service.pauses) == (1, [])
    assert "some-model" in raised.value.message
    whole = "".join(traceback.format_exception(raised.value))
    assert KEY not in whole
    assert TEXT not in whole


async def test_a_service_that_is_not_there_is_tried_again_and_then_reported(service: JsonService, opened: Open) -> None:
    with socket.socket() as bound:  # Nobody listens on it.
        bound.bind(("127.0.0.1", 0))
        async with opened(url=f"http://127.0.0.1:{bound.getsockname()[1]}", attempts=3) as embedder:
            with pytest.raises(EmbedderUnavailable, match="cannot be reached") as raised:
                await embedder.embed_query(TEXT)
    assert service.pauses == [0.5, 1.0]
    assert KEY not in "".join(traceback.format_exception(raised.value))


async def test_a_service_that_does_not_answer_is_tried_again_and_then_reported(
    service: JsonService, opened: Open
) -> None:
    async with opened(timeout_s=0.05, attempts=2) as embedder:
        with pytest.raises(EmbedderUnavailable, match="did not answer"):
            await embedder.embed_query("wait")
    assert len(service.pauses) == 1


async def test_a_call_ends_at_its_deadline_however_many_attempts_are_left(service: JsonService, opened: Open) -> None:
    async with opened(query_deadline_s=0.05, passages_deadline_s=0.05) as embedder:
        with pytest.raises(EmbedderUnavailable, match="in time"):
            await embedder.embed_query("wait")
        with pytest.raises(EmbedderUnavailable, match="in time"):
            await embedder.embed_passages(["wait"])
    assert service.pauses == []


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (Response("<html>welcome</html>"), "not JSON"),
        (Response(b"\xff\xfe\x00"), "not JSON"),
        (Response("[" * 100_000), "not JSON"),
        (JSONResponse(["data"]), "no list 'data'"),
        (JSONResponse({"data": [1]}), "no list 'data'"),
        (vectors(), "0 vectors for 1 texts"),
        (vectors([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), "2 vectors for 1 texts"),
        (JSONResponse({"data": [{"index": 1, "embedding": [1.0, 0.0, 0.0]}]}), "which vector belongs"),
        (JSONResponse({"data": [{"index": "0", "embedding": [1.0, 0.0, 0.0]}]}), "'index'"),
        (JSONResponse({"data": [{"index": 0, "embedding": "AACAPwAAAAA="}]}), "'embedding'"),
        (vectors([1.0, 0.0]), "3 dimensions"),
        (vectors([]), "3 dimensions"),
        (vectors([[1.0, 0.0, 0.0]]), "3 dimensions"),
        (vectors([1.0, [0.0], 0.0]), "not a list of numbers"),
        (vectors(["one", "two", "three"]), "not a list of numbers"),
        (vectors([10**400, 0, 0]), "not a list of numbers"),
        (vectors([1.0, math.nan, 0.0]), "not finite"),
        (vectors([1.0, math.inf, 0.0]), "not finite"),
        (vectors([0.0, 0.0, 0.0]), "zeros"),
        (Response(b" " * 2_000_000), "more than"),
        (Response(b"no gzip", headers={"content-encoding": "gzip"}), "damaged"),
    ],
)
async def test_an_answer_that_cannot_be_used_is_an_error_that_says_so(
    service: JsonService, opened: Open, answer: Response, problem: str
) -> None:
    service.answers.append(answer)
    async with opened(dimensions=3) as embedder:
        with pytest.raises(EmbedderUnavailable, match=problem):
            await embedder.embed_query("a")
    assert service.pauses == []


async def test_very_large_and_very_small_numbers_still_give_a_unit_vector(service: JsonService, opened: Open) -> None:
    service.answers += [vectors([3e300, 4e300, 0]), vectors([3e-300, 4e-300, 0])]
    async with opened() as embedder:
        for _ in range(2):
            assert (await embedder.embed_query("a")).values.tolist() == pytest.approx([0.6, 0.8, 0.0])


async def test_an_answer_without_indices_is_in_the_order_of_the_texts(service: JsonService, opened: Open) -> None:
    service.answers.append(JSONResponse({"data": [{"embedding": [1, 0]}, {"embedding": [0, 1]}]}))
    async with opened() as embedder:
        embeddings = await embedder.embed_passages(["a", "b"])
    assert [embedding.values.tolist() for embedding in embeddings] == [[1, 0], [0, 1]]


async def test_one_batch_that_fails_fails_the_call(service: JsonService, opened: Open) -> None:
    service.answers.append(refusal(400))
    async with opened(batch_size=1) as embedder:
        with pytest.raises(EmbedderUnavailable, match="HTTP 400"):
            await embedder.embed_passages(["a", "b", "c"])


async def test_a_question_does_not_wait_for_passages_of_which_few_are_in_flight(
    service: JsonService, opened: Open
) -> None:
    async with opened(batch_size=1) as embedder:
        passages = asyncio.create_task(embedder.embed_passages([f"wait {number}" for number in range(10)]))
        for _ in range(4):
            await service.waiting.get()
        await embedder.embed_query("a")
        assert not passages.done()
        assert len(service.questions) == 4 + 1
        service.released.set()
        assert len(await passages) == 10


async def test_closing_ends_a_running_call_with_an_error_and_refuses_later_ones(
    service: JsonService, opened: Open
) -> None:
    async with opened() as embedder:
        call = asyncio.create_task(embedder.embed_query("wait"))
        await service.waiting.get()
        await embedder.close()
        await embedder.close()
        with pytest.raises(EmbedderUnavailable, match="stopping"):
            await call
        with pytest.raises(EmbedderUnavailable, match="stopping"):
            await embedder.embed_passages(["a"])


async def test_a_client_that_was_given_stays_open(service: JsonService, opened: Open) -> None:
    async with httpx.AsyncClient() as client:
        async with opened(client=client) as embedder:
            await embedder.embed_query("a")
        assert not client.is_closed


@pytest.mark.parametrize("base_url", ["", "localhost:8000/v1", "ftp://host/v1", "http://", "http://[::1"])
def test_a_base_url_that_is_none_is_refused_at_once(base_url: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        OpenAICompatibleEmbedder(Access(url=base_url, api_key=None, model="m", timeout_s=1), text_characters=100)
    assert raised.value.field == "url"


@pytest.mark.parametrize("key", [f"{KEY}\n", f" {KEY}", f"{KEY}密"])
def test_a_key_that_cannot_be_sent_is_refused_without_repeating_it(key: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        OpenAICompatibleEmbedder(
            Access(url="http://localhost/v1", api_key=key, model="m", timeout_s=1), text_characters=100
        )
    assert raised.value.field == "api_key"
    assert KEY not in "".join(traceback.format_exception(raised.value))
