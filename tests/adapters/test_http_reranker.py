"""The reranker elsewhere: a real HTTP server on a real socket stands in for it."""

from __future__ import annotations

import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from tests.adapters.json_service import KEY, JsonService, refusal, running
from yiku.adapters.http_endpoint import Access
from yiku.adapters.rerankers import HttpReranker
from yiku.model.errors import InvalidInput, RerankerUnavailable


def by_length(question: dict[str, Any]) -> Response:
    """The longest document first, as services answer: sorted by score."""
    scored = [
        {"index": index, "relevance_score": len(text) / 10_000} for index, text in enumerate(question["documents"])
    ]
    return JSONResponse({"results": sorted(scored, key=lambda entry: -entry["relevance_score"])})


@pytest.fixture
async def service() -> AsyncIterator[JsonService]:
    async with running(by_length) as service:
        yield service


Open = Callable[..., AbstractAsyncContextManager[HttpReranker]]


@pytest.fixture
def opened(service: JsonService) -> Open:
    @asynccontextmanager
    async def opened(**changes: Any) -> AsyncIterator[HttpReranker]:
        access: dict[str, Any] = {
            "url": f"{service.url}/rerank",
            "api_key": KEY,
            "model": "some-model",
            "timeout_s": 30.0,
            "sleep": service.pause,
            "chance": lambda: 1.0,
        }
        reranker = HttpReranker(Access(**(access | changes)))
        yield reranker
        await reranker.close()

    return opened


async def test_scores_come_in_the_order_of_the_texts(service: JsonService, opened: Open) -> None:
    async with opened() as reranker:
        assert await reranker.rerank("住在哪", ["ab", "abcd", "a"]) == [0.0002, 0.0004, 0.0001]
    assert (service.paths, service.keys) == (["/v1/rerank"], [f"Bearer {KEY}"])
    assert service.questions == [
        {"model": "some-model", "query": "住在哪", "documents": ["ab", "abcd", "a"], "top_n": 3}
    ]


async def test_no_texts_cause_no_request(service: JsonService, opened: Open) -> None:
    async with opened() as reranker:
        assert await reranker.rerank("a", []) == []
    assert service.questions == []


async def test_long_texts_are_cut_and_blank_ones_stand_for_themselves(service: JsonService, opened: Open) -> None:
    async with opened() as reranker:
        await reranker.rerank("q" * 100_000, ["a" * 100_000, " \n"])
    [question] = service.questions
    assert len(question["query"]) == 2_000
    assert [len(text) for text in question["documents"]] == [2_000, 1]
    assert all(text.strip() for text in question["documents"])


async def test_other_names_for_the_same_things_are_understood(service: JsonService, opened: Open) -> None:
    service.answers.append(JSONResponse({"data": [{"index": 1, "score": 2}, {"index": 0, "score": -1.5}]}))
    async with opened() as reranker:
        assert await reranker.rerank("q", ["a", "b"]) == [-1.5, 2.0]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (Response("<html>"), "not JSON"),
        (JSONResponse({"results": None}), "no list 'results'"),
        (JSONResponse([1]), "no list 'results'"),
        (JSONResponse({"results": [{"index": 0, "relevance_score": 1}]}), "2 documents"),
        (JSONResponse({"results": [{"index": 0, "relevance_score": 1}] * 2}), "2 documents"),
        (JSONResponse({"results": [{"index": 0, "relevance_score": True}] * 2}), "number"),
        (JSONResponse({"results": [{"index": "0", "relevance_score": 1}] * 2}), "number"),
        (Response('{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 1}]}'), "finite"),
        (JSONResponse({"results": [{"index": 0, "score": 10**400}, {"index": 1, "score": 1}]}), "finite"),
        (Response(b" " * 2_000_000), "more than"),
    ],
)
async def test_an_answer_that_cannot_be_used_is_an_error_that_says_so(
    service: JsonService, opened: Open, answer: Response, problem: str
) -> None:
    service.answers.append(answer)
    async with opened() as reranker:
        with pytest.raises(RerankerUnavailable, match=problem):
            await reranker.rerank("q", ["a", "b"])


async def test_a_passing_failure_is_tried_again(service: JsonService, opened: Open) -> None:
    service.answers += [refusal(503), refusal(503), refusal(503)]
    async with opened() as reranker:
        with pytest.raises(RerankerUnavailable, match="HTTP 503"):
            await reranker.rerank("q", ["a"])
    assert len(service.questions) == 3


async def test_a_reranker_that_hangs_is_given_up_at_the_deadline(service: JsonService, opened: Open) -> None:
    service.hangs = lambda question: True
    async with opened(timeout_s=0.05) as reranker:
        with pytest.raises(RerankerUnavailable, match="did not answer"):
            await reranker.rerank("q", ["a"])


async def test_a_refusal_says_what_to_check_and_not_the_key(service: JsonService, opened: Open) -> None:
    service.answers.append(refusal(401))
    async with opened() as reranker:
        with pytest.raises(RerankerUnavailable, match="key") as raised:
            await reranker.rerank("q", ["a"])
    assert KEY not in "".join(traceback.format_exception(raised.value))


def test_an_address_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(InvalidInput, match="reranker"):
        HttpReranker(Access(url="localhost/rerank", api_key=None, model="m", timeout_s=1))
