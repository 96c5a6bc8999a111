"""What is worth remembering in a conversation, found by a language model where there is one, else by the rules.

One call of the model for a conversation of ordinary length, one a window for longer ones (`windows`). What it says is
checked (`model_facts`). What somebody asks to forget is found by the rules alone: nothing is deleted on a model's word.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from yiku.core.gathering import all_of
from yiku.core.memory.extraction import Extraction, extract
from yiku.core.memory.extraction.facts import NOT_A_PERSON, LeftOut, runs
from yiku.core.memory.extraction.model_facts import Reading
from yiku.core.memory.extraction.secrets import redacted
from yiku.core.memory.extraction.windows import Utterance, Window, windows
from yiku.core.memory.prompts.extraction import extraction_prompt
from yiku.model.errors import LlmAnswerInvalid, LlmRefused, LlmUnavailable
from yiku.model.messages import Message
from yiku.model.prompts import LlmUse
from yiku.ports import Llm, Ports

_SPOKEN_ROLES = ("user", "assistant")

NOTHING_FOUND = "the language model found nothing to remember in it"
UNREADABLE = "nothing was remembered: {why}"
INSTEAD = "{reason}; by the rules instead of the language model: {why}"


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was found, and how many calls of a model that took."""

    extraction: Extraction
    calls: int = 0


async def extracted(ports: Ports, messages: Sequence[Message], anchor: datetime | None) -> Extracted:
    """What `messages` say. Raises `LlmUnavailable` where the settings say that the add waits for the model."""
    # Extraction by rules is pure computation, and a large dialogue takes long enough to be felt on the event loop.
    by_rules = await asyncio.to_thread(extract, messages, anchor)
    spoken = tuple(_spoken(messages))
    if ports.llm is None or not spoken:
        return Extracted(by_rules)
    try:
        found = await _by_model(ports.llm, ports.llm_use, spoken, anchor)
    except LlmUnavailable as error:
        if ports.llm_use.when_unavailable == "retry":
            raise
        return Extracted(_instead(by_rules, error.message))
    except LlmRefused as error:
        return Extracted(_instead(by_rules, error.message))
    return replace(found, extraction=_whole(found.extraction, by_rules, messages))


def _spoken(messages: Sequence[Message]) -> Iterable[Utterance]:
    for position, message in enumerate(messages):
        if message.role in _SPOKEN_ROLES and message.content.strip():
            yield Utterance(position, message, redacted(message.content))


async def _by_model(llm: Llm, use: LlmUse, spoken: Sequence[Utterance], anchor: datetime | None) -> Extracted:
    parts = await all_of(_of_window(llm, use, window, anchor) for window in windows(spoken))
    return Extracted(
        Extraction(
            tuple(fact for part in parts for fact in part.extraction.facts),
            tuple(left for part in parts for left in part.extraction.left_out),
        ),
        calls=sum(part.calls for part in parts),
    )


async def _of_window(llm: Llm, use: LlmUse, window: Window, anchor: datetime | None) -> Extracted:
    reading = Reading(window, anchor, use.output_language)
    prompt = extraction_prompt(window, anchor, use.output_language, reading.complaint)
    try:
        answer = await llm.complete(prompt)
    except LlmAnswerInvalid as error:
        reason = UNREADABLE.format(why=error.message)
        return Extracted(Extraction((), tuple(_left_out(place, reason) for place in window)), calls=prompt.tries)
    found = await asyncio.to_thread(reading.sifted, answer.value)
    return Extracted(Extraction(found.facts, found.refused), calls=answer.calls)


def _instead(by_rules: Extraction, why: str) -> Extraction:
    """What the rules found, saying that it was they."""
    return replace(
        by_rules,
        facts=tuple(replace(fact, reason=INSTEAD.format(reason=fact.reason, why=why)) for fact in by_rules.facts),
        left_out=tuple(replace(part, reason=INSTEAD.format(reason=part.reason, why=why)) for part in by_rules.left_out),
    )


def _whole(found: Extraction, by_rules: Extraction, messages: Sequence[Message]) -> Extraction:
    """With requests to forget, and a word on every message that nothing came of."""
    told = {position for fact in found.facts for position in fact.positions}
    told |= {part.position for part in found.left_out} | {request.position for request in by_rules.forget}
    silent = (
        LeftOut(text=redacted(message.content).strip(), position=position, reason=_why_silent(message))
        for position, message in enumerate(messages)
        if position not in told and message.content.strip()
    )
    left_out = sorted((*found.left_out, *silent), key=lambda part: part.position)
    return Extraction(found.facts, tuple(runs(left_out)), by_rules.forget)


def _why_silent(message: Message) -> str:
    return NOTHING_FOUND if message.role in _SPOKEN_ROLES else NOT_A_PERSON


def _left_out(utterance: Utterance, reason: str) -> LeftOut:
    return LeftOut(text=utterance.text.strip(), position=utterance.position, reason=reason)
