"""Who is asking: what an API key stands for once it has been checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from yiku.model.errors import NotFound, PermissionDenied

Permission = Literal[
    "memory:read",
    "memory:write",
    "skill:read",
    "skill:write",
    "knowledge:read",
    "knowledge:write",
    "chat",
    "admin",
]
PERMISSIONS: tuple[Permission, ...] = get_args(Permission)


class Doorkeeper(Protocol):
    """Who watches over what principals ask for. Both calls are made in the middle of a verb and must be cheap."""

    def admit(self, principal: Principal, user_id: str) -> None:
        """Raises `RateLimited` when this user of the principal's workspace has been asked for too often."""
        ...

    def refused(self, principal: Principal, action: str) -> None:
        """Make a note that the principal was refused this."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Principal:
    """A caller. `user_id` is the one user that the key is bound to, None for any. `admin` includes all permissions.

    Verbs ask it before they do anything, which is why the doorkeeper hears of every user and every refusal here.
    """

    key_id: str
    workspace: str
    permissions: frozenset[Permission]
    user_id: str | None = None
    doorkeeper: Doorkeeper | None = field(default=None, compare=False, repr=False)

    @property
    def is_admin(self) -> bool:
        return "admin" in self.permissions

    def require(self, permission: Permission) -> None:
        if permission not in self.permissions and not self.is_admin:
            self.note_refusal(permission)
            raise PermissionDenied(f"This API key lacks the permission {permission}: ask for one that has it")

    def require_user(self, user_id: str) -> None:
        """For calls that name a user."""
        if self.user_id not in (None, user_id):
            self.note_refusal("another user")
            raise PermissionDenied("This API key is bound to another user_id: use that user_id, or another key")
        if self.doorkeeper is not None:
            self.doorkeeper.admit(self, user_id)

    def require_sight_of(self, user_id: str, missing: NotFound) -> None:
        """For calls that name only an id: what belongs to others looks exactly like what does not exist."""
        if self.user_id not in (None, user_id):
            raise missing
        if self.doorkeeper is not None:
            self.doorkeeper.admit(self, user_id)

    def note_refusal(self, action: str) -> None:
        """For refusals that are decided elsewhere."""
        if self.doorkeeper is not None:
            self.doorkeeper.refused(self, action)
