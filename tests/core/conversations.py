"""What a language model is made to say about a conversation, and what becomes of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tests.core.memories import ADMIN, digest_all, said, scope
from yiku.adapters.llms import ScriptedLlm
from yiku.core.memory.add import add_memories
from yiku.core.memory.events import event_status
from yiku.model.memories import AddMemories, DecisionKind, Event
from yiku.model.messages import Message
from yiku.ports import Ports


def fact(text: str, *messages: int, **given: Any) -> dict[str, Any]:
    """A fact as the model gives it; the first message is what it rests on unless others are named."""
    empty = {"kind": "statement", "when": None, "attribute": None, "topic": None, "value": None, "corrects": False}
    return {"text": text, "messages": list(messages or (0,)), **empty, **given}


def answer(*facts: dict[str, Any]) -> str:
    return json.dumps({"facts": facts}, ensure_ascii=False)


def with_llm(ports: Ports, *answers: Any, **use: Any) -> tuple[Ports, ScriptedLlm]:
    """The ports with a model that gives these answers in turn, used as told."""
    llm = ScriptedLlm(answers[0] if len(answers) == 1 and callable(answers[0]) else answers)
    return replace(ports, llm=llm, llm_use=replace(ports.llm_use, **use)), llm


async def tell(ports: Ports, *messages: Message | str, user_id: str = "u1", **given: Any) -> Event:
    """Add a conversation, digest everything that waits, and return the final event."""
    spoken = tuple(message if isinstance(message, Message) else said(message)[0] for message in messages)
    event = await add_memories(ports, ADMIN, AddMemories(scope=scope(user_id), messages=spoken, **given))
    await digest_all(ports)
    return await event_status(ports, ADMIN, event.id)


def reasons(event: Event) -> list[str]:
    return [decision.reason for decision in event.decisions]


def texts(event: Event, *kinds: DecisionKind) -> list[str]:
    """Of the decisions of these kinds; of those that made a memory where none are named."""
    wanted: Iterable[DecisionKind] = kinds or (DecisionKind.ADD, DecisionKind.UPDATE, DecisionKind.SUPERSEDE)
    return [decision.text for decision in event.decisions if decision.kind in wanted]
