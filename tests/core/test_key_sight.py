"""What does each verb do for a key that may see less than everything? Every verb has its row here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.core.memories import ADMIN, add, digest_all, listed, said, scope
from yiku.core.jobs import list_jobs, retry_job
from yiku.core.memory.add import add_memories
from yiku.core.memory.edit import delete_memory, update_memory
from yiku.core.memory.events import event_status
from yiku.core.memory.read import get_memory, list_memories
from yiku.core.memory.search import search_memories
from yiku.core.users import delete_user, list_users
from yiku.core.workspaces import create_workspace
from yiku.model.errors import NotFound, PermissionDenied
from yiku.model.memories import AddMemories, ChangeMemory, ListMemories, SearchMemories
from yiku.model.principal import PERMISSIONS, Permission, Principal
from yiku.model.scopes import Scope
from yiku.ports import Ports


@dataclass(frozen=True)
class Theirs:
    """What another user has."""

    memory_id: str
    event_id: str
    user_id: str = "theirs"

    def scope(self, workspace: str) -> Scope:
        return Scope(workspace=workspace, user_id=self.user_id)


Verb = Callable[[Ports, Principal, Theirs], Awaitable[Any]]

BY_USER: dict[str, tuple[Permission, Verb]] = {
    "add_memories": (
        "memory:write",
        lambda ports, who, theirs: add_memories(
            ports, who, AddMemories(scope=theirs.scope(who.workspace), messages=said("I like tea"))
        ),
    ),
    "search_memories": (
        "memory:read",
        lambda ports, who, theirs: search_memories(
            ports, who, SearchMemories(scope=theirs.scope(who.workspace), text="tea")
        ),
    ),
    "list_memories": (
        "memory:read",
        lambda ports, who, theirs: list_memories(ports, who, ListMemories(scope=theirs.scope(who.workspace))),
    ),
    "delete_user": ("memory:write", lambda ports, who, theirs: delete_user(ports, who, theirs.user_id)),
}
"""Verbs that name a user, with the permission that each needs."""

BY_ID: dict[str, tuple[Permission, Verb]] = {
    "get_memory": ("memory:read", lambda ports, who, theirs: get_memory(ports, who, theirs.memory_id)),
    "update_memory": (
        "memory:write",
        lambda ports, who, theirs: update_memory(ports, who, theirs.memory_id, ChangeMemory(text="I like coffee")),
    ),
    "delete_memory": ("memory:write", lambda ports, who, theirs: delete_memory(ports, who, theirs.memory_id)),
    "event_status": ("memory:read", lambda ports, who, theirs: event_status(ports, who, theirs.event_id)),
}
"""Verbs that name an id only."""

BY_ADMIN: dict[str, tuple[Permission, Verb]] = {
    "list_users": ("admin", lambda ports, who, theirs: list_users(ports, who, after="", limit=1)),
    "list_jobs": ("admin", lambda ports, who, theirs: list_jobs(ports, who, after=0, limit=1)),
    "retry_job": ("admin", lambda ports, who, theirs: retry_job(ports, who, theirs.event_id)),
}
EVERY = BY_USER | BY_ID | BY_ADMIN


def key(*permissions: Permission, workspace: str = "default", user_id: str | None = None) -> Principal:
    return Principal(key_id="b", workspace=workspace, permissions=frozenset(permissions), user_id=user_id)


@pytest.fixture
async def theirs(ports: Ports) -> Theirs:
    await create_workspace(ports, ADMIN, "elsewhere")
    event = await add(ports, "I like green tea", where=scope("theirs"))
    return Theirs(memory_id=event.memory_ids[0], event_id=event.id)


async def untouched(ports: Ports) -> bool:
    await digest_all(ports)
    return [memory.version for memory in await listed(ports, "theirs")] == [1]


@pytest.mark.parametrize("name", EVERY)
async def test_every_verb_wants_its_permission(ports: Ports, theirs: Theirs, name: str) -> None:
    needed, verb = EVERY[name]
    all_others = [permission for permission in PERMISSIONS if permission not in (needed, "admin")]
    with pytest.raises(PermissionDenied, match=needed):
        await verb(ports, key(*all_others), theirs)
    assert await untouched(ports)


@pytest.mark.parametrize("name", BY_USER)
async def test_a_bound_key_may_not_name_another_user(ports: Ports, theirs: Theirs, name: str) -> None:
    with pytest.raises(PermissionDenied, match="bound to another"):
        await BY_USER[name][1](ports, key("memory:read", "memory:write", user_id="mine"), theirs)
    assert await untouched(ports)


@pytest.mark.parametrize("name", BY_ID)
@pytest.mark.parametrize("workspace", ["default", "elsewhere"])
async def test_what_is_anothers_looks_like_what_does_not_exist(
    ports: Ports, theirs: Theirs, name: str, workspace: str
) -> None:
    user_id = "mine" if workspace == "default" else "theirs"
    bound = key("memory:read", "memory:write", workspace=workspace, user_id=user_id)
    nothing = Theirs(memory_id="m-none", event_id="me-none")
    with pytest.raises(NotFound) as foreign:
        await BY_ID[name][1](ports, bound, theirs)
    with pytest.raises(NotFound) as missing:
        await BY_ID[name][1](ports, bound, nothing)
    told = foreign.value.message.replace(theirs.memory_id, "m-none").replace(theirs.event_id, "me-none")
    assert told == missing.value.message
    assert await untouched(ports)


async def test_the_same_user_id_in_another_workspace_is_another_user(ports: Ports, theirs: Theirs) -> None:
    stranger = key("memory:read", "memory:write", workspace="elsewhere")
    for name in ("list_memories", "search_memories", "delete_user"):
        found = await BY_USER[name][1](ports, stranger, theirs)
        assert not getattr(found, "memories", ()) and not getattr(found, "hits", ()) and found != 1
    assert await untouched(ports)


@pytest.mark.parametrize("name", BY_USER | BY_ID)
async def test_a_key_bound_to_the_user_may_do_all_of_it(ports: Ports, theirs: Theirs, name: str) -> None:
    await EVERY[name][1](ports, key("memory:read", "memory:write", user_id="theirs"), theirs)
