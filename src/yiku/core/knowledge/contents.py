"""The table of contents of a document, and what its nodes say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from yiku.core.knowledge.bases import require_base
from yiku.core.knowledge.documents import missing_document, require_document
from yiku.core.knowledge.records import (
    DOCUMENT,
    KIND_FIELD,
    NODE,
    NODE_FIELD,
    REVISION_FIELD,
    document_of,
    node_of,
)
from yiku.core.knowledge.texts import texts_of
from yiku.core.knowledge.upload import find_revision
from yiku.model.conditions import And, Eq, In
from yiku.model.errors import InvalidInput, NotFound
from yiku.model.knowledge import Document, DocumentState, Node, NodeKind, Revision
from yiku.model.principal import Principal
from yiku.model.records import PageQuery
from yiku.model.scopes import Partition, base_partition
from yiku.ports import Ports

_NOTHING_YET = {
    DocumentState.PROCESSING: "The document {!r} is still being read in: ask again in a moment",
    DocumentState.FAIL: "The document {!r} could not be read: its state says why",
    DocumentState.SUCCESS: "The document {!r} is a draft: publish it first",
}
NODES_AT_ONCE = 200
"""Ids in one question."""
NODE_CHARACTERS_MAX = 20_000
"""Of one node; the rest of a long section is read by its lines."""


@dataclass(frozen=True, slots=True)
class Contents:
    document: Document
    revision: Revision
    sections: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class NodeContent:
    """`is_cut` says that the node goes on; its lines say where to read it."""

    node: Node
    content: str
    is_cut: bool


async def document_contents(ports: Ports, principal: Principal, base_id: str, document_id: str) -> Contents:
    """The sections of the current revision in the order of the text; none where it has no headings."""
    principal.require("knowledge:read")
    partition, document, revision = await require_current(ports, principal, base_id, document_id)
    where = And((Eq(REVISION_FIELD, revision.id), Eq(KIND_FIELD, NodeKind.SECTION.value)))
    query = PageQuery(partitions=(partition,), kind=NODE, where=where, ascending=True, limit=ports.limits.page_window)
    records = (await ports.storage.page(query)).records
    return Contents(document, revision, tuple(node_of(record) for record in records))


async def node_contents(ports: Ports, principal: Principal, base_id: str, node_ids: Sequence[str]) -> list[NodeContent]:
    """Those that are there and can be seen, in the order asked; unknown ones are left out."""
    principal.require("knowledge:read")
    if not node_ids:
        raise InvalidInput("node_ids must name at least one node", field="node_ids")
    if len(node_ids) > NODES_AT_ONCE:
        raise InvalidInput(f"node_ids may name at most {NODES_AT_ONCE} nodes at once", field="node_ids")
    await require_base(ports, principal, base_id)
    partition = base_partition(principal.workspace, base_id)
    query = PageQuery(
        partitions=(partition,),
        kind=NODE,
        where=In(NODE_FIELD, tuple(dict.fromkeys(node_ids))),
        # An id may stand in the current revision and in those that come and go.
        limit=ports.limits.page_window,
    )
    by_revision: dict[str, list[Node]] = defaultdict(list)
    for record in (await ports.storage.page(query)).records:
        by_revision[str(record.fields[REVISION_FIELD])].append(node_of(record))
    found: dict[str, NodeContent] = {}
    for revision_id, nodes in by_revision.items():
        if (revision := await _current_revision(ports, partition, revision_id)) is not None:
            found |= await _contents_of(ports, partition, revision, nodes)
    return [found[node_id] for node_id in dict.fromkeys(node_ids) if node_id in found]


async def require_current(
    ports: Ports, principal: Principal, base_id: str, document_id: str
) -> tuple[Partition, Document, Revision]:
    """The document and its current revision. One that shows nothing, yet or any more, says so in a `NotFound`."""
    partition, document = await require_document(ports, principal, base_id, document_id)
    revision = await find_revision(ports, partition, document.current) if document.current else None
    if document.is_archived:
        raise missing_document(document_id)
    if revision is None:
        raise NotFound(_NOTHING_YET[document.state].format(document_id[:64]), field="doc_id")
    return partition, document, revision


async def _current_revision(ports: Ports, partition: Partition, revision_id: str) -> Revision | None:
    """The revision, if it is what its document shows."""
    revision = await find_revision(ports, partition, revision_id)
    if revision is None:
        return None
    for record in await ports.storage.get(partition, DOCUMENT, [revision.document_id]):
        document = document_of(record, partition)
        if document.current == revision_id and not document.is_archived:
            return revision
    return None


async def _contents_of(
    ports: Ports, partition: Partition, revision: Revision, nodes: Sequence[Node]
) -> dict[str, NodeContent]:
    spans = [node.span for node in nodes]
    ranges = [(span.char_start, min(span.char_end, span.char_start + NODE_CHARACTERS_MAX)) for span in spans]
    texts = await texts_of(ports, partition, revision, ranges)
    return {
        node.id: NodeContent(node, text, len(text) < node.span.char_end - node.span.char_start)
        for node, text in zip(nodes, texts, strict=True)
    }
