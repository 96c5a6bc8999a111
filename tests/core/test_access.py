"""Keys: who gets in."""

from __future__ import annotations

import pytest

from yiku.core.access import CONFIGURED_KEY, authenticate, create_admin_key, forget_key, has_keys, store_admin_key
from yiku.model.errors import Unauthenticated
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


async def test_a_configured_key_is_accepted_exactly_while_it_is_configured(ports: Ports) -> None:
    await store_admin_key(ports, CONFIGURED_KEY, "a-key-of-my-own-choice")
    assert (await authenticate(ports, "a-key-of-my-own-choice")).key_id == CONFIGURED_KEY
    await store_admin_key(ports, CONFIGURED_KEY, "another-key-of-my-choice")
    with pytest.raises(Unauthenticated):
        await authenticate(ports, "a-key-of-my-own-choice")
    await forget_key(ports, CONFIGURED_KEY)
    with pytest.raises(Unauthenticated):
        await authenticate(ports, "another-key-of-my-choice")


async def test_the_store_does_not_hold_the_secret(ports: Ports, tmp_path: object) -> None:
    from pathlib import Path

    secret = await create_admin_key(ports)
    await ports.storage.close()
    assert isinstance(tmp_path, Path)
    for file in (tmp_path / "data").iterdir():
        assert secret.encode() not in file.read_bytes()
        assert secret.rpartition("_")[2].encode() not in file.read_bytes()
