"""What `yiku workspaces` does."""

from __future__ import annotations

import json

from yiku.backends import OPERATOR, open_ports
from yiku.cli.store import require_store
from yiku.cli.tables import print_table
from yiku.core.workspaces import Workspace, create_workspace, list_workspaces
from yiku.settings import Settings
from yiku.wire.admin import workspace_result

WORKSPACES_AT_ONCE = 1_000


async def create(settings: Settings, name: str, *, new_store: bool) -> int:
    if not new_store:
        await require_store(settings, or_else="; to make a new one say --new-store")
    async with open_ports(settings) as ports:
        await create_workspace(ports, OPERATOR, name)
    print(f"The workspace {name} is there. Make a key for it with: yiku keys create --name NAME --workspace {name}")
    return 0


async def show(settings: Settings, *, as_json: bool) -> int:
    await require_store(settings)
    workspaces: list[Workspace] = []
    async with open_ports(settings) as ports:
        count = 1
        while len(workspaces) < count:
            page = len(workspaces) // WORKSPACES_AT_ONCE + 1
            found = await list_workspaces(ports, OPERATOR, page=page, page_size=WORKSPACES_AT_ONCE)
            workspaces += found.workspaces
            count = found.count if found.workspaces else 0
    if as_json:
        print(json.dumps([workspace_result(workspace) for workspace in workspaces], ensure_ascii=False))
    else:
        rows = [
            (workspace.name, f"{workspace.created:%Y-%m-%d %H:%M}" if workspace.created else "always")
            for workspace in workspaces
        ]
        print_table(("NAME", "MADE"), rows)
    return 0
