"""What makes an add, or a message of it, the same as one that came before. Pure.

A caller who is not sure whether an add arrived sends it again, and agents send the last turns of a conversation along
with each new one. Only what names itself is recognised: by an idempotency key, or by the ids of its messages. Without
these nobody can tell a repeat from somebody who says the same twice.
"""

from __future__ import annotations

from hashlib import blake2b

from yiku.model.memories import AddMemories
from yiku.model.messages import Message
from yiku.model.metadata import canonical_json
from yiku.model.scopes import Scope


def add_key(command: AddMemories) -> str | None:
    """Equal for adds that are one: of the same idempotency key, or else of the same messages, each with its id."""
    if command.idempotency_key is not None:
        return f"key:{_digest(command.idempotency_key)}"
    if all(message.id is not None for message in command.messages):
        return f"messages:{content_digest(command)}"
    return None


def content_digest(command: AddMemories) -> str:
    """Of what is said, where and how. The metadata may differ: a repeat may be stamped with another time."""
    said = [_said(message) for message in command.messages]
    return _digest([said, command.scope.agent_id, command.scope.run_id, command.infer])


def message_key(message: Message, scope: Scope) -> str | None:
    """Equal for a message that is sent again in its run: one whose words were changed meanwhile is another."""
    if message.id is None:
        return None
    return _digest([_said(message), scope.agent_id, scope.run_id])


def _said(message: Message) -> list[str | None]:
    return [message.id, message.role, message.name, message.content]


def _digest(value: object) -> str:
    # Ids may hold what no text of a store may; a digest holds nothing of them.
    return blake2b(canonical_json(value).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
