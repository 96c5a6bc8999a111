"""A language model whose answers are known beforehand: for tests, and for trying prompts without a model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

from yiku.adapters.llms.structured import completed
from yiku.model.errors import YikuError
from yiku.model.prompts import Prompt, PromptAnswer

Words = str | None
Script = Callable[[Prompt, str], Words | YikuError]
"""What the model says to a prompt and to what was added to it; an error is raised instead."""


class ScriptedLlm:
    """Says the given words one after the other, or what a function makes of each prompt. They are checked as those of
    any model. When the words run out, it has nothing to say.

    `prompts` are those it was asked, once for each call, and `added` what was said beside them, such as what was wrong
    with the answer before. Where an event `hanging` is given, no call returns before it is set;
    `asked` is set by the first call.
    """

    def __init__(self, answers: Iterable[Words | YikuError] | Script = (), *, model: str = "scripted") -> None:
        self._script: Script = answers if callable(answers) else _one_after_the_other(answers)
        self._model = model
        self.prompts: list[Prompt] = []
        self.added: list[str] = []
        self.hanging: asyncio.Event | None = None
        self.asked = asyncio.Event()

    @property
    def model(self) -> str:
        return self._model

    async def complete(self, prompt: Prompt) -> PromptAnswer:
        return await completed(prompt, partial(self._said, prompt))

    async def close(self) -> None:
        """There is nothing to release."""

    async def _said(self, prompt: Prompt, added: str) -> Words:
        self.prompts.append(prompt)
        self.added.append(added)
        self.asked.set()
        if self.hanging is not None:
            await self.hanging.wait()
        words = self._script(prompt, added)
        if isinstance(words, YikuError):
            raise words
        return words


def _one_after_the_other(answers: Iterable[Words | YikuError]) -> Script:
    waiting = iter(answers)

    def next_of_them(prompt: Prompt, added: str) -> Words | YikuError:
        return next(waiting, None)

    return next_of_them
