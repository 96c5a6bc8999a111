"""Show sections instead of the passages that were found in them, where that is asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from yiku.core.knowledge.expansion import SECTION_CHARACTERS, Group, expanded, grouped
from yiku.core.knowledge.passages import Passage
from yiku.core.knowledge.records import (
    KIND_FIELD,
    NODE,
    REVISION,
    REVISION_FIELD,
    leaf_content,
    node_of,
    revision_of,
)
from yiku.core.knowledge.texts import texts_of
from yiku.model.conditions import And, Eq, In
from yiku.model.knowledge import Expansion, Node, NodeHit, NodeKind, Revision
from yiku.model.records import PageQuery
from yiku.model.scopes import Partition
from yiku.ports import Ports


async def widened(
    ports: Ports, partition: Partition, passages: Sequence[Passage], wanted: Expansion
) -> tuple[list[NodeHit], Expansion]:
    """The hits, and what was made of the wish: see `expansion`."""
    hits = [hit_of(passage) for passage in passages]
    if wanted is Expansion.NONE or not hits:
        return hits, Expansion.NONE
    revisions = await _revisions(ports, partition, passages)
    sections = await _sections(ports, partition, [revision.id for revision in revisions.values()])
    formats = {document_id: revision.format for document_id, revision in revisions.items()}
    grouping = grouped(hits, wanted, sections=sections, formats=formats)
    texts = await _texts(ports, partition, revisions, grouping.groups)
    return list(expanded(grouping.groups, texts, budget=SECTION_CHARACTERS)), grouping.applied


def hit_of(passage: Passage) -> NodeHit:
    return NodeHit(node=node_of(passage.record), content=leaf_content(passage.record), score=passage.ranked.score)


async def _revisions(ports: Ports, partition: Partition, passages: Sequence[Passage]) -> Mapping[str, Revision]:
    """Those that the passages stand in, by their documents."""
    ids = list(dict.fromkeys(str(passage.record.fields[REVISION_FIELD]) for passage in passages))
    found = [revision_of(record) for record in await ports.storage.get(partition, REVISION, ids)]
    return {revision.document_id: revision for revision in found}


async def _sections(ports: Ports, partition: Partition, revision_ids: Sequence[str]) -> Mapping[str, Node]:
    where = And((In(REVISION_FIELD, tuple(revision_ids)), Eq(KIND_FIELD, NodeKind.SECTION.value)))
    query = PageQuery(partitions=(partition,), kind=NODE, where=where, ascending=True, limit=ports.limits.page_window)
    nodes = [node_of(record) for record in (await ports.storage.page(query)).records]
    return {node.id: node for node in nodes}


async def _texts(
    ports: Ports, partition: Partition, revisions: Mapping[str, Revision], groups: Sequence[Group]
) -> Mapping[str, str]:
    """What `expanded` looks at, by the ids of the sections; a trip for each document."""
    wanted: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        if group.is_section:
            wanted[group.node.document_id].append(group)
    texts: dict[str, str] = {}
    for document_id, sections in wanted.items():
        ranges = [group.reach(SECTION_CHARACTERS) for group in sections]
        read = await texts_of(ports, partition, revisions[document_id], ranges)
        texts |= {group.node.id: text for group, text in zip(sections, read, strict=True)}
    return texts
