"""What was said: messages as chat APIs have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Role = Literal["user", "assistant", "system", "developer", "tool", "function"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message with something in it. `name` is the speaker where several people share a role.

    `id` is what the caller calls it, only to recognise it when it is sent again; it is not stored.
    """

    role: Role
    content: str
    name: str | None = None
    id: str | None = None

    @property
    def speaker(self) -> str:
        """Who spoke: the name, or else the role."""
        return self.name or self.role


def joined(messages: tuple[Message, ...]) -> str:
    """Messages as one text: a single one as it is, a dialogue line by line with its speakers."""
    if len(messages) == 1:
        return messages[0].content
    return "\n".join(f"{message.speaker}: {message.content}" for message in messages)
