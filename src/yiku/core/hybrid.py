"""One question to all that is known: the memories of a user, and the documents of a knowledge base."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from yiku.core.knowledge.search import FoundDocuments, search_documents
from yiku.core.memory.search import search_memories
from yiku.model.errors import EmbedderUnavailable, YikuError
from yiku.model.memories import MemoryHits, SearchMemories
from yiku.model.principal import Principal
from yiku.model.records import Embedding
from yiku.ports import Embedder, Ports

Found = TypeVar("Found")


@dataclass(frozen=True, kw_only=True, slots=True)
class HybridQuery:
    """`memories` says what is asked, and of whom; without a `base_id` no documents are searched."""

    memories: SearchMemories
    base_id: str | None = None


@dataclass(frozen=True, slots=True)
class HybridHits:
    """What each source found, or why it could not answer; None for one that was not asked."""

    memories: MemoryHits | YikuError
    documents: FoundDocuments | YikuError | None


async def search_everything(ports: Ports, principal: Principal, query: HybridQuery) -> HybridHits:
    """All sources at once, each with its own permission. One that cannot answer takes nothing from the others."""
    ports = await _asked_once(ports, query)
    async with asyncio.TaskGroup() as sources:
        memories = sources.create_task(_or_reason(search_memories(ports, principal, query.memories)))
        documents = sources.create_task(_or_reason(_documents(ports, principal, query)))
    return HybridHits(memories.result(), documents.result())


async def _documents(ports: Ports, principal: Principal, query: HybridQuery) -> FoundDocuments | None:
    if query.base_id is None:
        return None
    asked = query.memories
    return await search_documents(ports, principal, query.base_id, asked.text, top_k=asked.top_k)


async def _or_reason(search: Awaitable[Found]) -> Found | YikuError:
    """Only what we raise on purpose is an answer: a fault of our own fails the whole call, and is logged there."""
    try:
        return await search
    except YikuError as error:
        return error


async def _asked_once(ports: Ports, query: HybridQuery) -> Ports:
    """Ports with which no source embeds the question anew, or waits anew for an embedder that is down.

    What was embedded once the embedder remembers; failures it does not.
    """
    if query.base_id is None:
        return ports
    try:
        await ports.embedder.embed_query(query.memories.text)
    except EmbedderUnavailable as error:
        known = _KnownToBeDown(ports.embedder, error.message)
        documents = ports.documents and replace(ports.documents, questions=known)
        return replace(ports, embedder=known, documents=documents)
    return ports


class _KnownToBeDown:
    """An embedder, and questions to documents, for the rest of a call that has waited for it already."""

    def __init__(self, embedder: Embedder, message: str) -> None:
        self.model = embedder.model
        self.dimensions = embedder.dimensions
        self._message = message

    async def embed_query(self, text: str) -> Embedding:
        raise EmbedderUnavailable(self._message)

    async def embed_question(self, text: str) -> Embedding:
        raise EmbedderUnavailable(self._message)

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        raise EmbedderUnavailable(self._message)

    async def close(self) -> None:
        """Whoever opened the embedder closes it."""
