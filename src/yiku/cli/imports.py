"""`yiku import`: an export of Yiku or of mem0 into a store."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal

from yiku.backends import OPERATOR, beside, collect_seldom, made_ready, open_ports
from yiku.cli.progress import Progress
from yiku.cli.store import has_store
from yiku.core.access import in_workspace
from yiku.core.transfer.arrivals import Received
from yiku.core.transfer.export_file import LINE_BYTES_MAX, ExportFile
from yiku.core.transfer.imports import Reader, import_export
from yiku.core.transfer.mem0 import import_mem0
from yiku.core.transfer.reading import read_lines
from yiku.model.errors import InvalidInput
from yiku.model.scopes import DEFAULT_WORKSPACE
from yiku.ports import Ports
from yiku.settings import Settings

Origin = Literal["yiku", "mem0"]
STANDARD_INPUT = Path("-")
READERS = 2
"""Processes that read lines: that takes twice the time of storing them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Import:
    """`workspace` is None for the one that the file names, `into_user` for the users that it names."""

    source: Path
    origin: Origin
    workspace: str | None = None
    into_user: str | None = None


async def bring_in(settings: Settings, wanted: Import, *, quiet: bool) -> int:
    """Exit code 1 when the file was cut, or adds have to wait elsewhere first."""
    collect_seldom()
    progress = Progress(quiet=quiet)
    received = Received()
    with _opened(wanted.source) as file:
        if not await has_store(settings):
            print(f"There was no store in {settings.place}: a new one is made.", file=sys.stderr)
        with beside(partial(read_lines, make_ready=made_ready), processes=READERS) as reader:
            async with open_ports(settings) as ports, aclosing(await _started(ports, wanted, file, reader)) as steps:
                async for received in steps:
                    progress.show(f"{received.stored} records stored, {received.kept} were here")
    progress.clear()
    return _reported(received)


async def _started(ports: Ports, wanted: Import, file: BinaryIO, reader: Reader) -> AsyncGenerator[Received]:
    if wanted.origin == "mem0":
        principal = await in_workspace(ports, OPERATOR, wanted.workspace or DEFAULT_WORKSPACE)
        return import_mem0(ports, principal, _document(file), into_user=wanted.into_user)
    export = ExportFile(iter(lambda: file.readline(LINE_BYTES_MAX + 1), b""))
    principal = await in_workspace(ports, OPERATOR, wanted.workspace or export.workspace)
    return import_export(ports, principal, export, into_user=wanted.into_user, reader=reader)


@contextmanager
def _opened(source: Path) -> Iterator[BinaryIO]:
    if source == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    try:
        file = source.open("rb")
    except OSError as error:
        raise InvalidInput(f"{source} cannot be read: {error.strerror}") from error
    with file:
        yield file


def _document(file: BinaryIO) -> object:
    try:
        return json.load(file)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"The file is no mem0 export: it cannot be read as JSON ({error})") from error


def _reported(received: Received) -> int:
    said = [f"Imported {received.stored} records, {received.embedded} of them embedded here."]
    if received.kept:
        said.append(f"{received.kept} were here already and stay as they are.")
    if received.requeued:
        said.append(f"{received.requeued} adds wait to be digested by the server.")
    if received.documents:
        said.append(f"{received.documents} documents wait to be read in by the server.")
    if received.waiting_elsewhere:
        said.append(
            f"WARNING: {received.waiting_elsewhere} adds still wait to be digested where they came from. Run the same"
            " import again when they are done."
        )
    if not received.complete:
        said.append("WARNING: the file was cut before its end. Import a whole one to have the rest.")
    print("\n".join(said), file=sys.stderr)
    return 1 if received.waiting_elsewhere or not received.complete else 0
