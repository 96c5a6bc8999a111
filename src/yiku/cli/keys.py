"""What `yiku keys` does, by the verbs that the admin door uses too, and with its shapes of JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from yiku.backends import OPERATOR, open_ports
from yiku.cli.store import require_store
from yiku.cli.tables import print_table
from yiku.core.keys import create_key, import_key, list_keys, revoke_key
from yiku.model.errors import InvalidInput
from yiku.model.keys import DEFAULT_PERMISSIONS, Key, NewKey, check_permissions
from yiku.model.times import parse_timestamp
from yiku.ports import Ports
from yiku.settings import Settings
from yiku.wire.admin import key_result

KEYS_AT_ONCE = 1_000
_SPAN = re.compile(r"([0-9]{1,5})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


@dataclass(frozen=True, kw_only=True, slots=True)
class WantedKey:
    """A key as the command line words it."""

    name: str
    workspace: str
    permissions: Sequence[str] | None
    user_id: str | None
    expires: str | None

    def decoded(self, now: datetime) -> NewKey:
        return NewKey(
            name=self.name,
            workspace=self.workspace,
            permissions=check_permissions(self.permissions) if self.permissions else DEFAULT_PERMISSIONS,
            user_id=self.user_id,
            expires=None if self.expires is None else parse_expiry(self.expires, now),
        )


def parse_expiry(text: str, now: datetime) -> datetime:
    """`30d` from now, or the moment that is named."""
    span = _SPAN.fullmatch(text)
    if span is not None:
        return now + timedelta(hours=int(span[1]) * _HOURS[span[2]])
    try:
        return parse_timestamp(text, field="--expires")
    except InvalidInput as error:
        raise InvalidInput("--expires must be like 12h, 30d or 8w, or a date like 2027-01-31") from error


async def create(settings: Settings, wanted: WantedKey, *, as_json: bool, new_store: bool) -> int:
    await _require_store(settings, new_store=new_store)
    async with open_ports(settings) as ports:
        now = ports.clock.now()
        made = await create_key(ports, OPERATOR, wanted.decoded(now))
    if as_json:
        print(json.dumps({**key_result(made.key, now), "key": made.secret}, ensure_ascii=False))
    else:
        print(made.secret)
        print(f"This is the only time that it is shown. {_described(made.key)}.")
    return 0


async def bring_in(settings: Settings, wanted: WantedKey, secret: str, *, as_json: bool, new_store: bool) -> int:
    if settings.api_key is not None and settings.api_key.get_secret_value() == secret:
        raise InvalidInput("This key is the one in YIKU_API_KEY: as that it is an admin key, whatever else it were")
    await _require_store(settings, new_store=new_store)
    async with open_ports(settings) as ports:
        now = ports.clock.now()
        key = await import_key(ports, OPERATOR, wanted.decoded(now), secret)
    if as_json:
        print(json.dumps({**key_result(key, now), "key": None}, ensure_ascii=False))
    else:
        print(f"The key is accepted from now on. {_described(key)}.")
    return 0


async def show(settings: Settings, *, as_json: bool) -> int:
    await require_store(settings)
    async with open_ports(settings) as ports:
        keys, now = await _all_keys(ports), ports.clock.now()
    if as_json:
        print(json.dumps([key_result(key, now) for key in keys], ensure_ascii=False))
    else:
        print_table(
            ("ID", "NAME", "WORKSPACE", "PERMISSIONS", "USER", "EXPIRES", "LAST USED"),
            [_row(key, now) for key in keys],
        )
    return 0


async def revoke(settings: Settings, key_id: str, *, as_json: bool) -> int:
    await require_store(settings)
    async with open_ports(settings) as ports:
        await revoke_key(ports, OPERATOR, key_id)
    print(json.dumps({"id": key_id, "revoked": True}) if as_json else f"The key {key_id} is revoked.")
    return 0


async def _require_store(settings: Settings, *, new_store: bool) -> None:
    if not new_store:
        await require_store(settings, or_else="; to make a new one say --new-store")


async def _all_keys(ports: Ports) -> list[Key]:
    keys: list[Key] = []
    while True:
        found = await list_keys(ports, OPERATOR, page=len(keys) // KEYS_AT_ONCE + 1, page_size=KEYS_AT_ONCE)
        keys += found.keys
        if len(found.keys) < KEYS_AT_ONCE:
            return keys


def _row(key: Key, now: datetime) -> tuple[str, ...]:
    expires = "expired" if key.has_expired(now) else _day(key.expires) or "never"
    return (
        key.id,
        key.name,
        key.workspace,
        " ".join(sorted(key.permissions)),
        key.user_id or "any",
        expires,
        f"{key.last_used:%Y-%m-%d %H:%M}" if key.last_used else "-",
    )


def _described(key: Key) -> str:
    ends = f", until {key.expires:%Y-%m-%d %H:%M} UTC" if key.expires else ""
    return (
        f"Its id is {key.id}; it may {', '.join(sorted(key.permissions))} in {key.workspace}"
        f"{f', for the user {key.user_id} only' if key.user_id else ''}{ends}"
    )


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else ""
