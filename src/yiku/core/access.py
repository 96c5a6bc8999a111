"""Check an API key and say who is asking."""

from __future__ import annotations

import hashlib

from yiku.model.errors import Unauthenticated
from yiku.model.principal import Principal
from yiku.model.records import Changes, PageQuery, Record, Ref
from yiku.model.scopes import DEFAULT_WORKSPACE, SYSTEM_PARTITION
from yiku.ports import Ports

KEY = "api_key"
KEY_CHARACTERS_MAX = 512
CONFIGURED_KEY = "configured"
"""The id of the key that the settings name (`YIKU_API_KEY`)."""


async def authenticate(ports: Ports, secret: str) -> Principal:
    """The principal of a key, or `Unauthenticated`.

    A key is looked up by the SHA-256 of its secret: with 256 random bits a slow hash would add nothing, and looking up
    a digest gives no timing away that helps to guess the secret.
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
    key_id = ports.clock.new_id("").replace("-", "")[:8]
    secret = f"yk_{key_id}_{ports.clock.new_secret()}"
    await store_admin_key(ports, key_id, secret)
    return secret


async def store_admin_key(ports: Ports, key_id: str, secret: str) -> None:
    """Accept `secret` as an admin key under this id; the id's former secret is no longer accepted."""
    now = ports.clock.now()
    key = Record(
        kind=KEY,
        id=key_id,
        unique_key=_digest(secret),
        created=now,
        updated=now,
        body={"workspace": DEFAULT_WORKSPACE, "permissions": ["admin"], "user_id": None},
    )
    await ports.storage.commit(Changes(partition=SYSTEM_PARTITION, puts=(key,)))


async def forget_key(ports: Ports, key_id: str) -> None:
    """From now on the key is not accepted any more; no error when there is none."""
    await ports.storage.commit(Changes(partition=SYSTEM_PARTITION, deletes=(Ref(KEY, key_id),)))


async def has_keys(ports: Ports) -> bool:
    query = PageQuery(partitions=(SYSTEM_PARTITION,), kind=KEY, limit=1)
    return (await ports.storage.page(query)).count > 0


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
