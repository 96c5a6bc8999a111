"""How words of a model become a checked JSON object, and when it is asked again."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable

from yiku.adapters.llms.schema_check import conforming
from yiku.model.errors import LlmAnswerInvalid
from yiku.model.prompts import JsonObject, Prompt, PromptAnswer

_THOUGHTS = re.compile(r"^.*</think>", re.DOTALL)
"""What reasoning models say to themselves first, where their server does not take it out."""
_OBJECTS_TRIED_MAX = 20
_PROBLEM_CHARACTERS_MAX = 300

_AGAIN = "Your previous answer could not be used: {problem}. Answer again, with one JSON object of the given form only."

Send = Callable[[str], Awaitable[str | None]]
"""Calls the model with the instructions, the content and what is added to it; its words, or None for none."""


async def completed(prompt: Prompt, send: Send) -> PromptAnswer:
    """The answer to `prompt`, asked for as often as it allows."""
    usable: JsonObject | None = None
    problem = ""
    for call in range(1, prompt.tries + 1):
        words = await send(_AGAIN.format(problem=problem[:_PROBLEM_CHARACTERS_MAX]) if problem else "")
        try:
            usable = parsed(words, prompt)
        except LlmAnswerInvalid as error:
            problem = error.message
            continue
        # Whoever asked may hold an answer against all that was said, which takes too long for the event loop.
        complaint = await asyncio.to_thread(prompt.complaint, usable)
        problem = complaint or ""
        if not problem:
            return PromptAnswer(value=usable, calls=call)
    if usable is None:
        raise LlmAnswerInvalid(f"The language model's answer cannot be used: {problem}.")
    return PromptAnswer(value=usable, calls=prompt.tries)


def parsed(words: str | None, prompt: Prompt) -> JsonObject:
    """The first JSON object in the words that is valid, whatever stands around it: fences, a greeting, a comment."""
    text = _THOUGHTS.sub("", words or "")
    decoder = json.JSONDecoder()
    problem = LlmAnswerInvalid("it is empty" if not text.strip() else "it holds no JSON object")
    start = text.find("{")
    for _ in range(_OBJECTS_TRIED_MAX):
        if start < 0:
            break
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        try:
            checked: JsonObject = conforming(value, prompt.schema)
            return checked
        except LlmAnswerInvalid as error:
            problem = error
        start = text.find("{", end)
    raise problem
