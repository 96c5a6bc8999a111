"""The nouns of knowledge: bases hold documents, documents have revisions, revisions consist of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from yiku.model.jobs import JobFailure
from yiku.model.parsed import Heading

BASE_PREFIX = "kb-"
DOCUMENT_PREFIX = "doc-"
REVISION_PREFIX = "rev-"
NODE_PREFIX = "node-"


@dataclass(frozen=True, kw_only=True, slots=True)
class KnowledgeBase:
    """`is_active` is False once it was archived: nothing of it is found or read any more."""

    id: str
    workspace: str
    name: str
    created: datetime
    updated: datetime
    description: str = ""
    is_active: bool = True
    version: int = 0


class DocumentState(Enum):
    """PROCESSING until words and vectors are complete (seed 003)."""

    PROCESSING = "PROCESSING"
    SUCCESS = "SUCCESS"
    FAIL = "FAIL"


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A document of a base, and which of its revisions counts.

    `current` is the published revision that every door searches and reads, None while there is none. `state`,
    `failure` and `progress` (0–100) are those of the revision that came last, `latest`. A draft has no current revision
    until somebody publishes one; an archived document is neither found nor read.
    """

    id: str
    base_id: str
    title: str
    source: str
    """Where it came from: a URL, a file name."""
    created: datetime
    updated: datetime
    state: DocumentState
    latest: str
    current: str | None = None
    progress: int = 0
    failure: JobFailure | None = None
    is_archived: bool = False
    publishes_itself: bool = True
    """Whether a revision becomes current as soon as it is complete, or waits until somebody publishes it."""
    digest: str | None = None
    """Of the bytes of the latest revision: the same bytes again are nothing new."""
    version: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Revision:
    """One state of a document; it never changes once its text is in.

    `part_lines[i]` is the line on which stored part `i` of the text begins, `part_starts[i]` its first character.
    `nodes_indexed` are how many of its nodes are stored with words and vectors; `was_published` that it was
    current once, and complete: only such revisions may be read by their ids.
    """

    id: str
    document_id: str
    title: str
    format: str
    created: datetime
    lines: int = 0
    characters: int = 0
    part_lines: tuple[int, ...] = ()
    part_starts: tuple[int, ...] = ()
    headings: tuple[Heading, ...] = ()
    lines_are_rows: bool = False
    page_lines: tuple[int, ...] = ()
    tables: tuple[str, ...] = ()
    """Names of the tables in it."""
    notices: tuple[str, ...] = ()
    source: str = ""
    nodes_indexed: int = 0
    was_published: bool = False
    has_text: bool = False
    version: int = 0


class NodeKind(Enum):
    SECTION = "section"
    LEAF = "leaf"


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A piece of the text: lines from 1, both ends included; characters from 0, the end excluded; pages from 1, both
    ends included, None where the format has no pages."""

    start_line: int
    end_line: int
    char_start: int
    char_end: int
    page_start: int | None = None
    page_end: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A section (a heading with all that stands below it, subsections too) or a leaf (a passage, which search finds).

    `path` are the titles of the sections around it from the top down, its own included. `level` is 0 for leaves that
    stand before the first heading, else that of the section. `parent_id` is None at the top. `ordinal` counts all
    nodes of the revision in the order of the text.
    """

    id: str
    document_id: str
    kind: NodeKind
    title: str
    path: tuple[str, ...]
    level: int
    parent_id: str | None
    ordinal: int
    span: Span


@dataclass(frozen=True, slots=True)
class Outline:
    """What nodes are made from, beside the text."""

    title: str
    headings: tuple[Heading, ...] = ()
    page_lines: tuple[int, ...] = ()
    lines_are_rows: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeHit:
    """A node that answers. After expansion it may be a section, which the nodes `matched_ids` brought in."""

    node: Node
    content: str
    score: float
    matched_ids: tuple[str, ...] = ()


class Expansion(Enum):
    """What becomes of the nodes that were found (seed 000, knowledge.md §6)."""

    NONE = "no_expand"
    BEST_PARENT = "max_score"
    SHARED = "cohierarchy"
