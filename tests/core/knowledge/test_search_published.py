"""Search over all bases of a workspace: what is found, in which order, and what never is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.documents import ADMIN, ingest_all, new_base, upload
from yiku.adapters.embedders import HashedEmbedder, ParticularQuestions
from yiku.core.knowledge.bases import archive_base
from yiku.core.knowledge.excerpts import excerpt_of
from yiku.core.knowledge.publishing import archive_document, publish_document
from yiku.core.knowledge.search_published import PLACES_SHOWN, SearchPublished, search_published
from yiku.model.errors import NotFound, PermissionDenied
from yiku.model.passages import Fusion, PassageOrder
from yiku.model.principal import Principal
from yiku.model.records import Embedding
from yiku.ports import Ports

READER = Principal(key_id="r", workspace="default", permissions=frozenset({"knowledge:read"}))


class Understanding(HashedEmbedder):
    """Knows that an automobile is a car, which words do not show."""

    async def embed_query(self, text: str) -> Embedding:
        [embedding] = await self.embed_passages([text.replace("automobile", "car repair")])
        return embedding


def with_meaning(ports: Ports) -> Ports:
    embedder = Understanding()
    documents = replace(ports.for_documents, questions=ParticularQuestions(embedder))
    return replace(ports, embedder=embedder, documents=documents)


class Backwards:
    """Reads best what the first stage put last."""

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(place) for place in range(len(texts))]

    async def close(self) -> None:
        return


async def found(ports: Ports, text: str, principal: Principal = READER, **given: object) -> list[str]:
    """The titles of the items that are found, best first."""
    query = SearchPublished(text=text, **{"limit": 10} | given)  # type: ignore[arg-type]
    return [hit.revision.title for hit in (await search_published(ports, principal, query)).hits]


async def test_all_active_bases_are_searched_or_the_one_that_is_named(ports: Ports) -> None:
    for base_id in ("one", "two", "old"):
        await new_base(ports, base_id)
        await upload(ports, f"咖啡机在三楼。The coffee machine of {base_id}.", base_id=base_id, title=base_id)
    await archive_base(ports, ADMIN, "old")
    for question in ("咖啡机在哪里", "coffee machine"):
        assert set(await found(ports, question)) == {"one", "two"}
        assert await found(ports, question, base_id="two") == ["two"]
    for missing in ("old", "none"):
        with pytest.raises(NotFound):
            await found(ports, "coffee", base_id=missing)


async def test_a_workspace_without_bases_has_no_answers(ports: Ports) -> None:
    assert await found(ports, "anything") == []


async def test_neither_drafts_nor_archived_items_nor_those_of_others_are_found(ports: Ports) -> None:
    others = replace(ADMIN, workspace="theirs")
    await new_base(ports)
    await new_base(ports, principal=others)
    await upload(ports, "the coffee machine", title="theirs", principal=others)
    draft = await upload(ports, "the coffee machine", title="draft", publishes_itself=False)
    archived = await upload(ports, "the coffee machine", title="archived")
    await archive_document(ports, ADMIN, "kb", archived.id)
    assert await found(ports, "coffee machine") == []
    await publish_document(ports, ADMIN, "kb", draft.id)
    await publish_document(ports, ADMIN, "kb", archived.id)
    await ingest_all(ports)
    assert set(await found(ports, "coffee machine")) == {"draft", "archived"}


async def test_a_draft_of_a_published_item_changes_neither_what_is_found_nor_its_title(ports: Ports) -> None:
    await new_base(ports)
    item = await upload(ports, "用 rollback 命令回滚", id="runbook", title="回滚", publishes_itself=False)
    await publish_document(ports, ADMIN, "kb", item.id)
    await ingest_all(ports)
    later = await upload(ports, "用 undo 命令撤销", id="runbook", title="撤销", publishes_itself=False)
    assert await found(ports, "回滚命令") == ["回滚"]
    await publish_document(ports, ADMIN, "kb", item.id)
    await ingest_all(ports)
    assert await found(ports, "撤销命令") == ["撤销"]
    [hit] = (await search_published(ports, READER, SearchPublished(text="rollback", limit=5))).hits
    assert hit.revision.id == later.latest
    assert "rollback" not in hit.places[0].excerpt


@pytest.mark.parametrize(
    ("order", "first"),
    [
        (PassageOrder(Fusion.MIX, 1.0), "museum"),
        (PassageOrder(Fusion.MIX, 0.0), "garage"),
        (PassageOrder(Fusion.WORDS), "museum"),
        (PassageOrder(Fusion.VECTORS), "garage"),
    ],
    ids=["all words", "all meaning", "lexical", "semantic"],
)
async def test_the_caller_says_what_words_and_meaning_count(ports: Ports, order: PassageOrder, first: str) -> None:
    ports = with_meaning(ports)
    await new_base(ports)
    await upload(ports, "An automobile museum opens at nine in the morning", title="museum")
    await upload(ports, "car repair", title="garage")
    titles = await found(ports, "automobile", order=order)
    assert titles[0] == first
    assert ("garage" in titles) == (order.fusion is not Fusion.WORDS)


async def test_what_words_and_meaning_both_find_is_first_by_ranks(ports: Ports) -> None:
    ports = with_meaning(ports)
    await new_base(ports)
    await upload(ports, "automobile automobile museum, opens at nine in the morning every day", title="museum")
    await upload(ports, "car repair of an automobile", title="both")
    await upload(ports, "car repair", title="garage")
    assert (await found(ports, "automobile", order=PassageOrder(Fusion.RANKS)))[0] == "both"


async def test_an_item_is_one_answer_with_the_places_in_it_that_answer(ports: Ports) -> None:
    await new_base(ports)
    sections = "\n\n".join(f"## Part {number}\n\nThe coffee machine {number} is cleaned." for number in range(6))
    await upload(ports, sections, title="long")
    await upload(ports, "Tea is made by hand. There is one coffee machine.", title="short")
    hits = (await search_published(ports, READER, SearchPublished(text="coffee machine", limit=10))).hits
    assert sorted(hit.revision.title for hit in hits) == ["long", "short"]
    assert {hit.revision.title: len(hit.places) for hit in hits} == {"long": PLACES_SHOWN, "short": 1}
    for hit in hits:
        assert all(hit.places[0].score >= place.score for place in hit.places)
        assert all("coffee machine" in place.excerpt for place in hit.places)
    assert len(await found(ports, "coffee machine", limit=1)) == 1


async def test_a_reranker_is_heard_only_where_nobody_chose_an_order(ports: Ports) -> None:
    ports = replace(ports, reranker=Backwards())
    await new_base(ports)
    await upload(ports, "coffee coffee coffee", title="best")
    await upload(ports, "coffee, and tea for those who want none", title="worst")
    assert await found(ports, "coffee") == ["worst", "best"]
    assert await found(ports, "coffee", order=PassageOrder(Fusion.WORDS)) == ["best", "worst"]


async def test_without_the_embedder_words_answer_and_a_notice_says_so(ports: Ports) -> None:
    await new_base(ports)
    await upload(ports, "the coffee machine", title="machine")
    await ports.embedder.close()
    answer = await search_published(ports, READER, SearchPublished(text="coffee", limit=5))
    assert [hit.revision.title for hit in answer.hits] == ["machine"]
    assert answer.notices
    words = SearchPublished(text="coffee", limit=5, order=PassageOrder(Fusion.WORDS))
    assert (await search_published(ports, READER, words)).notices == ()


async def test_a_key_without_the_permission_searches_nothing(ports: Ports) -> None:
    with pytest.raises(PermissionDenied, match="knowledge:read"):
        await found(ports, "x", replace(READER, permissions=frozenset({"memory:read"})))


def test_an_excerpt_is_whole_sentences_around_the_words_of_the_question() -> None:
    filler = "Nothing of interest is said in this sentence. " * 10
    content = f"  {filler}Run rollback on the host. Then restart it. {filler}"
    start, excerpt = excerpt_of(content, "how to rollback the host", characters_max=120)
    assert "Run rollback on the host." in excerpt
    assert excerpt.endswith(".")
    assert content[start:].startswith(excerpt)
    assert len(excerpt) <= 120
    chinese = "这里没有什么可说的。" * 30 + "回滚用 rollback 命令。" + "这里也没有什么可说的。" * 30
    _, excerpt = excerpt_of(chinese, "怎么回滚", characters_max=60)
    assert "回滚用 rollback 命令。" in excerpt
    assert excerpt.endswith("。")


def test_a_passage_that_fits_is_its_own_excerpt_and_a_sentence_without_end_is_cut() -> None:
    assert excerpt_of("\n\nShort.\n", "anything") == (2, "Short.")
    start, excerpt = excerpt_of("字" * 500, "词", characters_max=100)
    assert (start, len(excerpt)) == (0, 100)
