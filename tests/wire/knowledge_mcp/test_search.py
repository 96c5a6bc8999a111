"""What a search answers, and what it never shows."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.core.knowledge.test_search_published import Understanding
from tests.documents import ADMIN, ingest_all, new_base, upload
from tests.wire.doors import everything_stored
from yiku.core.audit import list_audit
from yiku.core.knowledge.bases import archive_base
from yiku.core.knowledge.publishing import archive_document, publish_document

from .conftest import open_door
from .requirements import proves

RUNBOOK = """# 部署手册

部署前先备份数据库。

## 回滚

如果部署失败,运行 rollback 命令回滚到上一版。
"""


@proves("search:text", "search:row")
async def test_a_result_says_what_was_found_where_it_stands_and_how_well_it_fits(place: str) -> None:
    async with open_door(place) as door:
        await new_base(door.ports, "运维/ops")
        item = await upload(door.ports, RUNBOOK, base_id="运维/ops", title="部署手册", name="deploy.md")
        await upload(door.ports, "Arabica beans are bought monthly.", base_id="运维/ops", title="Beans")
        result = await door.result(query="部署失败怎么回滚")
        text = result["content"][0]["text"]
        assert result["structuredContent"] == {"result": text}
        assert "回滚" in text and ", " not in text.replace(", line", "")
        found = json.loads(text)
        assert list(found) == ["type", "results"]
        assert found["type"] == "knowledge_search"
        best = found["results"][0]
        assert (best["knowledge_base_id"], best["knowledge_item_id"], best["knowledge_revision_id"]) == (
            "运维/ops", item.id, item.current,
        )  # fmt: skip
        assert (best["title"], best["source"]) == ("部署手册", "deploy.md")
        assert best["excerpt"] == "如果部署失败,运行 rollback 命令回滚到上一版。"
        assert best["citation"].startswith("运维/ops / 部署手册 > 回滚, line")
        assert best["reference"].startswith(f"knowledge://%E8%BF%90%E7%BB%B4%2Fops/{item.id}/{item.current}#L")
        assert RUNBOOK[best["content_offset"] :].startswith(best["excerpt"])
        for name in ("score", "lexical_score", "semantic_score"):
            assert 0 <= best[name] <= 1
        assert all(match.keys() < best.keys() for match in best["more_matches"])
        assert all(row["score"] <= best["score"] for row in found["results"])


@proves("search:text")
async def test_both_languages_are_searched_and_nothing_found_is_an_empty_list(place: str) -> None:
    async with open_door(place) as door:
        assert await door.call(query="coffee") == {"type": "knowledge_search", "results": []}
        await new_base(door.ports)
        await upload(door.ports, "Roll back with the rollback command.", title="English")
        await upload(door.ports, "咖啡机在三楼。", title="中文")
        assert (await door.call(query="roll back", mode="lexical"))["results"][0]["title"] == "English"
        assert (await door.call(query="咖啡机", mode="lexical"))["results"][0]["title"] == "中文"


@proves("search:current")
async def test_drafts_archived_items_and_archived_bases_are_never_found(place: str) -> None:
    async with open_door(place) as door:
        for base_id in ("kb", "old"):
            await new_base(door.ports, base_id)
            await upload(door.ports, "the coffee machine", base_id=base_id, title=base_id)
        await upload(door.ports, "the coffee machine", title="draft", publishes_itself=False)
        archived = await upload(door.ports, "the coffee machine", title="archived")
        await archive_document(door.ports, ADMIN, "kb", archived.id)
        await archive_base(door.ports, ADMIN, "old")
        assert [row["title"] for row in (await door.call(query="coffee machine"))["results"]] == ["kb"]


@proves("search:current")
async def test_a_search_follows_the_current_revision(place: str) -> None:
    async with open_door(place) as door:
        await new_base(door.ports)
        first = await upload(door.ports, "用 rollback 回滚", id="runbook", publishes_itself=False)
        await publish_document(door.ports, ADMIN, "kb", "runbook")
        await ingest_all(door.ports)
        second = await upload(door.ports, "用 undo 撤销", id="runbook", publishes_itself=False)
        [row] = (await door.call(query="回滚"))["results"]
        assert row["knowledge_revision_id"] == first.latest
        await publish_document(door.ports, ADMIN, "kb", "runbook")
        await ingest_all(door.ports)
        [row] = (await door.call(query="回滚"))["results"]
        assert (row["knowledge_revision_id"], row["excerpt"]) == (second.latest, "用 undo 撤销")


@proves("search:base", "empty")
async def test_a_search_may_be_narrowed_to_one_base(place: str) -> None:
    async with open_door(place) as door:
        for base_id in ("one", "two"):
            await new_base(door.ports, base_id)
            await upload(door.ports, "the coffee machine", base_id=base_id)
        everywhere = await door.call(query="coffee", knowledge_base_id="", knowledge_item_id="", mode="")
        assert {row["knowledge_base_id"] for row in everywhere["results"]} == {"one", "two"}
        narrowed = await door.call(query="coffee", knowledge_base_id="two")
        assert [row["knowledge_base_id"] for row in narrowed["results"]] == ["two"]
        assert len((await door.call(query="coffee", max_results=1))["results"]) == 1


@proves("mode", "alpha")
@pytest.mark.parametrize(
    ("given", "first"),
    [
        ({"mode": "lexical"}, "museum"),
        ({"mode": "semantic"}, "garage"),
        ({"alpha": 1}, "museum"),
        ({"alpha": 7.5}, "museum"),
        ({"alpha": 0}, "garage"),
        ({"alpha": -3}, "garage"),
        ({"mode": "by magic", "alpha": 1.0}, "museum"),
        ({"mode": "by magic", "alpha": 0.0}, "garage"),
        ({"mode": "semantic", "alpha": 1.0}, "garage"),
        ({"mode": "rrf"}, "both"),
    ],
    ids=str,
)
async def test_mode_and_alpha_say_what_comes_first(place: str, given: dict[str, object], first: str) -> None:
    async with open_door(place, embedder=Understanding()) as door:
        await new_base(door.ports)
        await upload(door.ports, "automobile museum", title="museum")
        if first == "both":
            await upload(door.ports, "car repair, automobile", title="both")
        await upload(door.ports, "car repair", title="garage")
        results = (await door.call(query="automobile", **given))["results"]
        assert results[0]["title"] == first
        if given.get("mode") == "lexical":
            assert {row["title"] for row in results} == {"museum"}
            assert results[0]["semantic_score"] is None


@proves("search:own")
async def test_what_another_workspace_has_does_not_exist(place: str) -> None:
    stranger = replace(ADMIN, workspace="theirs")
    async with open_door(place, anonymous=stranger) as door:
        await new_base(door.ports)
        item = await upload(door.ports, "the coffee machine")
        assert (await door.call(query="coffee"))["results"] == []
        foreign = await door.refused(query="coffee", knowledge_base_id="kb")
        missing = await door.refused(query="coffee", knowledge_base_id="none")
        assert foreign == missing
        assert foreign == await door.refused(knowledge_item_id=item.id)


@proves("read-only")
async def test_searching_and_reading_leave_no_trace(place: str) -> None:
    async with open_door(place) as door:
        await new_base(door.ports)
        item = await upload(door.ports, "the coffee machine")
        before = await everything_stored(door.ports), await list_audit(door.ports, ADMIN, before=None, limit=10)
        await door.call(query="coffee")
        await door.call(knowledge_item_id=item.id)
        assert (
            await everything_stored(door.ports),
            await list_audit(door.ports, ADMIN, before=None, limit=10),
        ) == before


@proves("search:text")
async def test_an_answer_from_words_alone_says_so(place: str) -> None:
    async with open_door(place) as door:
        await new_base(door.ports)
        await upload(door.ports, "the coffee machine")
        await door.ports.embedder.close()
        answer = await door.call(query="coffee")
        assert len(answer["results"]) == len(answer["notices"]) == 1
        assert answer["results"][0]["semantic_score"] is None
