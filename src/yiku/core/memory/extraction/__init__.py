"""What is worth remembering in a conversation, found by rules alone.

Nothing is lost because no rule fired: words are left out only when they are surely small talk, or a question or a
request that tells nothing, and told in the third person only when that is sure; everything else stays in its own words
with its speaker.
"""

from __future__ import annotations

from collections.abc import Sequence

from yiku.core.memory.extraction.answers import question_before
from yiku.core.memory.extraction.assistant import from_assistant
from yiku.core.memory.extraction.facts import NOT_A_PERSON, Extraction, Fact, LeftOut, runs
from yiku.core.memory.extraction.person import from_person
from yiku.model.messages import Message

__all__ = ["Extraction", "Fact", "LeftOut", "extract"]


def extract(messages: Sequence[Message]) -> Extraction:
    """The facts of `messages` in their order; every sentence is in one fact or left out with a reason."""
    facts: list[Fact] = []
    left_out: list[LeftOut] = []
    for position, message in enumerate(messages):
        told, rest = _from_message(message, position, question_before(messages, position))
        facts += told
        left_out += rest
    return Extraction(tuple(facts), tuple(runs(left_out)))


def _from_message(message: Message, position: int, question: str | None) -> tuple[list[Fact], list[LeftOut]]:
    """A named assistant is a person too: dialogues of two people are often sent as user and assistant."""
    if message.role == "user" or (message.role == "assistant" and message.name):
        return from_person(message, position, question)
    if message.role == "assistant":
        return from_assistant(message, position)
    content = message.content.strip()
    return [], [LeftOut(text=content, position=position, reason=NOT_A_PERSON)] if content else []
