"""Short ways to say what a test of the memory verbs is about."""

from __future__ import annotations

from typing import Any

from yiku.core.memory.add import add_memories
from yiku.core.memory.events import event_status
from yiku.core.memory.read import list_memories
from yiku.core.memory.search import search_memories
from yiku.core.work import HANDLERS, run_jobs
from yiku.model.memories import AddMemories, Event, ListMemories, Memory, SearchMemories
from yiku.model.messages import Message
from yiku.model.principal import Principal
from yiku.model.scopes import Scope
from yiku.ports import Ports

ADMIN = Principal(key_id="k", workspace="default", permissions=frozenset({"admin"}))


def scope(user_id: str = "u1", *, agent_id: str | None = None, run_id: str | None = None) -> Scope:
    return Scope(workspace="default", user_id=user_id, agent_id=agent_id, run_id=run_id)


def said(*texts: str, name: str | None = None) -> tuple[Message, ...]:
    return tuple(Message(role="user", content=text, name=name) for text in texts)


async def add(ports: Ports, *texts: str, where: Scope | None = None, **given: Any) -> Event:
    """Add, digest everything that waits, and return the final event."""
    event = await add_memories(ports, ADMIN, AddMemories(scope=where or scope(), messages=said(*texts), **given))
    await digest_all(ports)
    return await event_status(ports, ADMIN, event.id)


async def digest_all(ports: Ports) -> int:
    """Run every job that can run now; how many there were."""
    done = 0
    while jobs := await ports.storage.claim(tuple(HANDLERS), lease_s=60, limit=ports.limits.jobs_per_batch):
        await run_jobs(ports, jobs)
        done += len(jobs)
    return done


async def listed(ports: Ports, user_id: str = "u1", principal: Principal = ADMIN) -> list[Memory]:
    return list((await list_memories(ports, principal, ListMemories(scope=scope(user_id)))).memories)


async def found(ports: Ports, text: str, user_id: str = "u1", **given: Any) -> list[str]:
    """The texts of the memories that a search finds, best first."""
    query = SearchMemories(scope=scope(user_id), text=text, **given)
    return [hit.memory.text for hit in (await search_memories(ports, ADMIN, query)).hits]
