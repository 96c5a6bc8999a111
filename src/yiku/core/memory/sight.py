"""Find what a caller names by its id alone, if it is the caller's to see."""

from __future__ import annotations

from yiku.model.errors import NotFound
from yiku.model.principal import Principal
from yiku.model.records import Record
from yiku.model.scopes import Partition, user_of
from yiku.ports import Ports


async def seen(ports: Ports, principal: Principal, kind: str, id: str, missing: NotFound) -> tuple[Partition, Record]:
    """The record and where it lives; `missing` when there is none in the workspace, or it is another user's."""
    located = await ports.storage.locate(principal.workspace, kind, id)
    if located is None:
        raise missing
    principal.require_sight_of(user_of(located[0]), missing)
    return located
