"""Which nodes does a text have, and which of them are those of the revision before?

The id of a section comes from where it stands: its document, the titles above it and its own, and how many of the same
title stand before it there. The id of a leaf comes from its section and its text. So a revision that changes one
section leaves the ids of all others alone, and contents lead to the same sections as before.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from yiku.core.knowledge.cuts import sizes_of
from yiku.core.knowledge.leaves import LEAF_SIZE, Leaf, leaves_of, leaves_of_rows
from yiku.core.knowledge.lines import Lines, lines_of, page_at
from yiku.core.knowledge.sections import Section, sections_of
from yiku.model.knowledge import NODE_PREFIX, Node, NodeKind, Outline, Span

_ID_BYTES = 8
_TITLE_CHARACTERS = 80
"""Of each title in a breadcrumb: a paragraph that was taken for a title would leave no room for the leaf."""
_BLANKS = re.compile(r"\s{2,}")


@dataclass(frozen=True, slots=True)
class LeafText:
    """`content` is the slice of the text that the node's span names. `index_text` is what search and the embedding
    model see of it: where it stands and what it needs to be understood, before the content."""

    node: Node
    content: str
    index_text: str


@dataclass(frozen=True, slots=True)
class NodeTree:
    """All nodes in the order of the text, and the texts of those that are leaves."""

    nodes: tuple[Node, ...]
    leaves: tuple[LeafText, ...]


def nodes_of(document_id: str, outline: Outline, text: str, *, leaf_size: float = LEAF_SIZE) -> NodeTree:
    lines = lines_of(text)
    growing = _GrowingTree(document_id, outline, lines, leaf_size)
    sections = sections_of(outline.headings, lines)
    preface_end = sections[0].start_line - 1 if sections else lines.count
    growing.add_leaves(None, 1, preface_end)
    for section in sections:
        growing.add_leaves(growing.add_section(section), section.body_start, section.body_end)
    return NodeTree(tuple(growing.nodes), tuple(growing.leaves))


def section_path(titles: Sequence[str]) -> str:
    """`Guide > Access > Roles`. A `>` inside a title is written `\\>`, so that no two paths look alike."""
    return " > ".join(title.replace("\\", "\\\\").replace(">", "\\>") for title in titles)


class _GrowingTree:
    def __init__(self, document_id: str, outline: Outline, lines: Lines, leaf_size: float) -> None:
        self.nodes: list[Node] = []
        self.leaves: list[LeafText] = []
        self._document_id = document_id
        self._outline = outline
        self._lines = lines
        self._sizes = sizes_of(lines.text)
        self._leaf_size = leaf_size
        self._section_ids: list[str] = []

    def add_section(self, section: Section) -> Node:
        parent_id = None if section.parent is None else self._section_ids[section.parent]
        start, end = self._lines.start_of(section.start_line), self._lines.end_of(section.end_line)
        node = Node(
            id=_id(parent_id or self._document_id, NodeKind.SECTION, section.title, section.occurrence),
            document_id=self._document_id,
            kind=NodeKind.SECTION,
            title=section.title,
            path=section.path,
            level=section.level,
            parent_id=parent_id,
            ordinal=len(self.nodes),
            span=self._span(start, end),
        )
        self._section_ids.append(node.id)
        self.nodes.append(node)
        return node

    def add_leaves(self, section: Node | None, first_line: int, last_line: int) -> None:
        """The leaves of what stands directly in a section, or before the first one."""
        if last_line < first_line:
            return
        cut = leaves_of_rows if self._outline.lines_are_rows else leaves_of
        seen: Counter[str] = Counter()
        for leaf in cut(self._lines, self._sizes, first_line, last_line, target=self._leaf_size):
            content = self._lines.text[leaf.start : leaf.end]
            # Blank lines around a leaf may come and go with what stands next to it.
            said = content.strip()
            node = Node(
                id=_id(section.id if section else self._document_id, NodeKind.LEAF, said, seen[said]),
                document_id=self._document_id,
                kind=NodeKind.LEAF,
                title=section.title if section else self._outline.title,
                path=section.path if section else (),
                level=section.level if section else 0,
                parent_id=section.id if section else None,
                ordinal=len(self.nodes),
                span=self._span(leaf.start, leaf.end),
            )
            seen[said] += 1
            self.nodes.append(node)
            self.leaves.append(LeafText(node, content, self._index_text(node, leaf, said)))

    def _span(self, start: int, end: int) -> Span:
        lines, pages = self._lines, self._outline.page_lines
        # Pages are those on which something is said: blank lines at the end may already stand on the next one.
        first, last = self._sizes.without_blanks(start, end)
        return Span(
            start_line=lines.line_at(start),
            end_line=lines.line_at(end - 1),
            char_start=start,
            char_end=end,
            page_start=page_at(lines.line_at(first), pages),
            page_end=page_at(lines.line_at(last - 1), pages),
        )

    def _index_text(self, node: Node, leaf: Leaf, said: str) -> str:
        titles = [self._outline.title, *node.path]
        if titles[1:] and titles[0] == titles[1]:
            del titles[0]
        parts = (section_path([_shortened(title) for title in titles]), leaf.context, _BLANKS.sub(_one_blank, said))
        return "\n".join(part for part in parts if part)


def _id(parent_id: str, kind: NodeKind, text: str, occurrence: int) -> str:
    named = json.dumps([parent_id, kind.value, text, occurrence], ensure_ascii=False)
    return NODE_PREFIX + blake2b(named.encode("utf-8"), digest_size=_ID_BYTES).hexdigest()


def _shortened(title: str) -> str:
    return title if len(title) <= _TITLE_CHARACTERS else title[: _TITLE_CHARACTERS - 1] + "…"


def _one_blank(blanks: re.Match[str]) -> str:
    """A line end among them is kept: it may part two sentences."""
    return "\n" if "\n" in blanks[0] else " "
