"""The language model port: a question in, a checked JSON object out."""

from __future__ import annotations

from typing import Protocol

from yiku.model.prompts import Prompt, PromptAnswer


class Llm(Protocol):
    """Never blocks the event loop, never lasts longer than its deadline. Safe for concurrent calls; few run at once.

    Raises `LlmUnavailable` when the model cannot be reached in time or may not be asked any more for now,
    `LlmRefused` when it will not answer this question, `LlmAnswerInvalid` when its last answer was not valid; nothing
    else.
    """

    @property
    def model(self) -> str:
        """The name of the model, for people."""
        ...

    async def complete(self, prompt: Prompt) -> PromptAnswer:
        """An answer that is valid against the prompt's schema.

        An answer that is not is asked for again, with what was wrong, as long as the prompt has tries left. So is
        one that the prompt complains about; but when tries run out, the last one with the right form is returned.
        """
        ...

    async def close(self) -> None:
        """Release connections. Calling it twice is fine."""
        ...
