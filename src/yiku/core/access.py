"""Check an API key and say who is asking."""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime, timedelta

from yiku.model.errors import Unauthenticated
from yiku.model.principal import Principal
from yiku.model.records import Changes, PageQuery, Record
from yiku.model.scopes import DEFAULT_WORKSPACE, SYSTEM_PARTITION
from yiku.ports import Ports

KEY = "api_key"
KEY_CHARACTERS_MAX = 512
KEY_FRESH_S = 1.0
KEYS_REMEMBERED = 1_000
CONFIGURED = Principal(key_id="configured", workspace=DEFAULT_WORKSPACE, permissions=frozenset({"admin"}))
"""Who holds the key that the settings name (`YIKU_API_KEY`)."""


class KeyRing:
    """Remembers for a moment which keys were good: agents call many times a second, always with the same key.

    A key that is revoked is refused `KEY_FRESH_S` later at the latest, by every process. What is not known is asked for
    each time, so a new key works at once. `configured` is a key of the operator's own choice: it is an admin key of
    this process, and never stored.
    """

    def __init__(self, ports: Ports, *, configured: str | None = None) -> None:
        self._ports = ports
        self._configured = None if configured is None else _digest(configured)
        self._fresh: dict[str, tuple[Principal, datetime]] = {}

    async def principal_of(self, secret: str) -> Principal:
        """See `authenticate`."""
        now, digest = self._ports.clock.now(), _digest(secret)
        if self._configured is not None and hmac.compare_digest(digest, self._configured):
            return CONFIGURED
        principal, checked = self._fresh.get(digest, (None, now))
        if principal is not None and timedelta() <= now - checked < timedelta(seconds=KEY_FRESH_S):
            return principal
        if len(self._fresh) >= KEYS_REMEMBERED:
            self._fresh.clear()
        principal = await authenticate(self._ports, secret)
        self._fresh[digest] = (principal, now)
        return principal


async def authenticate(ports: Ports, secret: str) -> Principal:
    """The principal of a key, or `Unauthenticated`.

    A key is looked up by the SHA-256 of its secret: our keys have 256 random bits, to which a slow hash would add
    nothing, and looking up a digest gives no timing away that helps to guess the secret.
    """
    if len(secret) > KEY_CHARACTERS_MAX:
        raise Unauthenticated
    found = await ports.storage.find(SYSTEM_PARTITION, KEY, [_digest(secret)])
    if not found:
        raise Unauthenticated("This API key is not known here: check it, or ask the person who runs the server for one")
    body = found[0].body
    return Principal(
        key_id=found[0].id,
        workspace=body["workspace"],
        permissions=frozenset(body["permissions"]),
        user_id=body["user_id"],
    )


async def create_admin_key(ports: Ports) -> str:
    """A new key with every permission; it is shown this once and stored as a digest only."""
    now = ports.clock.now()
    key_id = ports.clock.new_id("").replace("-", "")[:8]
    secret = f"yk_{key_id}_{ports.clock.new_secret()}"
    key = Record(
        kind=KEY,
        id=key_id,
        unique_key=_digest(secret),
        created=now,
        updated=now,
        body={"workspace": DEFAULT_WORKSPACE, "permissions": ["admin"], "user_id": None},
    )
    await ports.storage.commit(Changes(partition=SYSTEM_PARTITION, puts=(key,)))
    return secret


async def has_keys(ports: Ports) -> bool:
    query = PageQuery(partitions=(SYSTEM_PARTITION,), kind=KEY, limit=1)
    return (await ports.storage.page(query)).count > 0


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
