"""Check an API key and say who is asking, and in which workspace."""

from __future__ import annotations

import hmac
from dataclasses import replace
from datetime import datetime, timedelta

from yiku.core.keys import KEY, create_key, digest_of, key_of
from yiku.core.rates import Rates
from yiku.core.watch import UNKNOWN_KEY, Watch
from yiku.core.workspaces import require_workspace
from yiku.model.errors import NotFound, Unauthenticated
from yiku.model.keys import KEY_CHARACTERS_MAX, Key, NewKey
from yiku.model.principal import Principal
from yiku.model.records import PageQuery
from yiku.model.scopes import DEFAULT_WORKSPACE, SYSTEM_PARTITION
from yiku.ports import Ports

KEY_FRESH_S = 1.0
KEYS_REMEMBERED = 1_000
CONFIGURED = Principal(key_id="configured", workspace=DEFAULT_WORKSPACE, permissions=frozenset({"admin"}))
"""Who holds the key that the settings name (`YIKU_API_KEY`)."""
FIRST_START = Principal(key_id="first start", workspace=DEFAULT_WORKSPACE, permissions=frozenset({"admin"}))
"""Who makes the first key."""
NO_RATES = Rates()


class KeyRing:
    """Remembers for a moment which keys were good: agents call many times a second, always with the same key.

    A key that is revoked is refused `KEY_FRESH_S` later at the latest, by every process. What is not known is asked for
    each time, so a new key works at once. `configured` is a key of the operator's own choice: it is an admin key of
    this process, and never stored. How often a key may ask is decided here, for every door alike.
    """

    def __init__(self, ports: Ports, *, configured: str | None = None, rates: Rates = NO_RATES) -> None:
        self.watch = Watch(ports, rates)
        self._ports = ports
        self._configured = None if configured is None else digest_of(configured)
        self._configured_principal = replace(CONFIGURED, doorkeeper=self.watch)
        self._fresh: dict[str, tuple[Principal, datetime, Key]] = {}

    async def principal_of(self, secret: str) -> Principal:
        """Who holds this key, or `Unauthenticated`. `RateLimited` when it has made too many requests."""
        now = self._ports.clock.now()
        if self.is_configured(secret):
            principal = self._configured_principal
        else:
            digest = digest_of(secret)
            principal = self._remembered(digest, now) or await self._asked_for(secret, digest, now)
        self.watch.admit_key(principal.key_id, now)
        return principal

    def is_configured(self, secret: str) -> bool:
        """Whether it is the operator's own key, which no stored key can limit."""
        return self._configured is not None and hmac.compare_digest(digest_of(secret), self._configured)

    def forget(self, key_id: str) -> None:
        """This process at least refuses the key from now on."""
        self._fresh = {digest: known for digest, known in self._fresh.items() if known[2].id != key_id}

    def _remembered(self, digest: str, now: datetime) -> Principal | None:
        if digest not in self._fresh:
            return None
        principal, checked, key = self._fresh[digest]
        is_fresh = timedelta() <= now - checked < timedelta(seconds=KEY_FRESH_S)
        return principal if is_fresh and not key.has_expired(now) else None

    async def _asked_for(self, secret: str, digest: str, now: datetime) -> Principal:
        if len(self._fresh) >= KEYS_REMEMBERED:
            self._fresh.clear()
        key = await _find_key(self._ports, secret)
        if key is None or key.has_expired(now):
            self._fresh.pop(digest, None)
            raise self._refusal(key)
        principal = Principal(
            key_id=key.id,
            workspace=key.workspace,
            permissions=key.permissions,
            user_id=key.user_id,
            doorkeeper=self.watch,
        )
        self._fresh[digest] = (principal, now, key)
        return principal

    def _refusal(self, key: Key | None) -> Unauthenticated:
        if key is not None:
            self.watch.note_refusal(key.id, key.workspace, "expired key")
            return Unauthenticated("This API key has expired: ask the person who runs the server for another")
        self.watch.note_refusal(UNKNOWN_KEY, "", "unknown key")
        return Unauthenticated(
            "This API key is not known here: check it, or ask the person who runs the server for one"
        )


async def _find_key(ports: Ports, secret: str) -> Key | None:
    """The key with this secret, expired or not.

    It is looked up by its digest, which gives no timing away that helps to guess the secret.
    """
    if len(secret) > KEY_CHARACTERS_MAX:
        return None
    found = await ports.storage.find(SYSTEM_PARTITION, KEY, [digest_of(secret)])
    return key_of(found[0]) if found else None


async def in_workspace(ports: Ports, principal: Principal, name: str) -> Principal:
    """The principal, acting in the workspace that a request names.

    A key acts in its own only, an admin key in any that exists. What is somebody else's and what does not exist are
    refused in the same words: nobody learns here which workspaces there are.
    """
    if name == principal.workspace:
        return principal
    if not principal.is_admin:
        principal.note_refusal("another workspace")
        raise NotFound(f"There is no workspace {name[:64]!r} for this API key: use the one that the key belongs to")
    await require_workspace(ports, name)
    return replace(principal, workspace=name)


async def create_admin_key(ports: Ports) -> str:
    """A new key with every permission; it is shown this once and stored as a digest only."""
    made = await create_key(ports, FIRST_START, NewKey(name="first key", permissions=frozenset({"admin"})))
    return made.secret


async def has_admin_key(ports: Ports) -> bool:
    """Whether somebody can still get in who may make keys for the others."""
    query = PageQuery(partitions=(SYSTEM_PARTITION,), kind=KEY, limit=ports.limits.page_window)
    now = ports.clock.now()
    keys = [key_of(record) for record in (await ports.storage.page(query)).records]
    return any("admin" in key.permissions and not key.has_expired(now) for key in keys)
