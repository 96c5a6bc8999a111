"""Make, list and revoke API keys. They are stored as digests: who makes a key sees it once, and nobody after that."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from yiku.core.audit import audit_record, new_entry
from yiku.core.workspaces import require_workspace
from yiku.model.errors import Conflict, InvalidInput, KeyTaken, NotFound
from yiku.model.keys import KEY_CHARACTERS_MAX, KEY_CHARACTERS_MIN, Key, NewKey
from yiku.model.principal import Principal
from yiku.model.records import Changes, PageQuery, Record, Ref
from yiku.model.scopes import SYSTEM_PARTITION
from yiku.model.texts import check_identifier, check_text
from yiku.ports import Ports

KEY = "api_key"
KEY_USE = "api_key_use"
"""When a key was used last: apart from the key, so that noting it never conflicts with changing that."""
ID_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class MadeKey:
    """The only moment at which key and secret are together."""

    key: Key
    secret: str


@dataclass(frozen=True, slots=True)
class KeyPage:
    count: int
    keys: tuple[Key, ...]


async def create_key(ports: Ports, principal: Principal, new: NewKey) -> MadeKey:
    """A key of 256 random bits, as `yk_<id>_<secret>`: its owner can be told by the id, which is no secret."""
    principal.require("admin")
    key_id = await _new_id(ports)
    secret = f"yk_{key_id}_{ports.clock.new_secret()}"
    return MadeKey(await _store(ports, principal, "key.create", key_id, new, secret), secret)


async def import_key(ports: Ports, principal: Principal, new: NewKey, secret: str) -> Key:
    """Accept a key that was made elsewhere, of whatever shape. `Conflict` when it is known here already."""
    principal.require("admin")
    check_text(secret, field="secret", bytes_max=KEY_CHARACTERS_MAX)
    if len(secret) < KEY_CHARACTERS_MIN:
        raise InvalidInput(
            f"secret is shorter than {KEY_CHARACTERS_MIN} characters: it could be guessed", field="secret"
        )
    if not all(33 <= ord(character) <= 126 for character in secret):
        raise InvalidInput("secret may only hold visible ASCII characters: headers carry no others", field="secret")
    return await _store(ports, principal, "key.import", await _new_id(ports), new, secret)


async def list_keys(ports: Ports, principal: Principal, *, page: int, page_size: int) -> KeyPage:
    """Newest first, the expired ones too."""
    principal.require("admin")
    query = PageQuery(partitions=(SYSTEM_PARTITION,), kind=KEY, offset=(page - 1) * page_size, limit=page_size)
    found = await ports.storage.page(query)
    ids = [record.id for record in found.records]
    uses = {use.id: use.updated for use in await ports.storage.get(SYSTEM_PARTITION, KEY_USE, ids)}
    return KeyPage(found.count, tuple(key_of(record, last_used=uses.get(record.id)) for record in found.records))


async def revoke_key(ports: Ports, principal: Principal, key_id: str) -> None:
    """Gone for good. Processes that saw it a moment ago may accept it for `access.KEY_FRESH_S` more."""
    principal.require("admin")
    found = await ports.storage.get(SYSTEM_PARTITION, KEY, [key_id])
    if not found:
        raise NotFound(f"There is no key with the id {key_id[:64]!r}: list the keys to see their ids", field="id")
    key = key_of(found[0])
    entry = new_entry(ports, principal, "key.revoke", workspace=key.workspace, subject=key_id)
    await ports.storage.commit(
        Changes(
            partition=SYSTEM_PARTITION,
            deletes=(Ref(KEY, key_id), Ref(KEY_USE, key_id)),
            puts=(audit_record(ports, entry),),
        )
    )


def digest_of(secret: str) -> str:
    """What is stored of a key. A slow hash would add nothing to 256 random bits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def key_of(record: Record, *, last_used: datetime | None = None) -> Key:
    body: Mapping[str, Any] = record.body
    return Key(
        id=record.id,
        name=body.get("name", ""),  # Keys of the first version have neither a name nor an end.
        workspace=body["workspace"],
        permissions=frozenset(body["permissions"]),
        user_id=body["user_id"],
        created=record.created,
        expires=datetime.fromisoformat(body["expires"]) if body.get("expires") else None,
        last_used=last_used,
    )


async def _new_id(ports: Ports) -> str:
    # So few characters repeat themselves some day, and a put would replace the other key.
    while True:
        key_id = ports.clock.new_id("").replace("-", "")[-ID_CHARACTERS:]
        if not await ports.storage.get(SYSTEM_PARTITION, KEY, [key_id]):
            return key_id


async def _store(ports: Ports, principal: Principal, action: str, key_id: str, new: NewKey, secret: str) -> Key:
    await require_workspace(ports, new.workspace)
    now = ports.clock.now()
    if new.user_id is not None:
        check_identifier(new.user_id, field="user_id", bytes_max=ports.limits.user_id_bytes)
    if new.expires is not None and new.expires <= now:
        raise InvalidInput("expires_at is in the past: such a key would never work", field="expires_at")
    record = _key_record(key_id, new, secret, now)
    entry = new_entry(ports, principal, action, workspace=new.workspace, subject=key_id)
    try:
        await ports.storage.commit(Changes(partition=SYSTEM_PARTITION, puts=(record, audit_record(ports, entry))))
    except KeyTaken as error:
        raise Conflict(f"This key is known here already: its id is {error.holder_id}") from error
    return key_of(record)


def _key_record(key_id: str, new: NewKey, secret: str, now: datetime) -> Record:
    return Record(
        kind=KEY,
        id=key_id,
        unique_key=digest_of(secret),
        created=now,
        updated=now,
        body={
            "name": new.name,
            "workspace": new.workspace,
            "permissions": sorted(new.permissions),
            "user_id": new.user_id,
            "expires": new.expires.isoformat() if new.expires else None,
        },
    )
