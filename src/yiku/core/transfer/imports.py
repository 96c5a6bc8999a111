"""Bring an export into a store."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from yiku.core.audit import audited
from yiku.core.transfer.arrivals import Arrival, Received
from yiku.core.transfer.export_file import ExportFile, Line, bad_line
from yiku.core.transfer.reading import Destination, ReadLines, read_lines
from yiku.core.transfer.receive import Receiver, in_batches, receive_all
from yiku.model.errors import InvalidInput
from yiku.model.principal import Principal
from yiku.ports import Ports

Reader = Callable[[Sequence[Line], Destination], Awaitable[ReadLines]]
"""Runs `read_lines` somewhere."""

_AT_ONCE = 500
"""One commit at most: short for the writer that all share."""
_AHEAD = 3
"""Batches that are read, or wait for it, while one is stored: so many that two readers are never idle."""
_AT_ONCE_EMBEDDED = 64
"""Without vectors most of the time goes into making them, and an import that is cut should not lose much of it."""


async def read_here(lines: Sequence[Line], destination: Destination) -> ReadLines:
    return await asyncio.to_thread(read_lines, lines, destination)


async def import_export(
    ports: Ports, principal: Principal, file: ExportFile, *, into_user: str | None = None, reader: Reader = read_here
) -> AsyncGenerator[Received]:
    """Store what the file holds in the principal's workspace, and tell after every batch how far that is.

    Ids, times, metadata and evidence stay as they were. What is here already stays as it is, so an import that was cut
    is finished by running it again. A bad line ends it with an `InvalidInput` when everything before is stored.
    `into_user` puts one user's export under another name. `reader` is where the lines are read, most of the work.
    """
    principal.require("admin")
    destination = Destination(
        workspace=principal.workspace,
        into_user=into_user,
        limits=ports.limits,
        model=ports.embedder.model,
        dimensions=ports.embedder.dimensions,
    )
    receiver = Receiver(ports)
    subject = into_user or ""
    async with audited(ports, principal, "data.import", workspace=principal.workspace, subject=subject):
        async for received in receive_all(receiver, _arrivals(file, destination, reader)):
            yield received
        yield await receiver.finish(complete=file.complete)


async def _arrivals(file: ExportFile, destination: Destination, reader: Reader) -> AsyncGenerator[Sequence[Arrival]]:
    owner: str | None = None
    async for lines, found in _read(file, destination, reader):
        if destination.into_user is not None and None not in (owner, found.owner) and owner != found.owner:
            raise bad_line(lines[0][0], "it belongs to a second user, and --into-user takes the export of one")
        owner = found.owner or owner
        yield found.arrivals
        if found.fault is not None:
            raise InvalidInput(found.fault)


async def _read(
    file: ExportFile, destination: Destination, reader: Reader
) -> AsyncGenerator[tuple[list[Line], ReadLines]]:
    """In order, and a few batches ahead, so that whoever reads does not wait for the store."""
    at_once = _AT_ONCE if file.has_vectors else _AT_ONCE_EMBEDDED
    batches = in_batches(file.lines(), at_once, size=lambda line: len(line[1]))
    ahead: deque[tuple[list[Line], asyncio.Future[ReadLines]]] = deque()
    fault: InvalidInput | None = None
    try:
        async for lines in batches:
            ahead.append((lines, asyncio.ensure_future(reader(lines, destination))))
            if len(ahead) > _AHEAD:
                yield ahead[0][0], await ahead.popleft()[1]
    except InvalidInput as error:
        fault = error  # What came before it is good.
    try:
        while ahead:
            yield ahead[0][0], await ahead.popleft()[1]
    finally:
        for _, reading in ahead:
            reading.cancel()
    if fault is not None:
        raise fault
