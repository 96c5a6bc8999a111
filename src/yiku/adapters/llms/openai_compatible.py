"""A language model elsewhere that speaks OpenAI's `POST {base_url}/chat/completions`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial

from yiku.adapters.deadlines import deadline
from yiku.adapters.http_endpoint import Access, HttpEndpoint, RefusedRequest, Service
from yiku.adapters.llms.openai_chat import ANSWER_BYTES_MAX, FORMS, words_of
from yiku.adapters.llms.restraint import Breaker, CallBudget
from yiku.adapters.llms.structured import completed
from yiku.model.errors import LlmRefused, LlmUnavailable
from yiku.model.prompts import Prompt, PromptAnswer

_CALLS_IN_FLIGHT_MAX = 8
_TOO_LONG = 413
_TOLD = frozenset({400, _TOO_LONG, 422})
"""Refusals of this request and not of us: its form is not known here, or the conversation is too long or disliked."""

_SERVICE = Service(
    name="language model",
    unavailable=LlmUnavailable,
    refused="refused the request: check base URL and model; or the conversation is too long, or disliked",
    what_to_check={_TOO_LONG: "found the conversation too long"},
)


class OpenAICompatibleLlm:
    """The `timeout_s` of `access` bounds a whole `complete` once it is its turn; 0 calls a minute is no bound."""

    def __init__(
        self, access: Access, *, calls_per_minute: int = 0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._endpoint = HttpEndpoint(_SERVICE, access, path="/chat/completions")
        self._model = access.model
        self._timeout_s = access.timeout_s
        self._budget = CallBudget(calls_per_minute, monotonic)
        self._breaker = Breaker(monotonic)
        self._slots = asyncio.Semaphore(_CALLS_IN_FLIGHT_MAX)
        self._forms = FORMS
        """Those that the endpoint may know, the best first. Which it does not know is learned by asking."""

    @property
    def model(self) -> str:
        return self._model

    async def complete(self, prompt: Prompt) -> PromptAnswer:
        async with self._slots, deadline(self._timeout_s, message=self._endpoint.too_slow, unavailable=LlmUnavailable):
            return await completed(prompt, partial(self._said, prompt))

    async def close(self) -> None:
        await self._endpoint.close()

    async def _said(self, prompt: Prompt, added: str) -> str | None:
        self._budget.spend()
        with self._breaker.guarding():
            return words_of(await self._answer(prompt, added))

    async def _answer(self, prompt: Prompt, added: str) -> bytes:
        """To the prompt in the best form that the endpoint takes."""
        forms = self._forms
        for place, form in enumerate(forms):
            try:
                body = await self._endpoint.post(form(prompt, added), answer_bytes_max=ANSWER_BYTES_MAX, told=_TOLD)
            except RefusedRequest as refused:
                # No common sign tells whether the form was refused or the conversation: only what comes next does.
                if refused.status == _TOO_LONG or place == len(forms) - 1:
                    raise LlmRefused(refused.message) from refused
            else:
                self._forms = forms[place:]
                return body
        raise AssertionError("there is always a form")
