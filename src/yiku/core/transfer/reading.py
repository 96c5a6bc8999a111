"""What do lines of an export say, and may it come in? Needs no store, so it can be worked out in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from yiku.core.knowledge.records import NODE
from yiku.core.memory.records import MEMORY
from yiku.core.transfer.arrivals import Arrival
from yiku.core.transfer.bounds import check_record, check_vector
from yiku.core.transfer.export_file import Line, bad_line
from yiku.core.transfer.lines import AGAIN, GONE, RECORD, content_of, parts_of
from yiku.model.errors import InvalidInput
from yiku.model.limits import Limits
from yiku.model.records import Record, Ref
from yiku.model.scopes import Partition, base_of, base_partition, library_partition, user_partition
from yiku.model.texts import check_identifier

MakeReady = Callable[[Sequence[Record]], list[Record]]
"""Works out what a store keeps of records, so that it need not do so itself."""

_SEARCHED = (MEMORY, NODE)
"""Most of a file; and whoever receives them only has to store them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Destination:
    """Where an export goes: the workspace, the user who takes the place of the file's own, and what is allowed there.

    `model` and `dimensions` are those of the embedder.
    """

    workspace: str
    into_user: str | None
    limits: Limits
    model: str
    dimensions: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadLines:
    """`fault` is what is wrong with the line after the last arrival; None when all were good.

    With `into_user`, `owner` is whose records they were.
    """

    arrivals: list[Arrival]
    fault: str | None = None
    owner: str | None = None


def read_lines(lines: Iterable[Line], destination: Destination, *, make_ready: MakeReady | None = None) -> ReadLines:
    owners = _Owners(destination)
    arrivals: list[Arrival] = []
    fault: str | None = None
    try:
        for number, line in lines:
            arrivals.append(_arrival(number, line, destination, owners))
    except InvalidInput as error:
        fault = error.message
    if make_ready is not None:
        _replace_by_ready(arrivals, destination.model, make_ready)
    return ReadLines(arrivals=arrivals, fault=fault, owner=owners.only)


def _replace_by_ready(arrivals: list[Arrival], model: str, make_ready: MakeReady) -> None:
    """Those whose vector stays as it is."""
    whole = {
        place: arrival.record
        for place, arrival in enumerate(arrivals)
        if arrival.record is not None and arrival.ref.kind in _SEARCHED
        if arrival.record.embedding is not None and arrival.record.embedding.model == model
    }
    for place, record in zip(whole, make_ready(list(whole.values())), strict=True):
        held = arrivals[place]
        arrivals[place] = Arrival(partition=held.partition, ref=held.ref, record=record, again=held.again)


class _Owners:
    """Where each owner of the file goes."""

    def __init__(self, destination: Destination) -> None:
        self._destination = destination
        self._last: tuple[str, Partition] | None = None
        """The records of an owner stand together."""
        self.only: str | None = None

    def partition(self, owner: str) -> Partition:
        if self._last is None or self._last[0] != owner:
            self._last = (owner, self._found(owner))
        return self._last[1]

    def _found(self, owner: str) -> Partition:
        workspace, into_user = self._destination.workspace, self._destination.into_user
        partition = Partition(workspace, owner)
        if partition in (library_partition(workspace), base_partition(workspace, base_of(partition))):
            if into_user is not None:
                raise InvalidInput("it belongs to a knowledge base, and --into-user takes the export of one user")
            return partition
        store, app, user_id = (unquote(part) for part in owner.removeprefix("user:").split("/"))
        if user_partition(workspace, user_id, store=store, app=app).owner != owner:
            raise ValueError("no owner")
        check_identifier(user_id, field="its user", bytes_max=self._destination.limits.user_id_bytes)
        if into_user is None:
            return partition
        if self.only not in (None, owner):
            raise InvalidInput("it belongs to a second user, and --into-user takes the export of one")
        self.only = owner
        return user_partition(workspace, into_user, store=store, app=app)


def _arrival(number: int, line: bytes, destination: Destination, owners: _Owners) -> Arrival:
    try:
        kind, content = content_of(line)
        if kind == GONE:
            partition = owners.partition(content["owner"])
            return Arrival(partition=partition, ref=Ref(str(content["kind"]), str(content["id"])), record=None)
        if kind not in (RECORD, AGAIN):
            raise InvalidInput("it is of a kind that this Yiku does not know")
        owner, parts = parts_of(content)
        partition, record = owners.partition(owner), Record(**parts)
        setting = check_record(record, partition, destination.limits)
        if record.embedding is not None:
            check_vector(record.embedding, model=destination.model, dimensions=destination.dimensions)
        # Made a second time: to replace one part of thirteen takes twice as long.
        whole = record if setting is None else Record(**parts, setting=setting)
        return Arrival(partition=partition, ref=Ref(record.kind, record.id), record=whole, again=kind == AGAIN)
    except InvalidInput as error:
        raise bad_line(number, error.message) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise bad_line(number, "it is not complete, or of a kind that this Yiku does not know") from error
