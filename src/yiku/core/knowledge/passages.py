"""Find passages: leaves of current revisions of documents that are there, in one or more bases."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from yiku.core.knowledge.records import DOCUMENT, DOCUMENT_FIELD, NODE, REVISION_FIELD, SCRIPT_FIELD, document_of
from yiku.core.knowledge.veil import Veil, read_veil
from yiku.model.conditions import EVERYTHING, Condition, In
from yiku.model.errors import EmbedderUnavailable
from yiku.model.knowledge import Document
from yiku.model.passages import HYBRID, Fusion, PassageOrder, RankedPassage, pooled, settled
from yiku.model.records import CandidateQuery, Chosen, Embedding, Record
from yiku.model.scopes import Partition
from yiku.model.scripts import script_of
from yiku.model.tokens import query_terms
from yiku.ports import Ports

WORDS_ONLY = "The embedding model cannot be reached: these results come from words alone."
LOOKS = 3
"""How often a search looks again because a document was replaced in the middle of it."""
SPARE = 16
"""Hits beyond those wanted: some may belong to revisions that are on their way out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PassageQuery:
    """`document_ids` narrow it to some documents; None is all of them."""

    text: str
    partitions: tuple[Partition, ...]
    wanted: int
    document_ids: tuple[str, ...] | None = None
    order: PassageOrder = HYBRID


@dataclass(frozen=True, slots=True)
class Passage:
    record: Record
    document: Document
    partition: Partition
    ranked: RankedPassage


@dataclass(frozen=True, slots=True)
class Passages:
    """Best first; `notices` say what the answer lacks."""

    found: tuple[Passage, ...]
    notices: tuple[str, ...] = ()


async def find_passages(ports: Ports, query: PassageQuery) -> Passages:
    """If the embedder is down words are searched alone, and a notice says so; storage down is an error."""
    embedding, veils = await asyncio.gather(_embedded(ports, query), _veils(ports, query.partitions))
    notices = () if embedding or query.order.fusion is Fusion.WORDS else (WORDS_ONLY,)
    for look in range(LOOKS):
        found = await ports.storage.candidates(
            _candidate_query(ports, query, veils, embedding),
            lambda measured: pooled(measured, query.order, limit=query.wanted + SPARE),
        )
        documents, veils_after = await asyncio.gather(_documents(ports, found), _veils(ports, query.partitions))
        if veils_after == veils or look == LOOKS - 1:
            break
        veils = veils_after
    visible = [
        Passage(chosen.record, document, chosen.partition, ranked)
        for chosen, ranked in _settled(query, found)
        if (document := documents.get((chosen.partition, _field(chosen.record, DOCUMENT_FIELD)))) is not None
        and document.current == _field(chosen.record, REVISION_FIELD)
        and not document.is_archived
    ]
    return Passages(tuple(visible[: query.wanted]), notices)


def _settled(
    query: PassageQuery, found: Sequence[Chosen[RankedPassage]]
) -> Iterator[tuple[Chosen[RankedPassage], RankedPassage]]:
    asked = script_of(query.text).value
    is_foreign = [_field(chosen.record, SCRIPT_FIELD) != asked for chosen in found]
    return (
        (found[place], ranked) for place, ranked in settled([chosen.place for chosen in found], is_foreign, query.order)
    )


def _candidate_query(
    ports: Ports, query: PassageQuery, veils: Sequence[Veil], embedding: Embedding | None
) -> CandidateQuery:
    where: Condition = EVERYTHING if query.document_ids is None else In(DOCUMENT_FIELD, query.document_ids)
    for veil in veils:
        where = veil.with_condition(where)
    return CandidateQuery(
        partitions=query.partitions,
        kind=NODE,
        terms=None if query.order.fusion is Fusion.VECTORS else query_terms(query.text, limit=ports.limits.query_terms),
        embedding=embedding,
        where=where,
        limit=max(ports.limits.candidates_per_arm, query.wanted + SPARE),
        exact=True,
    )


async def _embedded(ports: Ports, query: PassageQuery) -> Embedding | None:
    if query.order.fusion is Fusion.WORDS:
        return None
    try:
        return await ports.for_documents.questions.embed_question(query.text)
    except EmbedderUnavailable:
        return None


async def _veils(ports: Ports, partitions: Sequence[Partition]) -> list[Veil]:
    return list(await asyncio.gather(*(read_veil(ports, partition) for partition in partitions)))


async def _documents(ports: Ports, found: Sequence[Chosen[RankedPassage]]) -> Mapping[tuple[Partition, str], Document]:
    """Those that the hits belong to, as they are now."""
    wanted: dict[Partition, dict[str, None]] = {}
    for chosen in found:
        wanted.setdefault(chosen.partition, {})[_field(chosen.record, DOCUMENT_FIELD)] = None
    answers = await asyncio.gather(
        *(ports.storage.get(partition, DOCUMENT, list(ids)) for partition, ids in wanted.items())
    )
    return {
        (partition, record.id): document_of(record, partition)
        for partition, records in zip(wanted, answers, strict=True)
        for record in records
    }


def _field(record: Record, name: str) -> str:
    return str(record.fields[name])
