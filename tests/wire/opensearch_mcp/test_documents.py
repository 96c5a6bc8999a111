"""What the tools for documents find and show."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.core.test_work import BrokenEmbedder
from tests.documents import ADMIN, BASE, new_base, upload
from yiku.core.access import FIRST_START
from yiku.core.knowledge.contents import NODE_CHARACTERS_MAX
from yiku.core.knowledge.passages import WORDS_ONLY
from yiku.core.knowledge.upload import UploadDocument, upload_document
from yiku.core.workspaces import create_workspace
from yiku.model.errors import EmbedderUnavailable
from yiku.model.principal import Principal

from .conftest import Door, open_door
from .requirements import proves

GUIDE = """# 产品使用手册

## 第一章 概述

本产品帮助团队管理文档。

## 第二章 权限

配置权限需在控制台的访问控制页面进行。

### 2.1 角色

角色分为管理员和成员。
"""
RETURNS = "# Returns\n\nGoods can be returned within thirty days.\n\nRefunds arrive within a week.\n"


async def search(door: Door, tool: str, query: str, **more: Any) -> dict[str, Any]:
    return await door.call(tool, query=query, kb_id=BASE, **more)


async def refused(door: Door, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await door.result(tool, {"kb_id": BASE, **arguments})
    assert result["isError"] is True, result
    error: dict[str, Any] = json.loads(result["content"][0]["text"])
    return error


@pytest.fixture
async def stocked(door: Door) -> Door:
    await new_base(door.ports)
    await upload(door.ports, GUIDE, id="guide", name="guide.md")
    await upload(door.ports, RETURNS, id="returns", name="returns.md")
    return door


@proves("docs:result", "docs:topk", "docs:more")
async def test_documents_are_found_by_what_stands_in_them(stocked: Door) -> None:
    for query, expected in (("如何配置权限", "guide"), ("When can goods be returned?", "returns")):
        [best, *_] = (await search(stocked, "kb_docs_search", query))["results"]
        assert list(best)[:3] == ["id", "title", "score"]
        assert (best["id"], best["status"]) == (expected, "SUCCESS")
        assert 0 < best["score"] <= 1 and best["score"] == round(best["score"], 4)
        [node] = (await stocked.call("kb_node_content_get", kb_id=BASE, node_ids=best["matched_node_ids"]))["results"]
        assert node["doc_id"] == expected
    assert len((await search(stocked, "kb_docs_search", "文档 returned", topk=1))["results"]) == 1


@proves("nodes:result", "nodes:topk", "nodes:place", "nodes:doc-ids")
async def test_nodes_show_what_they_say_and_where_it_stands(stocked: Door) -> None:
    found = await search(stocked, "kb_nodes_search", "如何配置权限", topk=3)
    [best, *_] = found["results"]
    assert list(best)[:4] == ["id", "doc_id", "content", "score"]
    assert best["content"].strip() == "配置权限需在控制台的访问控制页面进行。"
    assert (best["doc_id"], best["doc_title"], best["title"]) == ("guide", "产品使用手册", "第二章 权限")
    assert best["path"] == ["产品使用手册", "第二章 权限"]
    assert "pages" not in best
    first, last = best["lines"]
    read = await stocked.call("kb_doc_read", kb_id=BASE, doc_id="guide", offset=first, limit=last - first + 1)
    assert best["content"].strip() in read["content"]
    assert found["expand_applied"] == "no_expand"
    only = await search(stocked, "kb_nodes_search", "如何配置权限", doc_ids=["returns"])
    assert {row["doc_id"] for row in only["results"]} <= {"returns"}
    assert (await search(stocked, "kb_nodes_search", "如何配置权限", doc_ids=[]))["results"] == []
    assert len((await search(stocked, "kb_nodes_search", "权限 returned", topk=1))["results"]) == 1


@proves("nodes:expand")
async def test_expanding_shows_sections_and_which_passages_brought_them_in(stocked: Door) -> None:
    question = "配置权限 角色 管理员"
    [leaf, *_] = (await search(stocked, "kb_nodes_search", question, doc_ids=["guide"]))["results"]
    assert leaf["matched_node_ids"] == [leaf["id"]]
    best = await search(stocked, "kb_nodes_search", question, doc_ids=["guide"], expand="max_score")
    toc = (await stocked.call("kb_doc_structure_get", kb_id=BASE, doc_id="guide"))["toc"]
    assert best["expand_applied"] == "max_score"
    assert {row["id"] for row in best["results"]} <= {row["node_id"] for row in toc}
    assert leaf["id"] in best["results"][0]["matched_node_ids"]
    shared = await search(stocked, "kb_nodes_search", question, doc_ids=["guide"], expand="cohierarchy", topk=2)
    assert shared["expand_applied"] == "cohierarchy"
    several = [row for row in shared["results"] if len(row["matched_node_ids"]) > 1]
    assert all(row["id"] in {section["node_id"] for section in toc} for row in several)


@proves("nodes:jsonl")
async def test_hits_that_all_come_from_jsonl_are_not_expanded_and_it_is_said(door: Door) -> None:
    await new_base(door.ports)
    rows = [json.dumps({"问题": f"第{n}个", "answer": f"tea number {n}"}, ensure_ascii=False) for n in range(9)]
    await upload(door.ports, "\n".join(rows), id="rows", name="rows.jsonl")
    found = await search(door, "kb_nodes_search", "tea number 7", expand="max_score")
    assert found["results"]
    assert found["expand_applied"] == "no_expand"


@proves("structure:result", "structure:more")
async def test_the_table_of_contents_leads_to_sections_and_lines(stocked: Door) -> None:
    contents = await stocked.call("kb_doc_structure_get", kb_id=BASE, doc_id="guide")
    toc = contents["toc"]
    assert [(row["title"], row["level"]) for row in toc] == [
        ("产品使用手册", 1), ("第一章 概述", 2), ("第二章 权限", 2), ("2.1 角色", 3),
    ]  # fmt: skip
    assert list(toc[0])[:3] == ["title", "level", "node_id"]
    assert all(row["node_id"].startswith("node-") for row in toc)
    assert (contents["title"], contents["total_lines"]) == ("产品使用手册", GUIDE.count("\n"))
    assert [row["lines"] for row in toc] == [[1, 13], [3, 6], [7, 13], [11, 13]]


@proves("node:result", "node:missing")
async def test_nodes_are_read_in_the_order_asked_and_unknown_ones_are_named(stocked: Door) -> None:
    toc = (await stocked.call("kb_doc_structure_get", kb_id=BASE, doc_id="guide"))["toc"]
    roles, chapter = toc[3]["node_id"], toc[2]["node_id"]
    read = await stocked.call("kb_node_content_get", kb_id=BASE, node_ids=[roles, "node-none", chapter, roles])
    assert [row["id"] for row in read["results"]] == [roles, chapter]
    assert list(read["results"][0])[:2] == ["id", "content"]
    assert read["results"][0]["content"] == "### 2.1 角色\n\n角色分为管理员和成员。"
    assert read["results"][1]["content"].endswith(read["results"][0]["content"])
    assert read["missing"] == ["node-none"]
    assert "missing" not in await stocked.call("kb_node_content_get", kb_id=BASE, node_ids=[roles])


@proves("node:cut")
async def test_a_node_that_is_too_long_is_cut_and_says_so(door: Door) -> None:
    await new_base(door.ports)
    await upload(door.ports, "# Long\n\n" + "茶 tea " * NODE_CHARACTERS_MAX, id="long")
    [row] = (await door.call("kb_doc_structure_get", kb_id=BASE, doc_id="long"))["toc"]
    [node] = (await door.call("kb_node_content_get", kb_id=BASE, node_ids=[row["node_id"]]))["results"]
    assert (len(node["content"]), node["truncated"]) == (NODE_CHARACTERS_MAX, True)


@proves("grep:result", "grep:pattern", "grep:context", "grep:ignore-case", "grep:limit")
async def test_lines_are_found_by_a_pattern_with_what_stands_around_them(stocked: Door) -> None:
    async def grep(pattern: str, **more: Any) -> dict[str, Any]:
        return await stocked.call("kb_doc_grep", kb_id=BASE, pattern=pattern, **more)

    found = await grep("配置.*控制", doc_id="guide", context=1)
    assert list(found)[:2] == ["matches", "total"]
    [match] = found["matches"]
    assert list(match)[:3] == ["line_number", "line", "context"]
    line = "配置权限需在控制台的访问控制页面进行。"
    assert (match["line_number"], match["line"], match["context"]) == (9, line, ["", line, ""])
    assert (found["total"], found["truncated"], match["line_truncated"]) == (1, False, False)
    assert (await grep("GOODS", doc_id="returns"))["total"] == 0
    assert (await grep("GOODS", doc_id="returns", ignore_case=True))["total"] == 1
    assert (await grep(".", doc_id="returns", literal=True))["total"] == 2
    everything = await grep(".", doc_id="returns", limit=1)
    assert (len(everything["matches"]), everything["total"]) == (1, 3)
    assert everything["matches"][0]["context"] == ["# Returns"]


@proves("grep:lines", "grep:long-line")
async def test_lines_are_counted_alike_whatever_ends_them_and_long_ones_show_a_piece(door: Door) -> None:
    await new_base(door.ports)
    await upload(door.ports, "first needle\r\nsecond\rneedle\u2028third needle\r\n", id="d", name="a.txt")
    ends = await door.call("kb_doc_grep", kb_id=BASE, doc_id="d", pattern="needle$")
    assert [match["line_number"] for match in ends["matches"]] == [1, 3]
    await upload(door.ports, "茶" * 5_000 + "needle" + "茶" * 5_000, id="long", name="b.txt")
    [match] = (await door.call("kb_doc_grep", kb_id=BASE, doc_id="long", pattern="needle"))["matches"]
    assert (match["line_truncated"], match["column"]) == (True, 5_001)
    assert "needle" in match["line"] and len(match["line"]) <= 2_000


@proves("grep:linear")
@pytest.mark.timeout(30)
async def test_a_pattern_that_makes_others_hang_is_answered(door: Door) -> None:
    await new_base(door.ports)
    await upload(door.ports, "a" * 20_000 + "!\n" + "配置" * 10_000 + "\n", id="d", name="a.txt")
    for pattern in ("(a+)+$", "(a|aa)+$", "(配置)*配置x", "(.*)*x", ".*.*.*=.*"):
        assert (await door.call("kb_doc_grep", kb_id=BASE, doc_id="d", pattern=pattern))["total"] == 0


@proves("read:result", "read:paging", "read:more", "read:past-end")
async def test_a_document_is_read_line_by_line(door: Door) -> None:
    await new_base(door.ports)
    await upload(door.ports, "".join(f"第{n}行 line {n}\n" for n in range(1, 451)), id="d", name="lines.txt")

    async def read(**more: Any) -> dict[str, Any]:
        return await door.call("kb_doc_read", kb_id=BASE, doc_id="d", **more)

    some = await read(offset=5, limit=2)
    assert some["content"].splitlines() == ["第5行 line 5", "第6行 line 6"]
    assert list(some) == ["content", "start_line", "end_line", "total_lines", "has_more", "line_truncated"]
    assert (some["start_line"], some["end_line"], some["total_lines"], some["has_more"]) == (5, 6, 450, True)
    pages, offset = [], 1
    while True:
        page = await read(offset=offset)
        pages.append(page["content"].splitlines())
        offset = page["end_line"] + 1
        if not page["has_more"]:
            break
    assert [len(page) for page in pages] == [200, 200, 50]
    assert [line for page in pages for line in page] == [f"第{n}行 line {n}" for n in range(1, 451)]
    past = await read(offset=451)
    assert (past["content"], past["total_lines"], past["has_more"]) == ("", 450, False)
    assert (await read(offset=10**30))["content"] == ""


@proves("kb:not-yet")
async def test_a_document_that_cannot_be_read_yet_or_ever_says_why(door: Door) -> None:
    await new_base(door.ports)
    await upload_document(door.ports, ADMIN, BASE, UploadDocument(content=GUIDE.encode(), name="guide.md", id="guide"))
    for tool, more in (("kb_doc_structure_get", {}), ("kb_doc_read", {}), ("kb_doc_grep", {"pattern": "a"})):
        error = await refused(door, tool, doc_id="guide", **more)
        assert (error["code"], error["details"]) == ("NotFound", {"field": "doc_id"})
        assert "still being read" in error["message"]
    await upload(door.ports, b"\x00\x01\x02", id="broken", name="broken.pdf")
    assert "could not be read" in (await refused(door, "kb_doc_read", doc_id="broken"))["message"]
    await upload(door.ports, RETURNS, id="draft", publishes_itself=False)
    assert "draft" in (await refused(door, "kb_doc_read", doc_id="draft"))["message"]


@proves("kb:notices")
async def test_words_alone_find_documents_when_there_are_no_vectors_and_it_is_said(tmp_path: Path) -> None:
    embedder = BrokenEmbedder()
    async with open_door(tmp_path, embedder=embedder) as door:
        await new_base(door.ports)
        await upload(door.ports, GUIDE, id="guide")
        assert "notices" not in await search(door, "kb_nodes_search", "访问控制")
        embedder.error = EmbedderUnavailable()
        for tool in ("kb_docs_search", "kb_nodes_search"):
            found = await search(door, tool, "访问控制")
            assert found["results"] and found["notices"] == [WORDS_ONLY]


@proves("kb:permission", "kb:id-required")
async def test_documents_have_a_permission_of_their_own(tmp_path: Path) -> None:
    writer = Principal(key_id="w", workspace="default", permissions=frozenset({"memory:read", "knowledge:write"}))
    async with open_door(tmp_path, anonymous=writer) as door:
        await new_base(door.ports)
        await upload(door.ports, GUIDE, id="guide")
        for tool, arguments in (
            ("kb_docs_search", {"query": "q"}),
            ("kb_nodes_search", {"query": "q"}),
            ("kb_doc_structure_get", {"doc_id": "guide"}),
            ("kb_node_content_get", {"node_ids": ["node-1"]}),
            ("kb_doc_grep", {"doc_id": "guide", "pattern": "a"}),
            ("kb_doc_read", {"doc_id": "guide"}),
        ):
            error = await refused(door, tool, **arguments)
            assert error["code"] == "PermissionDenied" and "knowledge:read" in error["message"]


@proves("kb:foreign")
async def test_a_base_of_another_workspace_looks_like_one_that_does_not_exist(door: Door) -> None:
    await create_workspace(door.ports, FIRST_START, "second")
    second = replace(ADMIN, workspace="second")
    await new_base(door.ports, "theirs", second)
    await upload(door.ports, GUIDE, id="guide", base_id="theirs", principal=second)
    foreign = await refused(door, "kb_doc_read", kb_id="theirs", doc_id="guide")
    missing = await refused(door, "kb_doc_read", kb_id="nobody", doc_id="guide")
    assert json.dumps(foreign).replace("theirs", "nobody") == json.dumps(missing)
