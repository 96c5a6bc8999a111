"""Keys: who gets in, and where?"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.core.memories import ADMIN
from yiku.adapters.clocks import ManualClock
from yiku.core.access import CONFIGURED, KEY_FRESH_S, KeyRing, create_admin_key, has_admin_key, in_workspace
from yiku.core.keys import KEY, create_key, revoke_key
from yiku.core.workspaces import create_workspace
from yiku.model.errors import NotFound, Unauthenticated
from yiku.model.keys import NewKey
from yiku.model.principal import Principal
from yiku.model.records import PageQuery
from yiku.model.scopes import SYSTEM_PARTITION
from yiku.ports import Ports


async def test_the_first_key_is_an_admin_of_the_default_workspace(ports: Ports) -> None:
    assert not await has_admin_key(ports)
    principal = await KeyRing(ports).principal_of(await create_admin_key(ports))
    assert (principal.workspace, principal.user_id) == ("default", None)
    principal.require("memory:write")
    assert await has_admin_key(ports)


async def test_a_key_stands_for_what_it_was_made_with(ports: Ports) -> None:
    await create_workspace(ports, ADMIN, "team")
    new = NewKey(name="bot", workspace="team", permissions=frozenset({"memory:read"}), user_id="u1")
    made = await create_key(ports, ADMIN, new)
    assert await KeyRing(ports).principal_of(made.secret) == Principal(
        key_id=made.key.id, workspace="team", permissions=frozenset({"memory:read"}), user_id="u1"
    )


@pytest.mark.parametrize("secret", ["", "yk_unknown_key", "x" * 10_000, "\ud800"])
async def test_an_unknown_key_is_refused(ports: Ports, secret: str) -> None:
    await create_admin_key(ports)
    with pytest.raises(Unauthenticated):
        await KeyRing(ports).principal_of(secret)


async def test_a_configured_key_is_an_admin_key_of_this_process_and_never_stored(ports: Ports) -> None:
    keys = KeyRing(ports, configured="a-key-of-my-own-choice")
    assert (await keys.principal_of("a-key-of-my-own-choice")) == CONFIGURED
    assert not await has_admin_key(ports)
    for other in (KeyRing(ports), KeyRing(ports, configured="another-key-of-my-choice")):
        with pytest.raises(Unauthenticated):
            await other.principal_of("a-key-of-my-own-choice")


async def test_a_revoked_key_is_refused_at_once_where_it_was_revoked_and_elsewhere_a_moment_later(
    ports: Ports, clock: ManualClock
) -> None:
    here, elsewhere = KeyRing(ports), KeyRing(ports)
    secret = await create_admin_key(ports)
    principal = await here.principal_of(secret)
    assert await elsewhere.principal_of(secret) == principal
    await revoke_key(ports, ADMIN, principal.key_id)
    here.forget(principal.key_id)
    with pytest.raises(Unauthenticated):
        await here.principal_of(secret)
    assert await elsewhere.principal_of(secret) == principal
    clock.advance(KEY_FRESH_S)
    with pytest.raises(Unauthenticated):
        await elsewhere.principal_of(secret)


async def test_a_key_is_refused_from_the_moment_it_expires(ports: Ports, clock: ManualClock) -> None:
    keys = KeyRing(ports)
    expires = clock.now() + timedelta(seconds=KEY_FRESH_S)
    made = await create_key(ports, ADMIN, NewKey(name="short", expires=expires))
    clock.advance(KEY_FRESH_S * 0.75)
    await keys.principal_of(made.secret)
    clock.advance(KEY_FRESH_S * 0.25)
    with pytest.raises(Unauthenticated, match="expired"):
        await keys.principal_of(made.secret)


async def test_the_store_does_not_hold_the_secret(ports: Ports) -> None:
    secret = await create_admin_key(ports)
    [key] = (await ports.storage.page(PageQuery(partitions=(SYSTEM_PARTITION,), kind=KEY))).records
    assert secret not in repr(key)
    assert secret.rpartition("_")[2] not in repr(key)


async def test_a_key_acts_in_its_own_workspace_and_an_admin_in_any_that_exists(ports: Ports) -> None:
    await create_workspace(ports, ADMIN, "team")
    member = replace(ADMIN, workspace="team", permissions=frozenset({"memory:read"}))
    assert await in_workspace(ports, member, "team") == member
    assert (await in_workspace(ports, ADMIN, "team")).workspace == "team"
    assert (await in_workspace(ports, replace(ADMIN, workspace="team"), "default")).workspace == "default"
    with pytest.raises(NotFound):
        await in_workspace(ports, ADMIN, "nowhere")


async def test_a_foreign_workspace_looks_like_one_that_does_not_exist(ports: Ports) -> None:
    await create_workspace(ports, ADMIN, "theirs")
    member = replace(ADMIN, permissions=frozenset({"memory:read", "memory:write"}))
    refusals = []
    for name in ("theirs", "nobody", "__system__", "", "x" * 10_000, "a\x00b"):
        with pytest.raises(NotFound) as refusal:
            await in_workspace(ports, member, name)
        refusals.append(refusal.value.message.replace(repr(name[:64]), "?"))
    assert len(set(refusals)) == 1


@pytest.mark.parametrize("name", ["__system__", "", "Team", "x" * 64, "a\x00b", "\ud800"])
async def test_no_admin_acts_in_a_workspace_that_was_not_made(ports: Ports, name: str) -> None:
    with pytest.raises(NotFound):
        await in_workspace(ports, ADMIN, name)
