"""Find the memories that answer a question."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from yiku.core.memory.dates import times_named
from yiku.core.memory.holdings import SlotKey
from yiku.core.memory.past import asks_about_the_past
from yiku.core.memory.question import Question, understood
from yiku.core.memory.records import EVENT, MEMORY, memory_of
from yiku.core.memory.second_stage import POOL, reranked
from yiku.core.memory.slots_asked import USERS_NAME, is_name, names_the_same, slots_asked, slots_condition
from yiku.model.conditions import Eq
from yiku.model.errors import EmbedderUnavailable
from yiku.model.memories import EventState, MemoryHit, MemoryHits, SearchMemories
from yiku.model.principal import Principal
from yiku.model.ranking import rank
from yiku.model.records import CandidateQuery, Embedding, PageQuery
from yiku.model.tokens import query_terms
from yiku.ports import Ports

WORDS_ONLY = "The embedding model cannot be reached: these results come from words alone."
_DATED = 1_000
"""Characters of a question in which times are looked for: on the event loop, where 64 KB would take 0.3 s."""
STILL_WAITING = "Adds of this user that are still being digested: {count}. Ask again in a moment."


async def search_memories(ports: Ports, principal: Principal, query: SearchMemories) -> MemoryHits:
    """The memories that best answer `query`, best first.

    If the embedder is down we search words only and say so in `notices`; if storage is down we raise, because an
    empty answer would be a lie.
    """
    principal.require("memory:read")
    principal.require_user(query.scope.user_id)
    question = understood(query.text)
    embedding, asked = await asyncio.gather(_embedded(ports, question.text), _slots_asked(ports, query, question))
    wanted, threshold = max(query.top_k, POOL) if query.rerank else query.top_k, query.threshold or 0.0
    found = await ports.storage.candidates(
        candidate_query(ports, query, question, embedding, asked),
        lambda measured: [hit for hit in rank(measured, limit=wanted) if hit.score >= threshold],
    )
    hits = [
        MemoryHit(
            memory_of(chosen.record, chosen.partition),
            chosen.place.score,
            legs=chosen.place.legs if query.explain else None,
        )
        for chosen in found
    ]
    notices = [] if embedding else [WORDS_ONLY]
    if query.rerank:
        hits, said = await reranked(ports, question.text, hits)
        notices += said
    if not found:
        notices += await _still_waiting(ports, query)
    return MemoryHits(tuple(hits[: query.top_k]), tuple(notices))


def candidate_query(
    ports: Ports,
    query: SearchMemories,
    question: Question,
    embedding: Embedding | None,
    asked: Collection[SlotKey] = (),
) -> CandidateQuery:
    """What the store is asked: words and meaning of the question, whom and when it speaks of, and what may answer.

    `asked` are the slots that it asks for.
    """
    now = ports.clock.now()
    # Of two values that one question has had, the past one answers only a question about the past.
    past = query.as_of is None and asks_about_the_past(query.text)
    return CandidateQuery(
        partitions=(query.scope.partition,),
        kind=MEMORY,
        terms=query_terms(question.text, limit=ports.limits.query_terms),
        embedding=embedding,
        asked=question.text,
        people=question.people,
        periods=tuple((when.start, when.end) for when in times_named(query.text[:_DATED], query.as_of or now)),
        since_by=query.as_of,
        until_after=None if past else query.as_of or now,
        answers=slots_condition(asked) if asked else None,
        past_answers=past,
        where=query.where,
        limit=max(ports.limits.candidates_per_arm, query.top_k),
    )


async def _slots_asked(ports: Ports, query: SearchMemories, question: Question) -> tuple[SlotKey, ...]:
    """Agents know their users by name: "Where does Nora live?" asks for the user's home where the user is Nora."""
    asked = slots_asked(question.text)
    names = {subject for subject, _, _ in asked if is_name(subject)}
    if not names:
        return asked
    where = slots_condition([USERS_NAME])
    page = await ports.storage.page(PageQuery(partitions=(query.scope.partition,), kind=MEMORY, where=where, limit=1))
    for record in page.records:
        slot = memory_of(record, query.scope.partition).slot
        if slot is not None and any(names_the_same(name, slot.value) for name in names):
            return (*asked, *(("user", attribute, topic) for _, attribute, topic in asked))
    return asked


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
