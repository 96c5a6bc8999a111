"""What `yiku doctor` says of how much a store holds: counted where that is quick, and said so where it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from yiku.backends import OPERATOR
from yiku.cli.findings import Finding, State
from yiku.cli.store import database_file
from yiku.core.knowledge.bases import count_bases
from yiku.core.knowledge.records import DOCUMENT
from yiku.core.memory.records import MEMORY
from yiku.core.workspaces import list_workspaces
from yiku.model.conditions import EVERYTHING, Condition, Eq
from yiku.model.knowledge import DocumentState
from yiku.model.records import PageQuery
from yiku.model.scopes import Partition, base_partition, user_partition
from yiku.ports import Ports
from yiku.settings import Settings

_WORKSPACES_COUNTED = 1_000
_OWNERS_COUNTED = 1_000
"""Users, and bases. What more of them have is not counted: the doctor is asked by somebody who waits."""
_STATES = {
    DocumentState.SUCCESS: "read",
    DocumentState.PROCESSING: "being read",
    DocumentState.FAIL: "could not be read",
}


async def counted(ports: Ports, settings: Settings) -> Finding:
    """Users beyond the bound are at `/admin/v1/users`, page by page."""
    spaces = await list_workspaces(ports, OPERATOR, page=1, page_size=_WORKSPACES_COUNTED)
    names = [space.name for space in spaces.workspaces]
    said = [
        f"workspaces: {spaces.count}",
        *await _users(ports, names),
        f"knowledge bases: {await count_bases(ports, names)}",
        *await _documents(ports, names),
    ]
    if settings.database_url is None:
        size = await asyncio.to_thread(_bytes_on_disk, database_file(settings))
        said.append(f"on disk: {size / 1_000_000:.1f} MB")
    return Finding("holdings", State.GOOD, ", ".join(said))


async def _users(ports: Ports, workspaces: Sequence[str]) -> list[str]:
    users = await _owners(ports, [user_partition(name, "") for name in workspaces])
    if len(users) > _OWNERS_COUNTED:
        return [f"users: more than {_OWNERS_COUNTED} (their memories are not counted)"]
    return [f"users: {len(users)}", f"memories: {await _count(ports, users, MEMORY)}"]


async def _documents(ports: Ports, workspaces: Sequence[str]) -> list[str]:
    bases = await _owners(ports, [base_partition(name, "") for name in workspaces])
    if len(bases) > _OWNERS_COUNTED:
        return ["documents: not counted"]
    counts = {said: await _count(ports, bases, DOCUMENT, Eq("state", state.value)) for state, said in _STATES.items()}
    by_state = "; ".join(f"{count} {said}" for said, count in counts.items() if count)
    return [f"documents: {sum(counts.values())}" + (f" ({by_state})" if by_state else "")]


async def _owners(ports: Ports, beginnings: Sequence[Partition]) -> list[Partition]:
    """Whose names begin like this, one more than are counted at most."""
    found: list[Partition] = []
    for beginning in beginnings:
        room = _OWNERS_COUNTED + 1 - len(found)
        if room:
            found += await ports.storage.partitions(beginning.workspace, beginning.owner, limit=room)
    return found


async def _count(ports: Ports, partitions: Sequence[Partition], kind: str, where: Condition = EVERYTHING) -> int:
    query = PageQuery(partitions=tuple(partitions), kind=kind, where=where, limit=0)
    return (await ports.storage.page(query)).count if partitions else 0


def _bytes_on_disk(database: Path) -> int:
    """With the log beside it, which a process may take back at any moment."""
    log = database.with_name(f"{database.name}-wal")
    return sum(file.stat().st_size for file in (database, log) if file.exists())
