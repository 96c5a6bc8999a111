"""The shapes of what the tools for documents return: the seed's keys, in the seed's order, then those of Yiku."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from yiku.wire.opensearch_results import SearchRow

DocumentStatus = Literal["PROCESSING", "SUCCESS", "FAIL"]
Applied = Literal["max_score", "cohierarchy", "no_expand"]


class Noticed(TypedDict):
    """What an answer lacks, in sentences."""

    notices: NotRequired[list[str]]


class DocRow(TypedDict):
    """`status` is that of the latest upload: while it is PROCESSING, or FAIL, the one before is still found.
    `matched_node_ids` lead to the passage that answers best."""

    id: str
    title: str
    score: float
    status: DocumentStatus
    matched_node_ids: list[str]


class DocsResult(Noticed):
    results: list[DocRow]


class Place(TypedDict):
    """Where something stands: first and last line, and first and last page of a format that has pages."""

    lines: list[int]
    pages: NotRequired[list[int]]


class NodePlace(Place):
    """`title` is that of the section, `path` those of all sections around it, from the top down."""

    title: str
    path: list[str]


class NodeRow(NodePlace):
    """`matched_node_ids` are the passages that brought a section in."""

    id: str
    doc_id: str
    content: str
    score: float
    doc_title: str
    matched_node_ids: list[str]


class NodesResult(Noticed):
    """`expand_applied` is what became of `expand`."""

    results: list[NodeRow]
    expand_applied: Applied


class TocRow(Place):
    title: str
    level: int
    node_id: str


class StructureResult(Noticed):
    toc: list[TocRow]
    title: str
    total_lines: int


class NodeContentRow(NodePlace):
    """`truncated` says that the node goes on; its lines say where to read it."""

    id: str
    content: str
    doc_id: str
    truncated: bool


class NodeContentResult(TypedDict):
    """`missing` are ids that there are no nodes of, or none that may be seen."""

    results: list[NodeContentRow]
    missing: NotRequired[list[str]]


class MatchRow(TypedDict):
    """`column` is where the match begins in its line, from 1. `line_truncated`: of a long line a piece is shown."""

    line_number: int
    line: str
    context: list[str]
    column: int
    line_truncated: bool


class GrepResult(TypedDict):
    """`total` counts the lines that match, those that are not shown too; `truncated`: it stopped counting there."""

    matches: list[MatchRow]
    total: int
    truncated: bool


class ReadResult(TypedDict):
    """`line_truncated`: what is shown is the beginning of one line that is too long."""

    content: str
    start_line: int
    end_line: int
    total_lines: int
    has_more: bool
    line_truncated: bool


class HybridSkillRow(TypedDict):
    id: str
    name: str
    description: str


class SourceError(TypedDict):
    """Why one source found nothing."""

    source: Literal["memories", "skills", "kb_docs"]
    code: str
    message: str


class HybridResult(Noticed):
    query: str
    memories: list[SearchRow]
    skills: list[HybridSkillRow]
    kb_docs: list[DocRow]
    errors: NotRequired[list[SourceError]]
