"""The tenants of a server: made by its admin, never by being named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from yiku.core.audit import audit_record, new_entry
from yiku.model.errors import Conflict, InvalidInput, KeyTaken, NotFound
from yiku.model.principal import Principal
from yiku.model.records import Changes, PageQuery, Record
from yiku.model.scopes import DEFAULT_WORKSPACE, SYSTEM_PARTITION
from yiku.ports import Ports

WORKSPACE = "workspace"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""Small letters: doors name workspaces in paths, headers and host names, and the last know no others."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """`created` is None for the default one, which is always there."""

    name: str
    created: datetime | None


@dataclass(frozen=True, slots=True)
class WorkspacePage:
    count: int
    workspaces: tuple[Workspace, ...]


async def create_workspace(ports: Ports, principal: Principal, name: str) -> Workspace:
    """A new, empty workspace. `Conflict` when there is one of this name."""
    principal.require("admin")
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            "A workspace name has 1 to 63 small letters, digits, hyphens and underscores, beginning with a letter or "
            "digit",
            field="name",
        )
    now = ports.clock.now()
    # The name is the unique key, and not the id, so that of two who create it at once only one succeeds.
    record = Record(
        kind=WORKSPACE, id=ports.clock.new_id("ws-"), unique_key=name, created=now, updated=now, body={"name": name}
    )
    entry = new_entry(ports, principal, "workspace.create", workspace=name, subject=name)
    taken = Conflict(f"There is a workspace {name} already")
    if name == DEFAULT_WORKSPACE:
        raise taken
    try:
        await ports.storage.commit(Changes(partition=SYSTEM_PARTITION, puts=(record, audit_record(ports, entry))))
    except KeyTaken as error:
        raise taken from error
    return Workspace(name, now)


async def list_workspaces(ports: Ports, principal: Principal, *, page: int, page_size: int) -> WorkspacePage:
    """In the order in which they were made, the default one first."""
    principal.require("admin")
    offset = (page - 1) * page_size
    query = PageQuery(
        partitions=(SYSTEM_PARTITION,),
        kind=WORKSPACE,
        ascending=True,
        offset=max(offset - 1, 0),
        limit=page_size if offset else page_size - 1,
    )
    found = await ports.storage.page(query)
    made = tuple(Workspace(record.body["name"], record.created) for record in found.records)
    return WorkspacePage(found.count + 1, made if offset else (Workspace(DEFAULT_WORKSPACE, None), *made))


async def require_workspace(ports: Ports, name: str) -> None:
    """`NotFound` when there is none of this name."""
    if name != DEFAULT_WORKSPACE and not await _exists(ports, name):
        raise NotFound(f"There is no workspace {name[:64]!r}: make it first, or look for its name in the list")


async def _exists(ports: Ports, name: str) -> bool:
    return bool(_NAME.fullmatch(name) and await ports.storage.find(SYSTEM_PARTITION, WORKSPACE, [name]))
