"""How knowledge maps onto records, and back: the only place that knows.

Bases are records of the workspace's library; everything else lives in the partition of its base. Nodes, parts of the
text and tables carry their revision as a field: they come and go with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from yiku.core.knowledge.nodes import LeafText
from yiku.model.jobs import JobFailure
from yiku.model.knowledge import (
    Document,
    DocumentState,
    KnowledgeBase,
    Node,
    NodeKind,
    Revision,
    Span,
)
from yiku.model.parsed import Heading, ParsedTable
from yiku.model.records import Embedding, Record
from yiku.model.scopes import Partition, base_of
from yiku.model.scripts import script_of

BASE = "knowledge-base"
DOCUMENT = "document"
REVISION = "revision"
TEXT = "text"
NODE = "node"
TABLE = "table"

DOCUMENT_FIELD = "document"
REVISION_FIELD = "revision"
NODE_FIELD = "node"
KIND_FIELD = "kind"
SCRIPT_FIELD = "script"
"""Of leaves: in which script they are written."""


def base_record(base: KnowledgeBase, record_id: str) -> Record:
    """The id of a base is the unique key, and not that of the record, so that of two who make it only one succeeds."""
    return Record(
        kind=BASE,
        id=record_id,
        unique_key=base.id,
        created=base.created,
        updated=base.updated,
        body={"name": base.name, "description": base.description, "is_active": base.is_active},
    )


def base_of_record(record: Record, partition: Partition) -> KnowledgeBase:
    return KnowledgeBase(
        id=str(record.unique_key),
        workspace=partition.workspace,
        created=record.created,
        updated=record.updated,
        version=record.version,
        **record.body,
    )


def document_record(document: Document) -> Record:
    failure = document.failure
    return Record(
        kind=DOCUMENT,
        id=document.id,
        created=document.created,
        updated=document.updated,
        fields={"state": document.state.value, "is_archived": document.is_archived},
        body={
            "title": document.title,
            "source": document.source,
            "state": document.state.value,
            "latest": document.latest,
            "current": document.current,
            "progress": document.progress,
            "failure": [failure.code, failure.message] if failure else None,
            "is_archived": document.is_archived,
            "publishes_itself": document.publishes_itself,
            "digest": document.digest,
        },
    )


def document_of(record: Record, partition: Partition) -> Document:
    body: dict[str, Any] = dict(record.body)
    failure = body.pop("failure")
    return Document(
        id=record.id,
        base_id=base_of(partition),
        created=record.created,
        updated=record.updated,
        version=record.version,
        state=DocumentState(body.pop("state")),
        failure=JobFailure(*failure) if failure else None,
        **body,
    )


def revision_record(revision: Revision) -> Record:
    return Record(
        kind=REVISION,
        id=revision.id,
        created=revision.created,
        updated=revision.created,
        fields={DOCUMENT_FIELD: revision.document_id},
        body={
            "document_id": revision.document_id,
            "title": revision.title,
            "format": revision.format,
            "source": revision.source,
            "lines": revision.lines,
            "characters": revision.characters,
            "part_lines": list(revision.part_lines),
            "part_starts": list(revision.part_starts),
            "headings": [[heading.line, heading.level, heading.title] for heading in revision.headings],
            "lines_are_rows": revision.lines_are_rows,
            "page_lines": list(revision.page_lines),
            "tables": list(revision.tables),
            "notices": list(revision.notices),
            "has_text": revision.has_text,
            "nodes_indexed": revision.nodes_indexed,
            "was_published": revision.was_published,
        },
    )


def revision_of(record: Record) -> Revision:
    lists = ("part_lines", "part_starts", "page_lines", "tables", "notices")
    body: dict[str, Any] = {name: tuple(value) if name in lists else value for name, value in record.body.items()}
    body["headings"] = tuple(Heading(*heading) for heading in body["headings"])
    return Revision(id=record.id, created=record.created, version=record.version, **body)


def part_id(revision_id: str, part: int) -> str:
    """Of a part of a revision's text, counted from 0."""
    return f"{revision_id}/{part:06}"


def part_record(revision: Revision, part: int, text: str) -> Record:
    return Record(
        kind=TEXT,
        id=part_id(revision.id, part),
        created=revision.created,
        updated=revision.created,
        fields={REVISION_FIELD: revision.id},
        body={"text": text},
    )


def node_record(node: Node, revision: Revision, leaf: LeafText | None, embedding: Embedding | None) -> Record:
    """A node of one revision; `leaf` is what a leaf says, None for sections, which search does not see."""
    return Record(
        kind=NODE,
        id=f"{revision.id}/{node.ordinal:07}",
        created=revision.created,
        updated=revision.created,
        text=leaf.index_text if leaf else None,
        embedding=embedding,
        fields={
            DOCUMENT_FIELD: node.document_id,
            REVISION_FIELD: revision.id,
            NODE_FIELD: node.id,
            KIND_FIELD: node.kind.value,
            **({SCRIPT_FIELD: script_of(leaf.content).value} if leaf else {}),
        },
        body={
            "title": node.title,
            "path": list(node.path),
            "level": node.level,
            "parent_id": node.parent_id,
            "ordinal": node.ordinal,
            "span": _span_body(node.span),
            **({"content": leaf.content} if leaf else {}),
        },
    )


def node_of(record: Record) -> Node:
    body: Mapping[str, Any] = record.body
    return Node(
        id=str(record.fields[NODE_FIELD]),
        document_id=str(record.fields[DOCUMENT_FIELD]),
        kind=NodeKind(record.fields[KIND_FIELD]),
        title=body["title"],
        path=tuple(body["path"]),
        level=body["level"],
        parent_id=body["parent_id"],
        ordinal=body["ordinal"],
        span=_span_of(body["span"]),
    )


def leaf_content(record: Record) -> str:
    """The passage itself, as it stands in the text."""
    return str(record.body["content"])


def table_record(revision: Revision, ordinal: int, table: ParsedTable) -> Record:
    return Record(
        kind=TABLE,
        id=f"{revision.id}/{ordinal:04}",
        created=revision.created,
        updated=revision.created,
        fields={REVISION_FIELD: revision.id, DOCUMENT_FIELD: revision.document_id},
        body={"name": table.name, "columns": list(table.columns), "rows": [list(row) for row in table.rows]},
    )


def table_of(record: Record) -> ParsedTable:
    rows: Sequence[Sequence[Any]] = record.body["rows"]
    return ParsedTable(record.body["name"], tuple(record.body["columns"]), tuple(tuple(row) for row in rows))


def _span_body(span: Span) -> list[int | None]:
    return [span.start_line, span.end_line, span.char_start, span.char_end, span.page_start, span.page_end]


def _span_of(body: Sequence[Any]) -> Span:
    start_line, end_line, char_start, char_end, page_start, page_end = body
    return Span(
        start_line=start_line,
        end_line=end_line,
        char_start=char_start,
        char_end=char_end,
        page_start=page_start,
        page_end=page_end,
    )
