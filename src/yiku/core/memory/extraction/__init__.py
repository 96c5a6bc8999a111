"""What is worth remembering in a conversation, found by rules alone.

Nothing is lost because no rule fired: words are left out only when they are surely small talk, or a question or a
request that tells nothing, and told in the third person only when that is sure; everything else stays in its own words
with its speaker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from yiku.core.memory.extraction.answers import question_before
from yiku.core.memory.extraction.assistant import from_assistant
from yiku.core.memory.extraction.dated import dated
from yiku.core.memory.extraction.facts import NOT_A_PERSON, Extraction, Fact, Forget, LeftOut, runs
from yiku.core.memory.extraction.person import from_person
from yiku.core.memory.extraction.secrets import redacted
from yiku.model.messages import Message

__all__ = ["Extraction", "Fact", "Forget", "LeftOut", "extract"]


def extract(messages: Sequence[Message], anchor: datetime | None = None) -> Extraction:
    """The facts of `messages` in their order; every sentence is in one, left out with a reason, or to be forgotten.

    Relative dates (昨天, last Friday) count from `anchor`, in its zone; without one, no date is resolved. Secrets are
    gone before anything is read.
    """
    said = [replace(message, content=redacted(message.content)) for message in messages]
    names = frozenset(message.name for message in messages if message.name)
    heard = [_from_message(message, place, question_before(said, place), names) for place, message in enumerate(said)]
    facts = (fact for extraction in heard for fact in extraction.facts)
    return Extraction(
        tuple(dated(fact, anchor) if anchor else fact for fact in facts),
        tuple(runs(part for extraction in heard for part in extraction.left_out)),
        tuple(request for extraction in heard for request in extraction.forget),
    )


def _from_message(message: Message, position: int, question: str | None, names: frozenset[str]) -> Extraction:
    """A named assistant is a person too: dialogues of two people are often sent as user and assistant."""
    if message.role == "user" or (message.role == "assistant" and message.name):
        return from_person(message, position, question, names - {message.name or ""})
    if message.role == "assistant":
        return from_assistant(message, position)
    content = message.content.strip()
    left_out = (LeftOut(text=content, position=position, reason=NOT_A_PERSON),) if content else ()
    return Extraction((), left_out)
