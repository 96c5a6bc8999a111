"""Find the memories that answer a question."""

from __future__ import annotations

from yiku.core.memory.records import EVENT, MEMORY, memory_of
from yiku.model.conditions import Eq
from yiku.model.errors import EmbedderUnavailable
from yiku.model.memories import EventState, MemoryHit, MemoryHits, SearchMemories
from yiku.model.principal import Principal
from yiku.model.ranking import rank
from yiku.model.records import CandidateQuery, Embedding, PageQuery
from yiku.model.tokens import query_terms
from yiku.ports import Ports

WORDS_ONLY = "The embedding model cannot be reached: these results come from words alone."
STILL_WAITING = "Adds of this user that are still being digested: {count}. Ask again in a moment."
NO_RERANKER = "No reranker is configured: the order is that of the first stage."


async def search_memories(ports: Ports, principal: Principal, query: SearchMemories) -> MemoryHits:
    """The memories that best answer `query`, best first.

    If the embedder is down we search words only and say so in `notices`; if storage is down we raise, because an
    empty answer would be a lie.
    """
    principal.require("memory:read")
    principal.require_user(query.scope.user_id)
    embedding = await _embedded(ports, query.text)
    partition = query.scope.partition
    candidates = await ports.storage.candidates(
        CandidateQuery(
            partitions=(partition,),
            kind=MEMORY,
            terms=query_terms(query.text, limit=ports.limits.query_terms),
            embedding=embedding,
            where=query.where,
            limit=max(ports.limits.candidates_per_arm, query.top_k),
        )
    )
    ranked = [hit for hit in rank(candidates, limit=query.top_k) if hit.score >= (query.threshold or 0.0)]
    notices = [notice for notice, holds in ((WORDS_ONLY, embedding is None), (NO_RERANKER, query.rerank)) if holds]
    if not ranked:
        notices += await _still_waiting(ports, query)
    rows = candidates.read([place.hit for place in ranked])
    hits = (
        MemoryHit(memory_of(record, partition), place.score)
        for (partition, record), place in zip(rows, ranked, strict=True)
    )
    return MemoryHits(tuple(hits), tuple(notices))


async def _embedded(ports: Ports, text: str) -> Embedding | None:
    try:
        return await ports.embedder.embed_query(text)
    except EmbedderUnavailable:
        return None


async def _still_waiting(ports: Ports, query: SearchMemories) -> list[str]:
    """Whoever adds and asks at once would take an empty answer for "nothing is known"."""
    pending = Eq("state", EventState.PENDING.value)
    waiting = PageQuery(partitions=(query.scope.partition,), kind=EVENT, where=pending, limit=0)
    count = (await ports.storage.page(waiting)).count
    return [STILL_WAITING.format(count=count)] if count else []
