"""Write a workspace or a user out, line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from yiku import __version__
from yiku.core.audit import audited_read
from yiku.core.transfer.lines import AGAIN, END, EXPORT, FORMAT, GONE, RECORD, line_of, record_content
from yiku.model.errors import NotFound
from yiku.model.principal import Principal
from yiku.model.records import Change, Ref
from yiku.model.scopes import Partition, library_partition, user_partition
from yiku.model.times import format_timestamp
from yiku.ports import Ports

_SCANNED_AT_ONCE = 500
_OWNERS_AT_ONCE = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class Export:
    """What is wanted of a workspace: everything, or one user. With vectors an import need not embed."""

    user_id: str | None = None
    with_vectors: bool = False


async def export_lines(ports: Ports, principal: Principal, wanted: Export) -> AsyncGenerator[bytes]:
    """The lines of an export of the principal's workspace; `NotFound` before the first for a user who does not exist.

    Adds and changes go on meanwhile: what changed after it was written is written once more, so that an import ends
    with its newer state. Nothing is kept in memory but the ids of the owner that is being written.
    """
    principal.require("admin")
    if wanted.user_id is not None:
        await _require_user(ports, principal.workspace, wanted.user_id)
    subject = wanted.user_id or ""
    async with audited_read(ports, principal, "data.export", workspace=principal.workspace, subject=subject):
        digest, counts = sha256(), Counter[str]()
        async for line in _lines(ports, principal.workspace, wanted, counts):
            digest.update(line)
            yield line
        yield line_of(END, {"records": dict(counts), "sha256": digest.hexdigest()})


async def _require_user(ports: Ports, workspace: str, user_id: str) -> None:
    owner = user_partition(workspace, user_id).owner
    if user_partition(workspace, user_id) not in await ports.storage.partitions(workspace, owner, limit=1):
        raise NotFound(f"There is no user {user_id} in the workspace {workspace}", field="user_id")


def _header(ports: Ports, workspace: str, wanted: Export) -> bytes:
    origin = {"yiku": __version__, "workspace": workspace, "user_id": wanted.user_id}
    created = format_timestamp(ports.clock.now())
    return line_of(EXPORT, {"format": FORMAT, **origin, "created": created, "vectors": wanted.with_vectors})


async def _lines(ports: Ports, workspace: str, wanted: Export, counts: Counter[str]) -> AsyncIterator[bytes]:
    yield _header(ports, workspace, wanted)
    async for owner in _owners(ports, workspace, wanted.user_id):
        async for line in _lines_of(ports, owner, counts, with_vectors=wanted.with_vectors):
            yield line


async def _owners(ports: Ports, workspace: str, user_id: str | None) -> AsyncIterator[Partition]:
    if user_id is not None:
        yield user_partition(workspace, user_id)
        return
    # First which bases there are: an import takes nothing of a base that it does not know.
    library = library_partition(workspace)
    if library in await ports.storage.partitions(workspace, library.owner, limit=1):
        yield library
    after = ""
    while found := await ports.storage.partitions(workspace, "", after=after, limit=_OWNERS_AT_ONCE):
        for partition in found:
            if partition != library:
                yield partition
        after = found[-1].owner


async def _lines_of(
    ports: Ports, partition: Partition, counts: Counter[str], *, with_vectors: bool
) -> AsyncIterator[bytes]:
    written: set[Ref] = set()
    after = 0
    while changes := await ports.storage.scan(partition, after=after, limit=_SCANNED_AT_ONCE):
        for line in _written(changes, written, with_vectors=with_vectors):
            yield line
        after = changes[-1].sequence
    counts.update(ref.kind for ref in written)


def _written(changes: Sequence[Change], written: set[Ref], *, with_vectors: bool) -> Iterator[bytes]:
    for change in changes:
        owner = change.partition.owner
        if change.record is not None:
            kind = AGAIN if change.ref in written else RECORD
            written.add(change.ref)
            yield line_of(kind, record_content(owner, change.record, with_vector=with_vectors))
        elif change.ref in written:
            written.remove(change.ref)
            yield line_of(GONE, {"owner": owner, "kind": change.ref.kind, "id": change.ref.id})
