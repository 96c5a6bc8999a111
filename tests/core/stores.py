"""Which stores does a test of moving data have, and how are they compared?"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from typing import Any

from tests.core.memories import ADMIN
from yiku.core.transfer.arrivals import Received
from yiku.core.transfer.export import Export, export_lines
from yiku.core.transfer.export_file import ExportFile
from yiku.core.transfer.imports import import_export
from yiku.core.transfer.lines import content_of
from yiku.model.principal import Principal
from yiku.ports import Ports


def admin_of(workspace: str) -> Principal:
    return replace(ADMIN, workspace=workspace)


async def exported(ports: Ports, wanted: Export | None = None, *, workspace: str = "default") -> list[bytes]:
    return [line async for line in export_lines(ports, admin_of(workspace), wanted or Export())]


async def imported(
    ports: Ports, lines: Iterable[bytes], *, workspace: str = "default", into_user: str | None = None
) -> Received:
    """How it ended."""
    return await last(import_export(ports, admin_of(workspace), ExportFile(lines), into_user=into_user))


async def last(steps: AsyncIterator[Received]) -> Received:
    return [received async for received in steps][-1]


async def contents(ports: Ports, *, workspace: str = "default") -> list[dict[str, Any]]:
    """Every record there is, but for how often it was written."""
    lines = await exported(ports, workspace=workspace)
    records = [content_of(line)[1] | {"version": 0} for line in lines[1:-1]]
    return sorted(records, key=lambda record: (record["owner"], record["kind"], record["id"]))


def record_lines(lines: Iterable[bytes]) -> list[bytes]:
    return [line for line in lines if content_of(line)[0] == "record"]
