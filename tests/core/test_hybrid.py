"""One question to all sources: each answers for itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.memories import add
from tests.core.test_work import BrokenEmbedder
from tests.documents import ADMIN, BASE, new_base, upload
from yiku.adapters.embedders import CachedQueries, HashedEmbedder, ParticularQuestions
from yiku.core.hybrid import HybridHits, HybridQuery, search_everything
from yiku.core.knowledge.search import FoundDocuments
from yiku.core.memory.search import WORDS_ONLY
from yiku.model.conditions import Eq
from yiku.model.errors import EmbedderUnavailable, NotFound, PermissionDenied, YikuError
from yiku.model.memories import MemoryHits, SearchMemories
from yiku.model.principal import Permission, Principal
from yiku.model.records import Embedding
from yiku.model.scopes import Scope
from yiku.ports import Embedder, Ports

POLICY = "# 退货政策\n\n如何处理退货：七天内可以到店退货。\n"


class CountingEmbedder(HashedEmbedder):
    def __init__(self, error: EmbedderUnavailable | None = None) -> None:
        super().__init__()
        self.error = error
        self.asked: list[str] = []

    async def embed_query(self, text: str) -> Embedding:
        self.asked.append(text)
        if self.error is not None:
            raise self.error
        return await super().embed_query(text)


@pytest.fixture
async def stocked(ports: Ports) -> Ports:
    await new_base(ports)
    await upload(ports, POLICY, id="policy")
    await add(ports, "用户上次退货选择了到店退货", infer=False)
    await add(ports, "I returned a book by mail", where=Scope(workspace="default", user_id="u1", agent_id="shop"))
    return ports


def asked_of(ports: Ports, embedder: Embedder) -> Ports:
    """The same with another embedder, for documents too."""
    documents = replace(ports.for_documents, questions=ParticularQuestions(embedder))
    return replace(ports, embedder=embedder, documents=documents)


def asking(text: str = "如何处理退货", *, base_id: str | None = BASE, agent_id: str | None = None) -> HybridQuery:
    scope = Scope(workspace="default", user_id="u1")
    memories = SearchMemories(scope=scope, text=text, top_k=5)
    if agent_id is not None:
        memories = replace(memories, where=Eq("agent_id", agent_id))
    return HybridQuery(memories=memories, base_id=base_id)


def granted(*permissions: Permission, user_id: str | None = None) -> Principal:
    return Principal(key_id="r", workspace="default", permissions=frozenset(permissions), user_id=user_id)


def memories_of(hits: HybridHits) -> list[str]:
    assert isinstance(hits.memories, MemoryHits)
    return [hit.memory.text for hit in hits.memories.hits]


def documents_of(hits: HybridHits) -> list[str]:
    assert isinstance(hits.documents, FoundDocuments)
    return [found.document.id for found in hits.documents.found]


async def test_memories_and_documents_are_found_by_one_question(stocked: Ports) -> None:
    hits = await search_everything(stocked, ADMIN, asking())
    assert memories_of(hits)[0] == "用户上次退货选择了到店退货"
    assert documents_of(hits) == ["policy"]


async def test_what_narrows_memories_narrows_no_documents(stocked: Ports) -> None:
    hits = await search_everything(stocked, ADMIN, asking(agent_id="shop"))
    assert all("book" in text for text in memories_of(hits)) and memories_of(hits)
    assert documents_of(hits) == ["policy"]


async def test_without_a_base_no_documents_are_looked_for(stocked: Ports) -> None:
    hits = await search_everything(stocked, granted("memory:read"), asking(base_id=None))
    assert hits.documents is None
    assert memories_of(hits)


async def test_an_unknown_base_takes_nothing_from_the_memories(stocked: Ports) -> None:
    hits = await search_everything(stocked, ADMIN, asking(base_id="kb-none"))
    assert isinstance(hits.documents, NotFound)
    assert "kb-none" in hits.documents.message
    assert memories_of(hits)


async def test_each_source_asks_for_its_own_permission(stocked: Ports) -> None:
    remembering = await search_everything(stocked, granted("memory:read"), asking())
    assert memories_of(remembering) and isinstance(remembering.documents, PermissionDenied)
    reading = await search_everything(stocked, granted("knowledge:read"), asking())
    assert isinstance(reading.memories, PermissionDenied) and documents_of(reading) == ["policy"]
    bound = await search_everything(stocked, granted("memory:read", "knowledge:read", user_id="u2"), asking())
    assert isinstance(bound.memories, PermissionDenied) and documents_of(bound) == ["policy"]


async def test_a_question_is_embedded_once_for_all_sources(stocked: Ports) -> None:
    embedder = CountingEmbedder()
    hits = await search_everything(asked_of(stocked, CachedQueries(embedder)), ADMIN, asking())
    assert embedder.asked.count("如何处理退货") == 1
    assert memories_of(hits) and documents_of(hits)


async def test_an_embedder_that_is_down_is_waited_for_once_and_words_are_enough(stocked: Ports) -> None:
    embedder = CountingEmbedder(EmbedderUnavailable())
    hits = await search_everything(asked_of(stocked, CachedQueries(embedder)), ADMIN, asking())
    assert embedder.asked == ["如何处理退货"]
    assert memories_of(hits)[0] == "用户上次退货选择了到店退货"
    assert documents_of(hits) == ["policy"]
    assert isinstance(hits.memories, MemoryHits) and isinstance(hits.documents, FoundDocuments)
    assert (hits.memories.notices, hits.documents.notices) == ((WORDS_ONLY,), (WORDS_ONLY,))


async def test_a_store_that_is_gone_is_told_by_every_source(stocked: Ports) -> None:
    await stocked.storage.close()
    hits = await search_everything(stocked, ADMIN, asking())
    assert isinstance(hits.memories, YikuError) and isinstance(hits.documents, YikuError)


async def test_a_fault_of_our_own_is_no_answer(stocked: Ports) -> None:
    embedder = BrokenEmbedder()
    embedder.error = ZeroDivisionError("secret detail")
    with pytest.raises(ExceptionGroup) as fault:
        await search_everything(replace(stocked, embedder=embedder), ADMIN, asking(base_id=None))
    assert fault.group_contains(ZeroDivisionError)
