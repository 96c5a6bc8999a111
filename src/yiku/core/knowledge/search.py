"""Find the documents, and the nodes of documents, that answer a question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from yiku.core.knowledge.bases import require_base
from yiku.core.knowledge.passages import Passage, PassageQuery, Passages, find_passages
from yiku.core.knowledge.records import NODE_FIELD
from yiku.core.knowledge.second_stage import POOL, reranked
from yiku.core.knowledge.widening import hit_of, widened
from yiku.model.knowledge import Document, Expansion, NodeHit
from yiku.model.passages import HYBRID, PassageLegs, PassageOrder
from yiku.model.principal import Principal
from yiku.model.scopes import base_partition
from yiku.ports import Ports

PASSAGES_PER_DOCUMENT = 8
"""Passages that are looked at for each document wanted: those of one long document may take the first places."""
PASSAGES_FOR_DOCUMENTS_MAX = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchNodes:
    """`document_ids` narrow it to some documents; None is all of them. Hits below `threshold` are left out."""

    text: str
    top_k: int
    document_ids: tuple[str, ...] | None = None
    expansion: Expansion = Expansion.NONE
    threshold: float = 0.0
    order: PassageOrder = HYBRID


@dataclass(frozen=True, slots=True)
class FoundNode:
    """A hit and its document. `legs` is None for a section, which was not measured itself."""

    hit: NodeHit
    document: Document
    legs: PassageLegs | None


@dataclass(frozen=True, slots=True)
class FoundNodes:
    """Best first. `applied` is what became of the expansion; `notices` say what the answer lacks."""

    found: tuple[FoundNode, ...]
    applied: Expansion
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document, with the best of its passages."""

    document: Document
    score: float
    best: NodeHit


@dataclass(frozen=True, slots=True)
class FoundDocuments:
    found: tuple[FoundDocument, ...]
    notices: tuple[str, ...] = ()


async def search_nodes(ports: Ports, principal: Principal, base_id: str, query: SearchNodes) -> FoundNodes:
    """The passages that best answer the question, or, with an expansion, the sections around them."""
    principal.require("knowledge:read")
    await require_base(ports, principal, base_id)
    partition = base_partition(principal.workspace, base_id)
    passages = await _passages(
        ports,
        PassageQuery(
            text=query.text,
            partitions=(partition,),
            wanted=max(query.top_k, POOL) if ports.reranker else query.top_k,
            document_ids=query.document_ids,
            order=query.order,
        ),
    )
    best = [passage for passage in passages.found if passage.ranked.score >= query.threshold][: query.top_k]
    legs = {str(passage.record.fields[NODE_FIELD]): passage.ranked.legs for passage in best}
    hits, applied = await widened(ports, partition, best, query.expansion)
    documents = {passage.document.id: passage.document for passage in best}
    found = (FoundNode(hit, documents[hit.node.document_id], legs.get(hit.node.id)) for hit in hits)
    return FoundNodes(tuple(found), applied, passages.notices)


async def search_documents(
    ports: Ports, principal: Principal, base_id: str, text: str, *, top_k: int, order: PassageOrder = HYBRID
) -> FoundDocuments:
    """The documents whose passages best answer the question; a document is as good as its best passage."""
    principal.require("knowledge:read")
    await require_base(ports, principal, base_id)
    passages = await _passages(
        ports,
        PassageQuery(
            text=text,
            partitions=(base_partition(principal.workspace, base_id),),
            wanted=min(max(top_k * PASSAGES_PER_DOCUMENT, POOL), PASSAGES_FOR_DOCUMENTS_MAX),
            order=order,
        ),
    )
    by_document: Mapping[str, list[Passage]] = defaultdict(list)
    for passage in passages.found:
        by_document[passage.document.id].append(passage)
    found = [
        FoundDocument(group[0].document, group[0].ranked.score, hit_of(group[0])) for group in by_document.values()
    ]
    return FoundDocuments(tuple(found[:top_k]), passages.notices)


async def _passages(ports: Ports, query: PassageQuery) -> Passages:
    """Those of the first stage, in the order of the second where there is a reranker."""
    passages = await find_passages(ports, query)
    return passages if ports.reranker is None else await reranked(ports, query.text, passages)
