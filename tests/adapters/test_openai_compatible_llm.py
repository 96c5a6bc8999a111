"""The language model elsewhere: a real HTTP server on a real socket stands in for it."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import fields, replace
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from tests.adapters.json_service import KEY, JsonService, refusal, running
from yiku.adapters.http_endpoint import Access
from yiku.adapters.llms import OpenAICompatibleLlm
from yiku.model.errors import InvalidInput, LlmAnswerInvalid, LlmRefused, LlmUnavailable
from yiku.model.prompts import Prompt

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["town", "people"],
    "properties": {
        "town": {"type": "string"},
        "people": {"type": ["integer", "null"]},
    },
}
PROMPT = Prompt(name="town", instructions="Name a town.", content="我的城市", schema=SCHEMA, answer_tokens_max=100)
GOOD = {"town": "Lyon", "people": None}


def said(content: Any) -> Response:
    return JSONResponse({"choices": [{"message": {"role": "assistant", "content": content}}]})


def as_asked(question: dict[str, Any]) -> Response:
    return said(json.dumps(GOOD))


@pytest.fixture
async def service() -> AsyncIterator[JsonService]:
    async with running(as_asked) as service:
        yield service


class Minutes:
    """A clock that a test moves."""

    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


Open = Callable[..., AbstractAsyncContextManager[OpenAICompatibleLlm]]


@pytest.fixture
def opened(service: JsonService) -> Open:
    @asynccontextmanager
    async def opened(**changes: Any) -> AsyncIterator[OpenAICompatibleLlm]:
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
        llm = OpenAICompatibleLlm(Access(**access), **changes)
        yield llm
        await llm.close()

    return opened


async def test_the_answer_is_asked_for_by_its_schema(service: JsonService, opened: Open) -> None:
    async with opened() as llm:
        answer = await llm.complete(PROMPT)
    assert (answer.value, answer.calls) == (GOOD, 1)
    assert service.paths == ["/v1/chat/completions"]
    assert service.keys == [f"Bearer {KEY}"]
    [question] = service.questions
    assert question["model"] == "some-model"
    assert [message["role"] for message in question["messages"]] == ["system", "user"]
    assert question["messages"][1]["content"] == "我的城市"
    assert question["response_format"]["json_schema"] == {"name": "town", "strict": True, "schema": SCHEMA}


async def test_an_endpoint_without_schemas_is_asked_in_words_and_not_offered_schemas_again(
    service: JsonService, opened: Open
) -> None:
    service.answers.append(refusal(400))
    async with opened() as llm:
        assert (await llm.complete(PROMPT)).value == GOOD
        await llm.complete(PROMPT)
    formats = [question["response_format"]["type"] for question in service.questions]
    assert formats == ["json_schema", "json_object", "json_object"]
    assert '"people"' in service.questions[1]["messages"][0]["content"]


async def test_an_endpoint_that_refuses_every_option_is_asked_in_plain_words(
    service: JsonService, opened: Open
) -> None:
    def plain_only(question: dict[str, Any]) -> Response:
        return as_asked(question) if question.keys() == {"model", "messages"} else refusal(422)

    service.answer = plain_only
    async with opened() as llm:
        assert (await llm.complete(PROMPT)).value == GOOD
        assert (await llm.complete(PROMPT)).value == GOOD
    assert len(service.questions) == 4 + 1


async def test_a_conversation_that_every_form_is_refused_for_costs_no_later_one_its_schema(
    service: JsonService, opened: Open
) -> None:
    service.answers += [refusal(400)] * 4
    async with opened() as llm:
        with pytest.raises(LlmRefused, match="HTTP 400"):
            await llm.complete(PROMPT)
        await llm.complete(PROMPT)
    assert service.questions[-1]["response_format"]["type"] == "json_schema"


async def test_a_conversation_that_is_too_long_is_not_sent_in_another_form(service: JsonService, opened: Open) -> None:
    service.answers.append(refusal(413))
    async with opened() as llm:
        with pytest.raises(LlmRefused, match="too long"):
            await llm.complete(PROMPT)
    assert len(service.questions) == 1


@pytest.mark.parametrize(
    "words",
    [
        '```json\n{"town": "Lyon", "people": null}\n```',
        'Here it is:\n{"town": "Lyon", "people": null}\nAnything else? {}',
        '<think>A {town}? {"town": 1}</think>{"town": "Lyon"}',
        '{"town": "Lyon", "people": null, "remark": "a comment of its own"}',
        [{"type": "text", "text": '{"town": "Lyon", '}, {"type": "text", "text": '"people": null}'}],
    ],
)
async def test_what_stands_around_the_answer_does_no_harm(service: JsonService, opened: Open, words: Any) -> None:
    service.answers.append(said(words))
    async with opened() as llm:
        answer = await llm.complete(PROMPT)
    assert (answer.value, answer.calls) == (GOOD, 1)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (None, "empty"),
        ("", "empty"),
        ("null", "no JSON object"),
        ('["Lyon"]', "no JSON object"),
        ("I would rather not.", "no JSON object"),
        ('{"town": "Ly', "no JSON object"),
        ("{" * 50_000, "no JSON object"),
        ('{"people": 3}', "no 'town'"),
        ('{"town": 3, "people": null}', "town must be of type string"),
        ('{"town": "Lyon", "people": true}', "people must be of type integer or null"),
    ],
)
async def test_an_answer_that_is_not_valid_is_asked_for_once_more_with_what_was_wrong(
    service: JsonService, opened: Open, words: Any, problem: str
) -> None:
    service.answers.append(said(words))
    async with opened() as llm:
        answer = await llm.complete(PROMPT)
    assert (answer.value, answer.calls) == (GOOD, 2)
    again = service.questions[1]["messages"][1]["content"]
    assert again.startswith("我的城市")
    assert problem in again


async def test_what_is_not_valid_twice_is_an_error_that_says_what_was_wrong(service: JsonService, opened: Open) -> None:
    service.answers += [said(None), said('{"town": 3}')]
    async with opened() as llm:
        with pytest.raises(LlmAnswerInvalid, match="town must be"):
            await llm.complete(PROMPT)
    assert len(service.questions) == 2


async def test_a_prompt_with_one_try_is_asked_once(service: JsonService, opened: Open) -> None:
    service.answers.append(said("no"))
    async with opened() as llm:
        with pytest.raises(LlmAnswerInvalid):
            await llm.complete(replace(PROMPT, tries=1))
    assert len(service.questions) == 1


async def test_a_complaint_is_worth_one_more_try_and_no_error(service: JsonService, opened: Open) -> None:
    prompt = replace(PROMPT, complaint=lambda answer: "Lyon is taken")
    async with opened() as llm:
        answer = await llm.complete(prompt)
    assert (answer.value, answer.calls) == (GOOD, 2)
    assert "Lyon is taken" in service.questions[1]["messages"][1]["content"]


@pytest.mark.parametrize("status", [408, 429, 500, 503])
async def test_a_passing_failure_is_tried_again_after_the_pause_that_was_asked_for(
    service: JsonService, opened: Open, status: int
) -> None:
    service.answers += [refusal(status, **{"Retry-After": "7"}), refusal(status)]
    async with opened() as llm:
        assert (await llm.complete(PROMPT)).value == GOOD
    assert service.pauses == [7.0, 1.0]


@pytest.mark.parametrize(
    ("status", "what_to_check"), [(401, "key"), (403, "key"), (404, "base URL"), (302, "base URL")]
)
async def test_a_refusal_of_us_says_what_to_check_and_not_the_key(
    service: JsonService, opened: Open, status: int, what_to_check: str
) -> None:
    service.answers.append(refusal(status))
    async with opened() as llm:
        with pytest.raises(LlmUnavailable, match=what_to_check) as raised:
            await llm.complete(PROMPT)
    assert len(service.questions) == 1
    whole = "".join(traceback.format_exception(raised.value))
    assert KEY not in whole
    assert "我的城市" not in whole


@pytest.mark.parametrize(
    "answer",
    [Response("<html>"), JSONResponse([]), JSONResponse({"choices": []}), JSONResponse({"choices": [{"message": 1}]})],
)
async def test_what_is_no_answer_of_a_chat_says_what_to_check(
    service: JsonService, opened: Open, answer: Response
) -> None:
    service.answers.append(answer)
    async with opened() as llm:
        with pytest.raises(LlmUnavailable, match="base URL"):
            await llm.complete(PROMPT)


async def test_a_model_that_hangs_is_given_up_at_the_deadline(service: JsonService, opened: Open) -> None:
    service.hangs = lambda question: True
    async with opened(timeout_s=0.05) as llm:
        with pytest.raises(LlmUnavailable, match="did not answer"):
            await llm.complete(PROMPT)


async def test_after_three_failures_in_a_row_the_model_is_left_alone_for_a_while(
    service: JsonService, opened: Open
) -> None:
    minutes = Minutes()
    service.answers += [refusal(401)] * 3
    async with opened(monotonic=minutes) as llm:
        for _ in range(3):
            with pytest.raises(LlmUnavailable, match="HTTP 401"):
                await llm.complete(PROMPT)
        with pytest.raises(LlmUnavailable, match="left alone") as raised:
            await llm.complete(PROMPT)
        assert (raised.value.retry_after_s, len(service.questions)) == (30, 3)
        minutes.now_s += 30
        assert (await llm.complete(PROMPT)).value == GOOD
        service.answers.append(refusal(401))
        with pytest.raises(LlmUnavailable, match="HTTP 401"):
            await llm.complete(PROMPT)
        assert (await llm.complete(PROMPT)).value == GOOD


async def test_a_hanging_model_counts_as_failing(service: JsonService, opened: Open) -> None:
    service.hangs = lambda question: True
    async with opened(timeout_s=0.05, monotonic=Minutes()) as llm:
        for _ in range(3):
            with pytest.raises(LlmUnavailable, match="did not answer"):
                await llm.complete(PROMPT)
        with pytest.raises(LlmUnavailable, match="left alone"):
            await llm.complete(PROMPT)


async def test_more_calls_a_minute_than_allowed_are_refused_until_there_is_room(
    service: JsonService, opened: Open
) -> None:
    minutes = Minutes()
    async with opened(calls_per_minute=2, monotonic=minutes) as llm:
        await llm.complete(PROMPT)
        minutes.now_s += 50
        await llm.complete(PROMPT)
        for _ in range(5):
            with pytest.raises(LlmUnavailable, match="2 times within a minute") as raised:
                await llm.complete(PROMPT)
        assert raised.value.retry_after_s == 10
        minutes.now_s += 10
        await llm.complete(PROMPT)
    assert len(service.questions) == 3


async def test_few_questions_are_in_flight_at_a_time(service: JsonService, opened: Open) -> None:
    service.hangs = lambda question: True
    async with opened() as llm:
        asked = [asyncio.create_task(llm.complete(PROMPT)) for _ in range(20)]
        for _ in range(8):
            await service.waiting.get()
        assert len(service.questions) == 8
        service.hangs = lambda question: False
        service.released.set()
        assert [answer.value for answer in await asyncio.gather(*asked)] == [GOOD] * 20


async def test_a_closed_connection_says_that_the_server_is_stopping(opened: Open) -> None:
    async with opened() as llm:
        await llm.close()
        with pytest.raises(LlmUnavailable, match="stopping"):
            await llm.complete(PROMPT)


@pytest.mark.parametrize("base_url", ["", "localhost/v1", "ftp://host/v1"])
def test_a_base_url_that_is_none_is_refused_at_once(base_url: str) -> None:
    with pytest.raises(InvalidInput, match="language model"):
        OpenAICompatibleLlm(Access(url=base_url, api_key=None, model="m", timeout_s=1))
