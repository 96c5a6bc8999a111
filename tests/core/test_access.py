"""Keys: who gets in."""

from __future__ import annotations

import pytest

from yiku.adapters.clocks import ManualClock
from yiku.core.access import CONFIGURED, KEY, KEY_FRESH_S, KeyRing, authenticate, create_admin_key, has_keys
from yiku.model.errors import Unauthenticated
from yiku.model.records import Changes, Ref
from yiku.model.scopes import SYSTEM_PARTITION
from yiku.ports import Ports


async def test_a_created_key_is_an_admin_of_the_default_workspace(ports: Ports) -> None:
    assert not await has_keys(ports)
    principal = await authenticate(ports, await create_admin_key(ports))
    assert (principal.workspace, principal.user_id) == ("default", None)
    principal.require("memory:write")
    assert await has_keys(ports)


@pytest.mark.parametrize("secret", ["", "yk_unknown_key", "x" * 10_000, "\ud800"])
async def test_an_unknown_key_is_refused(ports: Ports, secret: str) -> None:
    await create_admin_key(ports)
    with pytest.raises(Unauthenticated):
        await authenticate(ports, secret)


async def test_a_configured_key_is_an_admin_key_of_this_process_and_never_stored(ports: Ports) -> None:
    keys = KeyRing(ports, configured="a-key-of-my-own-choice")
    assert (await keys.principal_of("a-key-of-my-own-choice")) == CONFIGURED
    assert not await has_keys(ports)
    for other in (KeyRing(ports), KeyRing(ports, configured="another-key-of-my-choice")):
        with pytest.raises(Unauthenticated):
            await other.principal_of("a-key-of-my-own-choice")


async def test_a_key_that_is_gone_is_refused_a_moment_later(ports: Ports, clock: ManualClock) -> None:
    keys = KeyRing(ports)
    secret = await create_admin_key(ports)
    principal = await keys.principal_of(secret)
    await ports.storage.commit(Changes(partition=SYSTEM_PARTITION, deletes=(Ref(KEY, principal.key_id),)))
    assert await keys.principal_of(secret) == principal
    clock.advance(KEY_FRESH_S)
    with pytest.raises(Unauthenticated):
        await keys.principal_of(secret)


async def test_the_store_does_not_hold_the_secret(ports: Ports, tmp_path: object) -> None:
    from pathlib import Path

    secret = await create_admin_key(ports)
    await ports.storage.close()
    assert isinstance(tmp_path, Path)
    for file in (tmp_path / "data").iterdir():
        assert secret.encode() not in file.read_bytes()
        assert secret.rpartition("_")[2].encode() not in file.read_bytes()
