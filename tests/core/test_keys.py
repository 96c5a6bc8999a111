"""How are keys made, listed and revoked, and what is refused?"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from tests.core.memories import ADMIN
from yiku.adapters.clocks import ManualClock
from yiku.core.access import KeyRing
from yiku.core.audit import list_audit
from yiku.core.keys import create_key, import_key, list_keys, revoke_key
from yiku.core.workspaces import create_workspace, list_workspaces
from yiku.model.errors import Conflict, InvalidInput, NotFound, PermissionDenied
from yiku.model.keys import DEFAULT_PERMISSIONS, NewKey, check_permissions
from yiku.model.principal import Principal
from yiku.ports import Ports

OLD_KEY = "OS-an-old-key-of-another-shape"
MEMBER = Principal(key_id="m", workspace="default", permissions=DEFAULT_PERMISSIONS)


async def test_a_key_says_its_id_and_is_listed_without_its_secret(ports: Ports, clock: ManualClock) -> None:
    expires = clock.now() + timedelta(days=30)
    made = await create_key(ports, ADMIN, NewKey(name="bot", user_id="u1", expires=expires))
    assert re.fullmatch(rf"yk_{made.key.id}_[A-Za-z0-9_-]{{43}}", made.secret)
    listed = await list_keys(ports, ADMIN, page=1, page_size=10)
    assert (listed.count, listed.keys) == (1, (made.key,))
    assert (made.key.name, made.key.user_id, made.key.expires) == ("bot", "u1", expires)
    assert made.key.permissions == {"memory:read", "memory:write"}


async def test_an_expired_key_is_listed_until_it_is_revoked(ports: Ports, clock: ManualClock) -> None:
    made = await create_key(ports, ADMIN, NewKey(name="old", expires=clock.now() + timedelta(seconds=1)))
    clock.advance(2)
    assert (await list_keys(ports, ADMIN, page=1, page_size=10)).keys[0].has_expired(clock.now())
    await revoke_key(ports, ADMIN, made.key.id)
    assert (await list_keys(ports, ADMIN, page=1, page_size=10)).count == 0


async def test_keys_are_listed_page_by_page_newest_first(ports: Ports, clock: ManualClock) -> None:
    for number in range(5):
        await create_key(ports, ADMIN, NewKey(name=f"key {number}"))
        clock.advance(1)
    pages = [await list_keys(ports, ADMIN, page=page, page_size=2) for page in (1, 2, 3, 4)]
    assert [[key.name[-1] for key in page.keys] for page in pages] == [["4", "3"], ["2", "1"], ["0"], []]
    assert {page.count for page in pages} == {5}


async def test_a_key_of_any_shape_can_be_imported_once(ports: Ports) -> None:
    key = await import_key(ports, ADMIN, NewKey(name="old client"), OLD_KEY)
    assert (await KeyRing(ports).principal_of(OLD_KEY)).key_id == key.id
    with pytest.raises(Conflict, match=key.id):
        await import_key(ports, ADMIN, NewKey(name="again"), OLD_KEY)


@pytest.mark.parametrize("secret", ["", "short", "x" * 600, "a key with blanks in it", "ein-schlüssel-mit-umlaut"])
async def test_a_key_that_could_be_guessed_or_not_be_sent_is_not_imported(ports: Ports, secret: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await import_key(ports, ADMIN, NewKey(name="bad"), secret)
    assert refusal.value.field == "secret"


async def test_what_a_new_key_may_not_be(ports: Ports, clock: ManualClock) -> None:
    with pytest.raises(InvalidInput, match="past"):
        await create_key(ports, ADMIN, NewKey(name="late", expires=clock.now()))
    with pytest.raises(InvalidInput, match="user_id"):
        await create_key(ports, ADMIN, NewKey(name="all", user_id="*"))
    with pytest.raises(NotFound, match="nowhere"):
        await create_key(ports, ADMIN, NewKey(name="lost", workspace="nowhere"))
    with pytest.raises(InvalidInput, match="admin"):
        NewKey(name="both", permissions=frozenset({"admin"}), user_id="u1")
    with pytest.raises(InvalidInput, match="permissions"):
        NewKey(name="none", permissions=frozenset())
    with pytest.raises(InvalidInput, match="name"):
        NewKey(name=" ")
    with pytest.raises(InvalidInput, match="'memory:delete'"):
        check_permissions(["memory:read", "memory:delete"])


async def test_a_key_that_does_not_exist_cannot_be_revoked(ports: Ports) -> None:
    with pytest.raises(NotFound):
        await revoke_key(ports, ADMIN, "nothing")


async def test_only_admins_manage_keys_and_workspaces(ports: Ports) -> None:
    for refused in (
        create_key(ports, MEMBER, NewKey(name="mine")),
        import_key(ports, MEMBER, NewKey(name="mine"), OLD_KEY),
        list_keys(ports, MEMBER, page=1, page_size=1),
        revoke_key(ports, MEMBER, "any"),
        create_workspace(ports, MEMBER, "mine"),
        list_workspaces(ports, MEMBER, page=1, page_size=1),
        list_audit(ports, MEMBER, before=None, limit=1),
    ):
        with pytest.raises(PermissionDenied):
            await refused


async def test_a_workspace_is_made_once_and_the_default_one_is_always_there(ports: Ports) -> None:
    for name in ("beta", "alpha"):
        await create_workspace(ports, ADMIN, name)
    for name in ("beta", "default"):
        with pytest.raises(Conflict):
            await create_workspace(ports, ADMIN, name)
    for page_size in (1, 2, 3):
        names: list[str] = []
        for page in range(1, 5):
            found = await list_workspaces(ports, ADMIN, page=page, page_size=page_size)
            assert found.count == 3
            names += [workspace.name for workspace in found.workspaces]
        assert names == ["default", "beta", "alpha"]


@pytest.mark.parametrize("name", ["", "Team", "__system__", "-a", "a/b", "a.b", "x" * 64, "a\n", "团队", "\ud800"])
async def test_a_workspace_has_a_name_that_every_door_can_carry(ports: Ports, name: str) -> None:
    with pytest.raises(InvalidInput):
        await create_workspace(ports, ADMIN, name)


async def test_what_admins_do_is_in_the_audit_log(ports: Ports, clock: ManualClock) -> None:
    await create_workspace(ports, ADMIN, "team")
    clock.advance(1)
    made = await create_key(ports, ADMIN, NewKey(name="bot", workspace="team"))
    clock.advance(1)
    await revoke_key(ports, ADMIN, made.key.id)
    entries = (await list_audit(ports, ADMIN, before=None, limit=10)).entries
    assert [(entry.action, entry.workspace, entry.subject, entry.key_id, entry.outcome) for entry in entries] == [
        ("key.revoke", "team", made.key.id, "k", "done"),
        ("key.create", "team", made.key.id, "k", "done"),
        ("workspace.create", "team", "team", "k", "done"),
    ]
