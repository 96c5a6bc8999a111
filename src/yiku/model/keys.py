"""API keys: what one may do, where, for whom and until when."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from yiku.model.errors import InvalidInput
from yiku.model.principal import PERMISSIONS, Permission
from yiku.model.scopes import DEFAULT_WORKSPACE
from yiku.model.texts import check_identifier

KEY_CHARACTERS_MIN = 20
"""Shorter keys of people's own choice can be guessed."""
KEY_CHARACTERS_MAX = 512
KEY_NAME_BYTES_MAX = 128
DEFAULT_PERMISSIONS: frozenset[Permission] = frozenset({"memory:read", "memory:write"})


@dataclass(frozen=True, kw_only=True, slots=True)
class NewKey:
    """What is asked for. An admin key acts in every workspace; its own is where it acts when none is named."""

    name: str
    workspace: str = DEFAULT_WORKSPACE
    permissions: frozenset[Permission] = DEFAULT_PERMISSIONS
    user_id: str | None = None
    expires: datetime | None = None

    def __post_init__(self) -> None:
        check_identifier(self.name, field="name", bytes_max=KEY_NAME_BYTES_MAX)
        if not self.permissions:
            raise InvalidInput(
                "permissions must not be empty: leave them out for reading and writing memories", field="permissions"
            )
        if self.user_id is not None and "admin" in self.permissions:
            raise InvalidInput(
                "A key that is bound to a user cannot be admin: give it other permissions", field="permissions"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Key:
    """A key that is stored. Its secret is not: only who made it has seen that."""

    id: str
    name: str
    workspace: str
    permissions: frozenset[Permission]
    user_id: str | None
    created: datetime
    expires: datetime | None = None
    last_used: datetime | None = None
    """To the minute; None for a key that was not used within the last year."""

    def has_expired(self, now: datetime) -> bool:
        return self.expires is not None and self.expires <= now


def check_permissions(names: Collection[str]) -> frozenset[Permission]:
    """`names` as permissions, or an `InvalidInput` that says which ones there are."""
    unknown = sorted(set(names).difference(PERMISSIONS))
    if unknown:
        raise InvalidInput(
            f"There is no permission {unknown[0][:64]!r}: the permissions are {', '.join(PERMISSIONS)}",
            field="permissions",
        )
    return frozenset(permission for permission in PERMISSIONS if permission in names)
