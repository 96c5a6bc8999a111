"""What a language model is asked, what it answers, and how much it may decide. No model is called here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

JsonObject = dict[str, Any]
"""An answer: JSON enters the program here, as the schema of its prompt describes it."""

OutputLanguage = Literal["same", "zh", "en"]


def _no_complaint(answer: JsonObject) -> str | None:
    return None


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """One question that is answered with a JSON object.

    `schema` is a JSON Schema of the kind that services enforce themselves: types, enums, and objects whose properties
    are all required. `complaint` says what is wrong with an answer that has the right form, in words for the model;
    it is worth a second try and no more: whoever asked has to be able to do without.
    """

    name: str
    """Of the kind of answer, for services that want one; letters and underscores."""
    instructions: str
    content: str
    schema: Mapping[str, Any]
    answer_tokens_max: int
    tries: int = 2
    """How often the model may be called: an answer that is not valid may be asked for once more."""
    complaint: Callable[[JsonObject], str | None] = field(default=_no_complaint)


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptAnswer:
    """A valid answer, and how many calls of the model it took."""

    value: JsonObject
    calls: int


@dataclass(frozen=True, kw_only=True, slots=True)
class LlmUse:
    """What is expected of memories that a model writes.

    `output_language`: that of the words they rest on, or always the same one. `when_unavailable`: whether the rules
    take the model's place, or the add waits for it.
    """

    output_language: OutputLanguage = "same"
    when_unavailable: Literal["rules", "retry"] = "rules"
