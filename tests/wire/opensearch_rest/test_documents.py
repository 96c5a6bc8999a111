"""Knowledge bases and their documents over V3, with files that really lie elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from yiku.core.access import FIRST_START
from yiku.core.keys import create_key
from yiku.core.knowledge.documents import CONTENT_CHARACTERS_MAX
from yiku.core.workspaces import create_workspace
from yiku.model.keys import NewKey
from yiku.model.principal import Principal
from yiku.wire.mcp_server import Caller, call_tool
from yiku.wire.opensearch_mcp.toolbox import TOOLBOX

from .conftest import V3, Door, open_door, refusal
from .files import served
from .requirements import proves

ADMIN = Principal(key_id="k", workspace="default", permissions=frozenset({"admin"}))
MANUAL = "# 使用手册\n\n## 第一章 概述\n\n配置权限需在控制台的访问控制页面进行。"
GUIDE = "# Guide\n\nReturns are accepted within thirty days."
DOCS = "/knowledge-bases/kb-001/docs"


@pytest.fixture
def files(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "manual.md").write_text(MANUAL, encoding="utf-8")
    (folder / "guide.md").write_text(GUIDE, encoding="utf-8")
    (folder / "blank.txt").write_text(" \n", encoding="utf-8")
    with served(folder) as address:
        yield address


def uploading(file_url: str, *, type: str = "LOCAL", **doc: Any) -> dict[str, Any]:
    return {"type": type, "doc": {"file_url": file_url, **doc}}


async def new_base(door: Door, base_id: str = "kb-001") -> None:
    await door.result("POST", "/knowledge-bases", {"id": base_id, "name": "产品手册"})


@proves("docs:upload", "docs:upload-answer", "docs:states", "docs:get", "docs:progress", "docs:truncated", "times")
async def test_a_document_is_processing_until_it_was_read_and_then_shows_its_text(door: Door, files: str) -> None:
    await new_base(door)
    answer = await door.result("POST", DOCS, uploading(f"{files}/manual.md", id="doc-001", title="使用手册 2026"))
    assert list(answer.items()) == [("id", "doc-001"), ("error_message", "")]
    waiting = await door.result("GET", f"{DOCS}/doc-001")
    assert (waiting["status"], waiting["content"]) == ("PROCESSING", "")
    await door.work()
    read = await door.result("GET", f"{DOCS}/doc-001")
    assert list(read) == ["id", "title", "content", "status", "timestamp", "progress", "error_message", "truncated"]
    assert (read["title"], read["content"], read["status"]) == ("使用手册 2026", MANUAL, "SUCCESS")
    assert (read["progress"], read["error_message"], read["truncated"]) == (100, "", False)
    assert read["timestamp"].endswith("Z") and len(read["timestamp"]) == len("2026-06-02T08:39:21.482047Z")


@proves("docs:upload", "unknown-fields")
async def test_an_upload_without_id_and_title_gets_an_id_and_the_files_own_title(door: Door, files: str) -> None:
    await new_base(door)
    body = uploading(f"{files}/guide.md", type="OSS", id=None, tags=["x"]) | {"callback": "https://example.com"}
    made = await door.result("POST", DOCS, body)
    assert made["id"].startswith("doc-")
    await door.work()
    assert (await door.result("GET", f"{DOCS}/{made['id']}"))["title"] in ("Guide", "guide")


@proves("docs:again")
async def test_the_same_id_again_shows_the_old_text_until_the_new_one_was_read(door: Door, files: str) -> None:
    await new_base(door)
    await door.result("POST", DOCS, uploading(f"{files}/manual.md", id="doc-001"))
    await door.work()
    await door.result("POST", DOCS, uploading(f"{files}/guide.md", id="doc-001"))
    between = await door.result("GET", f"{DOCS}/doc-001")
    assert (between["status"], between["content"]) == ("PROCESSING", MANUAL)
    await door.work()
    after = await door.result("GET", f"{DOCS}/doc-001")
    assert (after["status"], after["content"]) == ("SUCCESS", GUIDE)
    assert (await door.result("GET", DOCS))["total"] == 1


@proves("docs:states", "docs:progress")
@pytest.mark.parametrize(("file", "reason"), [("blank.txt", "empty"), ("missing.pdf", "missing")])
async def test_a_file_that_cannot_be_read_ends_with_its_reason(door: Door, files: str, file: str, reason: str) -> None:
    await new_base(door)
    await door.result("POST", DOCS, uploading(f"{files}/{file}", id="d"))
    await door.work()
    [listed] = (await door.result("GET", DOCS))["results"]
    read = await door.result("GET", f"{DOCS}/d")
    for shown in (listed, read):
        assert (shown["status"], shown["reason"]) == ("FAIL", reason)
        assert shown["error_message"]
    assert read["content"] == ""


@proves("docs:truncated")
async def test_of_a_very_long_document_the_beginning_is_shown_and_said_to_be_one(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    line = "x" * 9_999 + "\n"
    (folder / "long.txt").write_text(line * (CONTENT_CHARACTERS_MAX // len(line) + 1))
    async with open_door(tmp_path / "data") as door:
        await new_base(door)
        with served(folder) as address:
            await door.result("POST", DOCS, uploading(f"{address}/long.txt", id="d"))
            await door.work()
        read = await door.result("GET", f"{DOCS}/d")
    assert (len(read["content"]), read["truncated"]) == (CONTENT_CHARACTERS_MAX, True)


@proves("docs:list", "docs:list-pages", "parameters")
async def test_a_list_counts_all_and_shows_a_page_newest_first(door: Door, files: str) -> None:
    await new_base(door)
    for number in range(12):
        await door.result("POST", DOCS, uploading(f"{files}/guide.md", id=f"d{number}", title=f"文档 {number}"))
    first = await door.result("GET", DOCS)
    assert list(first) == ["results", "total"]
    assert (first["total"], len(first["results"])) == (12, 10)
    assert list(first["results"][0]) == ["id", "title", "timestamp", "status", "progress", "error_message"]

    async def ids(parameters: str) -> list[str]:
        return [row["id"] for row in (await door.result("GET", f"{DOCS}?{parameters}"))["results"]]

    assert sorted(await ids("page_number=2") + await ids("page_number=1&page_size=10")) == sorted(
        f"d{number}" for number in range(12)
    )
    assert await ids("page_number=3&page_size=5") == await ids("page_number=2")
    assert len(await ids("page_size=1&page_size=3&sort=title&status=")) == 3
    assert await ids("page_number=9") == []


@proves("docs:delete", "docs:one-library")
async def test_a_document_can_be_read_over_mcp_until_it_is_deleted(door: Door, files: str) -> None:
    await new_base(door)
    await door.result("POST", DOCS, uploading(f"{files}/manual.md", id="doc-001"))
    await door.work()

    async def mcp(tool: str, **arguments: Any) -> dict[str, Any]:
        return await call_tool(door.ports, TOOLBOX, Caller(ADMIN, "req-1"), tool, {"kb_id": "kb-001", **arguments})

    read = await mcp("kb_doc_read", doc_id="doc-001", offset=5, limit=1)
    assert "访问控制页面" in read["structuredContent"]["content"]
    found = await mcp("kb_nodes_search", query="如何配置权限")
    assert found["structuredContent"]["results"][0]["doc_id"] == "doc-001"
    assert await door.result("DELETE", f"{DOCS}/doc-001") == {"id": "doc-001", "error_message": ""}
    refusal(await door.ask_v3("GET", f"{DOCS}/doc-001"), 404, "NotFound")
    refusal(await door.ask_v3("DELETE", f"{DOCS}/doc-001"), 404, "NotFound")
    assert (await mcp("kb_nodes_search", query="如何配置权限"))["structuredContent"]["results"] == []
    assert (await mcp("kb_doc_read", doc_id="doc-001"))["isError"] is True
    assert (await door.result("GET", DOCS))["total"] == 0


@proves("bases")
async def test_bases_are_made_listed_and_deleted_with_their_documents(door: Door, files: str) -> None:
    made = await door.result("POST", "/knowledge-bases", {"name": "Handbook", "colour": "red"})
    assert list(made) == ["id", "name", "description", "is_active", "created_at", "updated_at"]
    assert made["id"].startswith("kb-")
    named = {"id": "团队/a b", "name": "手册", "description": "给新人"}
    assert (await door.result("POST", "/knowledge-bases", named)).items() >= named.items()
    path = "/knowledge-bases/%E5%9B%A2%E9%98%9F%2Fa%20b"
    await door.result("POST", f"{path}/docs", uploading(f"{files}/guide.md", id="a/b"))
    assert (await door.result("GET", f"{path}/docs/a%2Fb"))["id"] == "a/b"
    listed = await door.result("GET", "/knowledge-bases")
    assert (listed["total"], [row["id"] for row in listed["results"]]) == (2, [made["id"], "团队/a b"])
    assert [row["documents"] for row in listed["results"]] == [0, 1]
    assert len((await door.result("GET", "/knowledge-bases?page_size=1&page_number=2"))["results"]) == 1
    assert await door.result("DELETE", path) == {"id": "团队/a b", "documents": 1}
    refusal(await door.ask_v3("GET", f"{path}/docs"), 404, "NotFound")
    assert (await door.result("GET", "/knowledge-bases"))["total"] == 1


@proves("docs:foreign")
async def test_the_bases_of_another_workspace_look_like_those_that_do_not_exist(door: Door) -> None:
    await create_workspace(door.ports, FIRST_START, "second")
    await new_base(door)
    second = V3.replace("/default/", "/second/")
    foreign = refusal(await door.send("GET", f"{second}{DOCS}"), 404, "NotFound")
    missing = refusal(await door.send("GET", f"{second}{DOCS.replace('kb-001', 'kb-000')}"), 404, "NotFound")
    assert foreign == missing.replace("kb-000", "kb-001")


@proves("bad:knowledge-permission")
@pytest.mark.parametrize("granted", ["knowledge:read", "knowledge:write", "memory:read"])
async def test_documents_have_permissions_of_their_own(door: Door, granted: Any) -> None:
    await new_base(door)
    made = await create_key(door.ports, FIRST_START, NewKey(name="test", permissions=frozenset({granted})))
    door.key = made.secret
    calls: list[tuple[str, str, Any, str]] = [
        ("GET", DOCS, None, "knowledge:read"),
        ("GET", f"{DOCS}/d", None, "knowledge:read"),
        ("GET", "/knowledge-bases", None, "knowledge:read"),
        ("POST", DOCS, uploading("https://example.com/a.pdf"), "knowledge:write"),
        ("DELETE", f"{DOCS}/d", None, "knowledge:write"),
        ("POST", "/knowledge-bases", {"name": "x"}, "knowledge:write"),
        ("DELETE", "/knowledge-bases/kb-002", None, "knowledge:write"),
    ]
    for method, path, body, needed in calls:
        response = await door.ask_v3(method, path, body)
        if needed == granted:
            assert response.status_code in (200, 404), response.text
        else:
            assert needed in refusal(response, 403, "PermissionDenied")
