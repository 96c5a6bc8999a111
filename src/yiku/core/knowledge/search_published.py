"""Search what is published, in one knowledge base of a workspace or in all of them (seed 004).

An answer is an item: its current revision, and the places in it that answer best.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from yiku.core.knowledge.bases import require_base
from yiku.core.knowledge.excerpts import excerpt_of
from yiku.core.knowledge.passages import Passage, PassageQuery, find_passages
from yiku.core.knowledge.records import (
    BASE,
    REVISION,
    REVISION_FIELD,
    base_of_record,
    leaf_content,
    node_of,
    revision_of,
)
from yiku.core.knowledge.search import PASSAGES_FOR_DOCUMENTS_MAX, PASSAGES_PER_DOCUMENT
from yiku.core.knowledge.second_stage import POOL, reranked
from yiku.model.errors import InvalidInput
from yiku.model.knowledge import Document, KnowledgeBase, Node, Revision
from yiku.model.passages import HYBRID, PassageLegs, PassageOrder
from yiku.model.principal import Principal
from yiku.model.records import PageQuery
from yiku.model.scopes import Partition, base_partition, library_partition
from yiku.ports import Ports

BASES_SEARCHED_MAX = 1_000
"""Bases that one search goes through; whoever has more names one."""
PLACES_SHOWN = 3
"""Of one item, the best included: the rest of it is read, not searched."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchPublished:
    """`base_id` narrows it to one base; None is all that are active."""

    text: str
    limit: int
    base_id: str | None = None
    order: PassageOrder = HYBRID


@dataclass(frozen=True, kw_only=True, slots=True)
class AnsweringPlace:
    """A passage that answers. `excerpt` begins at character `start` of the text of the revision."""

    node: Node
    excerpt: str
    start: int
    score: float
    legs: PassageLegs


@dataclass(frozen=True, slots=True)
class PublishedHit:
    """An item, with the places in it that answer, best first; there is one at least."""

    base: KnowledgeBase
    document: Document
    revision: Revision
    places: tuple[AnsweringPlace, ...]


@dataclass(frozen=True, slots=True)
class PublishedHits:
    """Best first, each as good as its best place; `notices` say what the answer lacks."""

    hits: tuple[PublishedHit, ...]
    notices: tuple[str, ...] = ()


async def search_published(ports: Ports, principal: Principal, query: SearchPublished) -> PublishedHits:
    """The published items that best answer the question.

    A reranker has its say only where nobody chose an order: whoever asks for words alone wants the order of words.
    """
    principal.require("knowledge:read")
    bases = await _bases(ports, principal, query.base_id)
    if not bases:
        return PublishedHits(())
    passages = await find_passages(
        ports,
        PassageQuery(
            text=query.text,
            partitions=tuple(bases),
            wanted=min(max(query.limit * PASSAGES_PER_DOCUMENT, POOL), PASSAGES_FOR_DOCUMENTS_MAX),
            order=query.order,
        ),
    )
    if query.order == HYBRID:
        passages = await reranked(ports, query.text, passages)
    groups = _by_item(passages.found)[: query.limit]
    revisions = await _revisions(ports, [group[0] for group in groups])
    hits = [
        PublishedHit(
            bases[group[0].partition],
            group[0].document,
            revisions[_revision_id(group[0])],
            tuple(_place(passage, query.text) for passage in group[:PLACES_SHOWN]),
        )
        for group in groups
        if _revision_id(group[0]) in revisions
    ]
    return PublishedHits(tuple(hits), passages.notices)


async def _bases(ports: Ports, principal: Principal, base_id: str | None) -> Mapping[Partition, KnowledgeBase]:
    """The bases to search, by where they are."""
    if base_id is not None:
        return {base_partition(principal.workspace, base_id): await require_base(ports, principal, base_id)}
    library = library_partition(principal.workspace)
    query = PageQuery(partitions=(library,), kind=BASE, ascending=True, limit=ports.limits.page_window)
    known = [base_of_record(record, library) for record in (await ports.storage.page(query)).records]
    active = [base for base in known if base.is_active]
    if len(active) > BASES_SEARCHED_MAX:
        raise InvalidInput(
            f"There are more than {BASES_SEARCHED_MAX} knowledge bases here: name the one to search",
            field="kb_id",
        )
    return {base_partition(principal.workspace, base.id): base for base in active}


def _by_item(found: Sequence[Passage]) -> list[list[Passage]]:
    groups: defaultdict[tuple[Partition, str], list[Passage]] = defaultdict(list)
    for passage in found:
        groups[passage.partition, passage.document.id].append(passage)
    return list(groups.values())


async def _revisions(ports: Ports, passages: Sequence[Passage]) -> Mapping[str, Revision]:
    """Those that the passages stand in: their titles are the published ones, whatever was uploaded since."""
    wanted: defaultdict[Partition, list[str]] = defaultdict(list)
    for passage in passages:
        wanted[passage.partition].append(_revision_id(passage))
    answers = await asyncio.gather(*(ports.storage.get(partition, REVISION, ids) for partition, ids in wanted.items()))
    return {record.id: revision_of(record) for records in answers for record in records}


def _place(passage: Passage, question: str) -> AnsweringPlace:
    node = node_of(passage.record)
    start, excerpt = excerpt_of(leaf_content(passage.record), question)
    return AnsweringPlace(
        node=node,
        excerpt=excerpt,
        start=node.span.char_start + start,
        score=passage.ranked.score,
        legs=passage.ranked.legs,
    )


def _revision_id(passage: Passage) -> str:
    return str(passage.record.fields[REVISION_FIELD])
