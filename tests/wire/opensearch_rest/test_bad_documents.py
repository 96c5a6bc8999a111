"""Calls about documents that do not fit: each is refused by the name of what is wrong, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wire.doors import everything_stored

from .conftest import Door, refusal
from .requirements import proves

DOCS = "/knowledge-bases/kb-001/docs"
DOC: dict[str, Any] = {"id": "doc-001", "title": "使用手册", "file_url": "https://example.com/manual.pdf"}


def upload(**changed: Any) -> dict[str, Any]:
    return {"type": "LOCAL", "doc": DOC | changed}


BODIES: list[tuple[Any, str]] = [
    ({"doc": DOC}, "type is required"),
    ({"type": "LOCAL"}, "doc is required"),
    ({"type": "FTP", "doc": DOC}, "type must be one of LOCAL, OSS"),
    ({"type": "local", "doc": DOC}, "type must be one of LOCAL, OSS"),
    ({"type": 1, "doc": DOC}, "type must be text; it is 1"),
    ({"type": "LOCAL", "doc": "https://example.com/manual.pdf"}, "doc must be an object; it is text"),
    ({"type": "LOCAL", "doc": {"id": "doc-001"}}, "file_url is required"),
    (upload(file_url=None), "file_url is required"),
    (upload(file_url=["https://example.com/a"]), "file_url must be text; it is a list"),
    (upload(id=7), "id must be text; it is 7"),
    (upload(id=" "), "id must not be empty"),
    (upload(id="a\nb"), "control characters"),
    (upload(id="*"), "'*' is not allowed"),
    (upload(title=""), "title must not be empty"),
    (upload(title="手\0册"), "NUL"),
]
URLS = [
    "", " ", "manual.pdf", "ftp://example.com/manual.pdf", "data:text/plain,hello", "javascript:alert(1)",
    "gopher://example.com/", "http://", "https://user:password@example.com/a", "http://exa mple.com/a",
    "file:///etc/passwd", "file://", "oss://bucket/manual.pdf", "oss://", "http://例\0子.com/",
]  # fmt: skip


@pytest.fixture
async def based(door: Door) -> Door:
    await door.result("POST", "/knowledge-bases", {"id": "kb-001", "name": "产品手册"})
    return door


@proves("bad:upload", "bad:types", "bad:required")
async def test_an_upload_that_lacks_something_is_refused_by_name(based: Door) -> None:
    before = await everything_stored(based.ports)
    for body, words in BODIES:
        assert words in refusal(await based.ask_v3("POST", DOCS, body), 400, "InvalidParameter"), body
    for large in ({"id": "文" * 100}, {"title": "文" * 400}):
        assert "the limit is" in refusal(await based.ask_v3("POST", DOCS, upload(**large)), 413, "PayloadTooLarge")
    assert await everything_stored(based.ports) == before


@proves("bad:file-url", "docs:oss")
async def test_an_address_that_can_never_be_fetched_is_refused_at_once(based: Door) -> None:
    before = await everything_stored(based.ports)
    for file_url in URLS:
        for kind in ("LOCAL", "OSS"):
            body = {"type": kind, "doc": {"file_url": file_url}}
            message = refusal(await based.ask_v3("POST", DOCS, body), 400, "InvalidParameter")
            assert "file" in message, (file_url, message)
    where = refusal(await based.ask_v3("POST", DOCS, upload(file_url="oss://bucket/a.pdf")), 400, "InvalidParameter")
    assert "object_store_url" in where
    assert await everything_stored(based.ports) == before


@proves("bad:page", "bad:bounds", "parameters")
@pytest.mark.parametrize("path", [DOCS, "/knowledge-bases"])
async def test_a_page_outside_its_bounds_is_refused_by_name(based: Door, path: str) -> None:
    for parameters, words in (
        ("page_number=0", "page_number must be an integer of 1 or more; it is 0"),
        ("page_number=-1", "it is -1"),
        ("page_size=0", "page_size must be an integer from 1 to 100; it is 0"),
        ("page_size=101", "it is 101"),
        ("page_size=ten", "page_size must be an integer from 1 to 100; it is text"),
        ("page_size=", "page_size must be"),
        ("page_size=1.5", "page_size must be"),
        ("page_size=%EF%BC%91", "page_size must be"),
        ("page_size=%FF", "page_size must be"),
        ("page_size=5&page_size=0", "it is 0"),
        ("page_number=1001", "past the first 10000"),
        (f"page_number={'9' * 90}", "past the first 10000"),
        (f"page_number={'9' * 5000}", "page_number must be"),
    ):
        assert words in refusal(await based.ask_v3("GET", f"{path}?{parameters}"), 400, "InvalidParameter"), parameters
    assert (await based.result("GET", f"{path}?page_number=1000"))["results"] == []


@proves("bad:base", "bad:id")
@pytest.mark.parametrize("base", ["kb-000", "%20", "%00", "a" * 300, "%2A", "%E6%9F%90"])
async def test_an_unknown_base_is_404_whatever_is_asked_of_it(based: Door, base: str) -> None:
    before = await everything_stored(based.ports)
    path = f"/knowledge-bases/{base}"
    for method, place, body in (
        ("POST", f"{path}/docs", upload()),
        ("GET", f"{path}/docs", None),
        ("GET", f"{path}/docs/doc-001", None),
        ("DELETE", f"{path}/docs/doc-001", None),
        ("DELETE", path, None),
    ):
        refusal(await based.ask_v3(method, place, body), 404, "NotFound")
    assert await everything_stored(based.ports) == before


@proves("bad:base", "bad:id")
@pytest.mark.parametrize("document", ["doc-000", "%20", "%00", "a" * 300, "%E6%9F%90"])
async def test_an_unknown_document_is_404(based: Door, document: str) -> None:
    for method in ("GET", "DELETE"):
        refusal(await based.ask_v3(method, f"{DOCS}/{document}"), 404, "NotFound")


@proves("bad:base-taken")
async def test_a_base_whose_id_is_taken_is_a_conflict(based: Door) -> None:
    refusal(await based.ask_v3("POST", "/knowledge-bases", {"id": "kb-001", "name": "other"}), 409, "Conflict")
    assert [row["name"] for row in (await based.result("GET", "/knowledge-bases"))["results"]] == ["产品手册"]


@proves("bases", "bad:texts")
async def test_a_base_needs_a_name_that_a_person_can_read(based: Door) -> None:
    for body, words in (
        ({}, "name is required"),
        ({"name": " "}, "name must not be empty"),
        ({"name": 7}, "name must be text; it is 7"),
        ({"name": "a\tb"}, "control characters"),
        ({"name": "a", "id": ""}, "id must not be empty"),
        ({"name": "a", "id": "*"}, "'*' is not allowed"),
        ({"name": "a", "description": "\0"}, "NUL"),
    ):
        assert words in refusal(await based.ask_v3("POST", "/knowledge-bases", body), 400, "InvalidParameter"), body
    assert (await based.result("GET", "/knowledge-bases"))["total"] == 1


@proves("bad:method", "base:v3")
async def test_documents_stand_below_v3_only_and_take_the_methods_that_are_said(based: Door) -> None:
    refusal(await based.ask("GET", "/knowledge-bases"), 404, "NotFound")
    refusal(await based.ask("GET", DOCS), 404, "NotFound")
    for method, path, allowed in (
        ("PUT", DOCS, "POST, GET"),
        ("POST", f"{DOCS}/doc-001", "GET, DELETE"),
        ("GET", "/knowledge-bases/kb-001", "DELETE"),
        ("DELETE", "/knowledge-bases", "POST, GET"),
    ):
        response = await based.ask_v3(method, path)
        refusal(response, 405, "MethodNotAllowed")
        assert response.headers["allow"] == allowed
