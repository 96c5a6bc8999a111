"""What is shown around the leaves that were found? (seed 000, `expand`; knowledge.md §6)

`BEST_PARENT` shows the section of each leaf, once, with the score of its best leaf. `SHARED` shows a section only where
two leaves or more speak for it: the smallest that holds them, and never the whole document.

Expanding takes two steps, because texts stand elsewhere: `grouped` says which nodes answer, `Group.reach` which part of
the text is needed of each, and `expanded` makes hits of both.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from yiku.model.knowledge import Expansion, Node, NodeHit

SECTION_CHARACTERS = 4_000
"""Of a section, by default: some ten leaves."""

_ROWS_ONLY = "jsonl"


@dataclass(frozen=True, slots=True)
class Group:
    """A node that answers, and the hits that brought it in, best first. A hit that stays alone is its own node."""

    node: Node
    hits: tuple[NodeHit, ...]

    @property
    def best(self) -> NodeHit:
        return self.hits[0]

    @property
    def is_section(self) -> bool:
        return self.node.id != self.best.node.id

    def reach(self, budget: int) -> tuple[int, int]:
        """The characters of the document's text that are looked at: the whole section if it fits, or else as much on
        both sides of its best leaf. What one side leaves over goes to the other."""
        section, leaf = self.node.span, self.best.node.span
        around = max(budget - (leaf.char_end - leaf.char_start), 0)
        start = max(section.char_start, leaf.char_start - around // 2)
        end = min(section.char_end, max(start + budget, leaf.char_end))
        return max(section.char_start, min(start, end - budget)), end


@dataclass(frozen=True, slots=True)
class Grouping:
    """`applied` is what was done, which is `NONE` where the documents have no sections to show."""

    applied: Expansion
    groups: tuple[Group, ...]


def grouped(
    hits: Sequence[NodeHit], wanted: Expansion, *, sections: Mapping[str, Node], formats: Mapping[str, str]
) -> Grouping:
    """`hits` are leaves; `sections` are all sections, by id, of the documents they stand in; `formats` are those of
    these documents, by document id. Best first, and otherwise in the order of the hits."""
    rows_only = bool(hits) and all(formats.get(hit.node.document_id) == _ROWS_ONLY for hit in hits)
    if wanted is Expansion.BEST_PARENT and rows_only:
        wanted = Expansion.NONE
    match wanted:
        case Expansion.NONE:
            groups = [Group(hit.node, (hit,)) for hit in hits]
        case Expansion.BEST_PARENT:
            groups = _groups(hits, _parents(hits, sections))
        case Expansion.SHARED:
            groups = _groups(hits, _shared(hits, sections))
    return Grouping(wanted, tuple(groups))


def expanded(groups: Iterable[Group], texts: Mapping[str, str], *, budget: int) -> tuple[NodeHit, ...]:
    """`texts` are, by the id of the node, what `reach(budget)` of each group that is a section names."""
    return tuple(
        replace(
            group.best,
            node=group.node,
            content=_shown(group, texts[group.node.id], budget) if group.is_section else group.best.content,
            matched_ids=tuple(hit.node.id for hit in group.hits),
        )
        for group in groups
    )


def _parents(hits: Sequence[NodeHit], sections: Mapping[str, Node]) -> dict[str, Node]:
    parents = {hit.node.id: sections.get(hit.node.parent_id or "") for hit in hits}
    return {leaf_id: parent for leaf_id, parent in parents.items() if parent}


def _shared(hits: Sequence[NodeHit], sections: Mapping[str, Node]) -> dict[str, Node]:
    """From the deepest section up: where two leaves or more have found no section yet, theirs is that, and it takes
    over what stands deeper in it, so that no answer holds another."""
    tops = Counter(section.document_id for section in sections.values() if section.parent_id is None)
    found_in: defaultdict[str, list[str]] = defaultdict(list)
    depths: dict[str, int] = {}
    for hit in hits:
        around = list(_around(hit.node, sections))
        for depth, section in zip(range(len(around), 0, -1), around, strict=True):
            # The only section at the top is the document itself, by another name.
            if section.parent_id is not None or tops[section.document_id] > 1:
                found_in[section.id].append(hit.node.id)
                depths[section.id] = depth
    chosen: dict[str, Node] = {}
    for section_id in sorted(found_in, key=lambda section_id: -depths[section_id]):
        leaf_ids = found_in[section_id]
        if sum(leaf_id not in chosen for leaf_id in leaf_ids) > 1:
            chosen.update(dict.fromkeys(leaf_ids, sections[section_id]))
    return chosen


def _around(node: Node, sections: Mapping[str, Node]) -> Iterator[Node]:
    """The sections that a node stands in, from the smallest up."""
    section = sections.get(node.parent_id or "")
    while section is not None:
        yield section
        section = sections.get(section.parent_id or "")


def _groups(hits: Sequence[NodeHit], chosen: Mapping[str, Node]) -> list[Group]:
    nodes: dict[str, Node] = {}
    members: defaultdict[str, list[NodeHit]] = defaultdict(list)
    for hit in hits:
        node = chosen.get(hit.node.id, hit.node)
        nodes[node.id] = node
        members[node.id].append(hit)
    groups = [
        Group(node, tuple(sorted(members[node_id], key=lambda hit: hit.score, reverse=True)))
        for node_id, node in nodes.items()
    ]
    return sorted(groups, key=lambda group: group.best.score, reverse=True)


def _shown(group: Group, text: str, budget: int) -> str:
    """Whole lines, and the best leaf in any case."""
    section, leaf = group.node.span, group.best.node.span
    start, end = group.reach(budget)
    first, last = 0, end - start
    if start > section.char_start:
        first = (text.find("\n", 0, leaf.char_start - start) + 1) or leaf.char_start - start
    if end < section.char_end:
        last = (text.rfind("\n", leaf.char_end - start - 1) + 1) or leaf.char_end - start
    return text[first:last]
