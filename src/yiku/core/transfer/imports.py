"""Bring an export into a store."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from urllib.parse import unquote

from yiku.core.audit import audited
from yiku.core.memory.records import with_setting
from yiku.core.transfer.arrivals import Arrival, Received
from yiku.core.transfer.bounds import check_record, check_vector
from yiku.core.transfer.export_file import Entry, ExportFile, bad_line
from yiku.core.transfer.lines import AGAIN, GONE, record_of
from yiku.core.transfer.receive import Receiver, receive_all
from yiku.model.errors import InvalidInput
from yiku.model.principal import Principal
from yiku.model.records import Ref
from yiku.model.scopes import Partition, base_of, base_partition, library_partition, user_partition
from yiku.model.texts import check_identifier
from yiku.ports import Ports

_AT_ONCE = 500
"""One commit at most: short for the writer that all share."""
_AT_ONCE_EMBEDDED = 64
"""Without vectors most of the time goes into making them, and an import that is cut should not lose much of it."""


async def import_export(
    ports: Ports, principal: Principal, file: ExportFile, *, into_user: str | None = None
) -> AsyncGenerator[Received]:
    """Store what the file holds in the principal's workspace, and tell after every batch how far that is.

    Ids, times, metadata and evidence stay as they were. What is here already stays as it is, so an import that was cut
    is finished by running it again. A bad line ends it with an `InvalidInput` when everything before is stored.
    `into_user` puts one user's export under another name.
    """
    principal.require("admin")
    destination = _Destination(principal.workspace, into_user, bytes_max=ports.limits.user_id_bytes)
    receiver = Receiver(ports)
    at_once = _AT_ONCE if file.has_vectors else _AT_ONCE_EMBEDDED
    subject = into_user or ""
    async with audited(ports, principal, "data.import", workspace=principal.workspace, subject=subject):
        async for received in receive_all(receiver, _arrivals(ports, file, destination), at_once=at_once):
            yield received
        yield await receiver.finish(complete=file.complete)


class _Destination:
    """Where each owner of the file goes."""

    def __init__(self, workspace: str, into_user: str | None, *, bytes_max: int) -> None:
        self._workspace = workspace
        self._into_user = into_user
        self._bytes_max = bytes_max
        self._last: tuple[str, Partition] | None = None
        """The records of an owner stand together."""
        self._owner: str | None = None

    def partition(self, owner: str) -> Partition:
        if self._last is None or self._last[0] != owner:
            self._last = (owner, self._found(owner))
        return self._last[1]

    def _found(self, owner: str) -> Partition:
        partition = Partition(self._workspace, owner)
        if partition in (library_partition(self._workspace), base_partition(self._workspace, base_of(partition))):
            if self._into_user is not None:
                raise InvalidInput("it belongs to a knowledge base, and --into-user takes the export of one user")
            return partition
        store, app, user_id = (unquote(part) for part in owner.removeprefix("user:").split("/"))
        if user_partition(self._workspace, user_id, store=store, app=app).owner != owner:
            raise ValueError("no owner")
        check_identifier(user_id, field="its user", bytes_max=self._bytes_max)
        if self._into_user is None:
            return partition
        if self._owner not in (None, owner):
            raise InvalidInput("it belongs to a second user, and --into-user takes the export of one")
        self._owner = owner
        return user_partition(self._workspace, self._into_user, store=store, app=app)


def _arrivals(ports: Ports, file: ExportFile, destination: _Destination) -> Iterator[Arrival]:
    for entry in file.entries():
        yield _arrival(ports, entry, destination)


def _arrival(ports: Ports, entry: Entry, destination: _Destination) -> Arrival:
    try:
        if entry.kind == GONE:
            partition = destination.partition(entry.content["owner"])
            ref = Ref(str(entry.content["kind"]), str(entry.content["id"]))
            return Arrival(partition=partition, ref=ref, record=None)
        owner, record = record_of(entry.content)
        partition = destination.partition(owner)
        check_record(record, partition, ports.limits)
        if record.embedding is not None:
            check_vector(record.embedding, ports.embedder)
        ref, whole = Ref(record.kind, record.id), with_setting(record, partition)
        return Arrival(partition=partition, ref=ref, record=whole, again=entry.kind == AGAIN, size=entry.size)
    except InvalidInput as error:
        raise bad_line(entry.number, error.message) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise bad_line(entry.number, "it is not complete, or of a kind that this Yiku does not know") from error
