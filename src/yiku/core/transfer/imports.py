"""Bring an export into a store."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from urllib.parse import unquote

from yiku.core.audit import audited
from yiku.core.memory.records import EVENT, MEMORY, MESSAGE, event_of, memory_of, message_of
from yiku.core.transfer.arrivals import Arrival, Received
from yiku.core.transfer.export_file import Entry, ExportFile, bad_line
from yiku.core.transfer.lines import AGAIN, GONE, record_of
from yiku.core.transfer.receive import Receiver, receive_all
from yiku.model.conditions import field_values
from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.metadata import check_scalar
from yiku.model.principal import Principal
from yiku.model.records import Record, Ref
from yiku.model.scopes import Partition, user_partition
from yiku.model.texts import check_identifier
from yiku.ports import Ports

_AT_ONCE = 500
"""One commit at most: short for the writer that all share."""
_AT_ONCE_EMBEDDED = 64
"""Without vectors most of the time goes into making them, and an import that is cut should not lose much of it."""

NOUNS: Mapping[str, Callable[[Record, Partition], object]] = {
    MEMORY: memory_of,
    EVENT: event_of,
    MESSAGE: lambda record, partition: message_of(record),
}
"""What a record must be readable as, by its kind."""


async def import_export(
    ports: Ports, principal: Principal, file: ExportFile, *, into_user: str | None = None
) -> AsyncGenerator[Received]:
    """Store what the file holds in the principal's workspace, and tell after every batch how far that is.

    Ids, times, metadata and evidence stay as they were. What is here already stays as it is, so an import that was cut
    is finished by running it again. A bad line ends it with an `InvalidInput` when everything before is stored.
    `into_user` puts one user's export under another name.
    """
    principal.require("admin")
    destination = _Destination(principal.workspace, into_user)
    receiver = Receiver(ports, copying=into_user is not None)
    at_once = _AT_ONCE if file.has_vectors else _AT_ONCE_EMBEDDED
    subject = into_user or ""
    async with audited(ports, principal, "data.import", workspace=principal.workspace, subject=subject):
        async for received in receive_all(receiver, _arrivals(file, destination, ports.limits), at_once=at_once):
            yield received
        yield await receiver.finish(complete=file.complete)


class _Destination:
    """Where each owner of the file goes."""

    def __init__(self, workspace: str, into_user: str | None) -> None:
        self._workspace = workspace
        self._into_user = into_user
        self._owner: str | None = None

    def partition(self, owner: str) -> Partition:
        store, app, user_id = (unquote(part) for part in owner.removeprefix("user:").split("/"))
        if user_partition(self._workspace, user_id, store=store, app=app).owner != owner:
            raise ValueError("no owner")
        if self._into_user is None:
            return Partition(self._workspace, owner)
        if self._owner not in (None, owner):
            raise InvalidInput("it belongs to a second user, and --into-user takes the export of one")
        self._owner = owner
        return user_partition(self._workspace, self._into_user, store=store, app=app)


def _arrivals(file: ExportFile, destination: _Destination, limits: Limits) -> Iterator[Arrival]:
    for entry in file.entries():
        yield _arrival(entry, destination, limits)


def _arrival(entry: Entry, destination: _Destination, limits: Limits) -> Arrival:
    try:
        if entry.kind == GONE:
            partition = destination.partition(entry.content["owner"])
            ref = Ref(str(entry.content["kind"]), str(entry.content["id"]))
            return Arrival(partition=partition, ref=ref, record=None)
        owner, record = record_of(entry.content)
        partition = destination.partition(owner)
        _check(record, partition, limits)
        ref = Ref(record.kind, record.id)
        return Arrival(partition=partition, ref=ref, record=record, again=entry.kind == AGAIN, size=entry.size)
    except InvalidInput as error:
        raise bad_line(entry.number, error.message) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise bad_line(entry.number, "it is not complete, or of a kind that this Yiku does not know") from error


def _check(record: Record, partition: Partition, limits: Limits) -> None:
    """Readable as what it claims to be, and fit for every store."""
    NOUNS[record.kind](record, partition)
    check_identifier(record.id, field="its id", bytes_max=limits.user_id_bytes)
    for name in record.fields:
        for value in field_values(record.fields, name):
            check_scalar(value, field=f"its field {name}", bytes_max=limits.metadata_bytes)
