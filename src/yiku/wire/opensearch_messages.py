"""The argument `messages`: one text, one message or a dialogue, as chat APIs write them.

Of a message role, content, name and id matter; what else chat APIs put there (tool calls, annotations) is left alone.
Parts that are not text and turns that only call a tool have nothing to remember and are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yiku.model.errors import InvalidInput, TooLarge
from yiku.model.limits import Limits
from yiku.model.messages import ROLES, Message
from yiku.model.texts import check_identifier, check_text

TEXT_PARTS = ("text", "input_text", "output_text")
TOOL_CALLS = ("tool_calls", "function_call")


def decode_messages(value: object, limits: Limits) -> tuple[Message, ...]:
    """The messages that hold text; at least one, or an `InvalidInput` that names the place at fault."""
    if isinstance(value, str):
        return (Message(role="user", content=check_text(value, field="messages", bytes_max=limits.message_bytes)),)
    if isinstance(value, Mapping):
        decoded = [_message({"role": "user", **value}, "messages", limits)]
    elif isinstance(value, list):
        decoded = _dialogue(value, limits)
    else:
        raise InvalidInput(
            "messages must be text, one message {role, content}, or a list of messages", field="messages"
        )
    messages = tuple(message for message in decoded if message is not None)
    if not messages:
        raise InvalidInput("messages has no text to remember: give at least one message with text", field="messages")
    size, most = sum(len(message.content.encode()) for message in messages), limits.add_bytes
    if size > most:
        raise TooLarge(f"messages hold {size} bytes; the limit is {most}: add them in parts", field="messages")
    return messages


def _dialogue(values: list[Any], limits: Limits) -> list[Message | None]:
    if len(values) > limits.messages_per_add:
        raise TooLarge(
            f"messages has {len(values)} messages; the limit is {limits.messages_per_add}: add them in parts",
            field="messages",
        )
    return [_message(value, f"messages[{position}]", limits) for position, value in enumerate(values)]


def _message(value: object, field: str, limits: Limits) -> Message | None:
    """None when there is nothing textual in it."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{field} must be an object with role and content", field=field)
    role, name = value.get("role"), value.get("name")
    if role not in ROLES:
        raise InvalidInput(f"{field}.role must be one of {', '.join(ROLES)}", field=f"{field}.role")
    if name is not None and not isinstance(name, str):
        raise InvalidInput(f"{field}.name must be text", field=f"{field}.name")
    if name is not None:
        check_identifier(name, field=f"{field}.name", bytes_max=limits.user_id_bytes)
    content = _content(value, f"{field}.content", limits)
    return None if content is None else Message(role=role, content=content, name=name, id=_id(value.get("id")))


def _id(value: object) -> str | None:
    """Only to recognise the message when it is sent again; one that is no id is no reason to refuse what was said."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() else None


def _content(message: Mapping[str, Any], field: str, limits: Limits) -> str | None:
    content = message.get("content")
    calls_a_tool = any(key in message for key in TOOL_CALLS)
    if calls_a_tool and (content is None or (isinstance(content, str) and not content.strip())):
        return None
    if content is None:
        raise InvalidInput(f"{field} is required", field=field)
    if isinstance(content, list):
        texts = [text for position, part in enumerate(content) if (text := _part(part, f"{field}[{position}]"))]
        if content and not texts:
            return None
        content = "\n".join(texts)
    if not isinstance(content, str):
        raise InvalidInput(f"{field} must be text or a list of parts", field=field)
    return check_text(content, field=field, bytes_max=limits.message_bytes)


def _part(part: object, field: str) -> str | None:
    """The text of a part; None for images, sound, tool results and the like."""
    if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
        raise InvalidInput(f"{field} must be an object with a type, for instance 'text'", field=field)
    if part["type"] not in TEXT_PARTS:
        return None
    text = part.get("text")
    if not isinstance(text, str):
        raise InvalidInput(f"{field}.text must be text", field=f"{field}.text")
    return text
