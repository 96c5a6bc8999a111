"""Read a piece of an item: of what is published, or of any of its revisions for those who write them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from yiku.core.knowledge.documents import missing_document, require_document
from yiku.core.knowledge.publishing import read_revision, require_revision
from yiku.core.knowledge.records import DOCUMENT
from yiku.core.knowledge.texts import texts_of
from yiku.model.errors import InvalidInput, NotFound
from yiku.model.knowledge import Document, Revision
from yiku.model.principal import Principal
from yiku.model.scopes import Partition, base_of
from yiku.ports import Ports

READ_CHARACTERS_MAX = 10_000
"""Of one piece (seed 004: limit_chars)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadPublished:
    """An item, wherever in the workspace it is unless `base_id` says; its current revision unless one is named.

    The piece has at most `limit` characters from number `offset` on.
    """

    item_id: str
    base_id: str | None = None
    revision_id: str | None = None
    offset: int = 0
    limit: int = READ_CHARACTERS_MAX


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """`content` begins at character `offset` of the revision's text, which is on line `first_line`."""

    document: Document
    revision: Revision
    content: str
    offset: int
    first_line: int

    @property
    def last_line(self) -> int:
        return self.first_line + self.content.removesuffix("\n").count("\n")

    @property
    def is_cut(self) -> bool:
        """Whether there is more after it."""
        return self.offset + len(self.content) < self.revision.characters


async def read_published(ports: Ports, principal: Principal, wanted: ReadPublished) -> Piece:
    """A piece of a published item. `NotFound` for what is missing, archived or a draft.

    Ids that clients chose may stand for items of several bases; then the base must be named.
    """
    principal.require("knowledge:read")
    named = None if wanted.base_id is None else [wanted.base_id]
    found: list[tuple[Partition, Document, Revision]] = []
    for base_id in await _bases_with(ports, principal, wanted.item_id) if named is None else named:
        try:
            found.append(await read_revision(ports, principal, base_id, wanted.item_id, wanted.revision_id))
        except NotFound:
            continue
        if len(found) > 1:
            raise InvalidInput("Items of several knowledge bases have this id: name the base, too", field="kb_id")
    if not found:
        raise missing_document(wanted.item_id)
    return await _piece(ports, *found[0], offset=wanted.offset, limit=wanted.limit)


async def read_any_revision(
    ports: Ports,
    principal: Principal,
    base_id: str,
    document_id: str,
    revision_id: str,
    *,
    offset: int = 0,
    limit: int = READ_CHARACTERS_MAX,
) -> Piece:
    """A piece of any revision, drafts too. It is empty while the text is not in yet."""
    principal.require("knowledge:read")
    partition, document = await require_document(ports, principal, base_id, document_id)
    revision = await require_revision(ports, partition, document, revision_id)
    return await _piece(ports, partition, document, revision, offset=offset, limit=limit)


async def _bases_with(ports: Ports, principal: Principal, document_id: str) -> list[str]:
    """Where there is a document with this id, published or not; always in the same order."""
    holders = await ports.storage.holders(principal.workspace, DOCUMENT, [document_id])
    return sorted(base_of(partition) for _, partition in holders)


async def _piece(
    ports: Ports, partition: Partition, document: Document, revision: Revision, *, offset: int, limit: int
) -> Piece:
    start = min(offset, revision.characters)
    content, first_line = "", 1
    if revision.part_starts:
        # Lines are counted from the beginning of the part, which is read anyway.
        part = bisect_right(revision.part_starts, start) - 1
        ranges = [(revision.part_starts[part], start), (start, min(start + limit, revision.characters))]
        before, content = await texts_of(ports, partition, revision, ranges)
        first_line = revision.part_lines[part] + before.count("\n")
    return Piece(document=document, revision=revision, content=content, offset=start, first_line=first_line)
