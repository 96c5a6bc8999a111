"""Who is asking: what an API key stands for once it has been checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from yiku.model.errors import NotFound, PermissionDenied

Permission = Literal["memory:read", "memory:write", "admin"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Principal:
    """A caller. `user_id` is the one user that the key is bound to, None for any. `admin` includes all permissions."""

    key_id: str
    workspace: str
    permissions: frozenset[Permission]
    user_id: str | None = None

    def require(self, permission: Permission) -> None:
        if permission not in self.permissions and "admin" not in self.permissions:
            raise PermissionDenied(f"This API key lacks the permission {permission}: ask for one that has it")

    def require_user(self, user_id: str) -> None:
        """For calls that name a user."""
        if self.user_id not in (None, user_id):
            raise PermissionDenied("This API key is bound to another user_id: use that user_id, or another key")

    def require_sight_of(self, user_id: str, missing: NotFound) -> None:
        """For calls that name only an id: what belongs to others looks exactly like what does not exist."""
        if self.user_id not in (None, user_id):
            raise missing
