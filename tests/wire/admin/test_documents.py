"""Are knowledge bases made, filled with files, asked and deleted over the admin door, on both engines?"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.documents import ingest_all
from tests.wire.admin.conftest import Doors, failure
from yiku.wire.forms import FILES_MAX

FILES = "/bases/hb/documents"
TEXT = "# 茶 Tea\n\n绿茶用八十度的水。 Green tea wants water of eighty degrees.\n"


@pytest.fixture
async def base(library: Doors) -> Doors:
    await library.done("POST", "/bases", json={"name": "Handbooks 手册", "id": "hb", "description": "all"})
    return library


def part(name: str, content: str | bytes = TEXT) -> tuple[str, tuple[str, bytes]]:
    return "file", (name, content.encode() if isinstance(content, str) else content)


async def test_a_base_is_made_listed_seen_and_deleted_with_its_documents(base: Doors) -> None:
    made = await base.done("GET", "/bases/hb")
    assert (made["id"], made["name"], made["description"], made["is_active"]) == ("hb", "Handbooks 手册", "all", True)
    again = await base.ask("POST", "/bases", json={"name": "again", "id": "hb"})
    assert (again.status_code, failure(again)["code"]) == (409, "Conflict")
    await base.done("POST", FILES, files=[part("tea.md")])
    listed = await base.done("GET", "/bases")
    assert listed == {"workspace": "default", "count": 1, "bases": [made | {"documents": 1}]}
    assert await base.done("DELETE", "/bases/hb") == {"id": "hb", "documents": 1}
    assert (await base.ask("GET", "/bases/hb")).status_code == 404
    assert (await base.ask("GET", FILES)).status_code == 404


async def test_files_are_taken_in_read_and_told_about(base: Doors) -> None:
    taken = await base.done("POST", FILES, files=[part("茶.md"), part("../../etc/tea.csv", "name,degrees\ngreen,80\n")])
    assert taken["refused"] == []
    assert [document["status"] for document in taken["documents"]] == ["PROCESSING"] * 2
    await ingest_all(base.ports)
    listed = await base.done("GET", FILES, params={"page_size": 1})
    assert (listed["count"], len(listed["documents"])) == (2, 1)
    first, second = [await base.done("GET", f"{FILES}/{document['id']}") for document in taken["documents"]]
    assert (first["title"], first["status"], first["progress"], first["reason"]) == ("茶 Tea", "SUCCESS", 100, None)
    assert second["source"] == "tea.csv"
    [table] = [second["title"]]
    asked = await base.done("POST", "/bases/hb/sql", json={"sql": f'SELECT degrees FROM "{table}"'})
    assert asked == {"columns": ["degrees"], "rows": [[80]], "is_cut": False}


async def test_an_id_of_ones_own_gets_a_new_revision_and_the_same_bytes_change_nothing(base: Doors) -> None:
    ids = {"id": "茶/tea 1", "title": "On tea"}
    [first] = (await base.done("POST", FILES, files=[part("tea.md")], data=ids))["documents"]
    assert (first["id"], first["title"]) == ("茶/tea 1", "On tea")
    await ingest_all(base.ports)
    [same] = (await base.done("POST", FILES, files=[part("tea.md")], data=ids))["documents"]
    assert same["status"] == "SUCCESS"
    [changed] = (await base.done("POST", FILES, files=[part("tea.md", "# New")], data=ids))["documents"]
    assert changed["status"] == "PROCESSING"
    address = f"{FILES}/{quote('茶/tea 1', safe='')}"
    assert (await base.done("GET", address))["id"] == "茶/tea 1"
    assert await base.done("DELETE", address) == {"id": "茶/tea 1", "deleted": True}
    assert (await base.ask("GET", address)).status_code == 404


async def test_what_ends_fail_says_why(base: Doors) -> None:
    taken = await base.done("POST", FILES, files=[part("empty.txt", b""), part("broken.pdf", b"%PDF-1.7 nothing")])
    await ingest_all(base.ports)
    seen = [await base.done("GET", f"{FILES}/{document['id']}") for document in taken["documents"]]
    assert [(one["status"], one["reason"]) for one in seen] == [("FAIL", "empty"), ("FAIL", "corrupt")]
    assert all(one["error_message"] for one in seen)


async def test_one_file_that_is_refused_keeps_no_other_out(base: Doors) -> None:
    blank = {"title": " "}
    alone = await base.ask("POST", FILES, files=[part("tea.md")], data=blank)
    assert (alone.status_code, failure(alone)["field"]) == (400, "title")
    assert (await base.done("GET", FILES))["count"] == 0


@pytest.mark.parametrize(
    ("given", "status", "says"),
    [
        ({"data": {"title": "x"}}, 415, "multipart/form-data"),
        ({"json": {"file": "x"}}, 415, "multipart/form-data"),
        ({"files": [("file", (None, b"no name"))]}, 400, "at least one file"),
        ({"files": [("other", ("tea.md", b"x"))]}, 400, "at least one file"),
        ({"files": [part("a.md"), part("b.md")], "data": {"id": "x"}}, 400, "single file"),
        ({"files": [part(f"{number}.md") for number in range(FILES_MAX + 1)]}, 400, "Too many files"),
        ({"files": [part("a.md")], "data": {str(number): "x" for number in range(11)}}, 400, "Too many fields"),
        ({"files": [part("a.md", b"x" * 2 * 1024 * 1024)]}, 413, "larger than"),
        ({"files": [part("a.md", b"x" * (1024 * 1024 + 1))]}, 413, "the limit is"),
        ({"files": [part("a.md")], "params": {"workspace": "nowhere"}}, 404, "nowhere"),
    ],
)  # fmt: skip
async def test_a_form_that_cannot_be_taken_says_why(base: Doors, given: dict[str, Any], status: int, says: str) -> None:
    response = await base.ask("POST", FILES, **given)
    assert response.status_code == status, response.text
    assert says in failure(response)["message"]
    assert (await base.done("GET", FILES))["count"] == 0


@pytest.mark.parametrize(
    "body",
    [
        b"", b"--b", b"no boundary at all",
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\ncut',
        b'--b\r\nContent-Disposition: form-data; filename="a.md"\r\n\r\nx\r\n--b--\r\n', b"--b\r\n" + b"x" * 100_000,
    ],
)  # fmt: skip
async def test_a_form_that_is_broken_or_cut_off_leaves_nothing(base: Doors, body: bytes) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    response = await base.ask("POST", FILES, content=body, headers=headers)
    assert response.status_code == 400, response.text
    without = await base.ask("POST", FILES, content=body, headers={"Content-Type": "multipart/form-data"})
    assert without.status_code == 400
    assert (await base.done("GET", FILES))["count"] == 0


async def test_bases_of_another_workspace_are_named_and_otherwise_not_there(base: Doors) -> None:
    await base.done("POST", "/workspaces", json={"name": "team"})
    team = {"params": {"workspace": "team"}}
    assert (await base.ask("GET", "/bases/hb", **team)).status_code == 404
    assert (await base.ask("POST", FILES, files=[part("tea.md")], **team)).status_code == 404
    await base.done("POST", "/bases", json={"name": "theirs", "id": "hb"}, **team)
    await base.done("POST", FILES, files=[part("tea.md")], **team)
    assert ((await base.done("GET", FILES))["count"], (await base.done("GET", FILES, **team))["count"]) == (0, 1)


async def test_only_admins_get_in(base: Doors) -> None:
    key = await base.done("POST", "/keys", json={"name": "bot", "permissions": ["knowledge:write", "knowledge:read"]})
    for method, path in (("GET", "/bases"), ("POST", FILES), ("DELETE", "/bases/hb"), ("POST", "/bases/hb/sql")):
        assert (await base.ask(method, path, key=key["key"])).status_code == 403


async def test_bad_numbers_and_statements_are_refused(base: Doors) -> None:
    for path, query in (
        ("/bases", {"page": "101", "page_size": "100"}),
        (FILES, {"page": "0"}),
        (FILES, {"page": "x"}),
    ):
        assert (await base.ask("GET", path, params=query)).status_code == 400
    for body in ({}, {"sql": "DROP TABLE x"}, {"sql": "SELECT 1", "doc_ids": "x"}, {"sql": "SELECT 1", "rows_max": 0}):
        assert (await base.ask("POST", "/bases/hb/sql", json=body)).status_code == 400


async def test_a_server_without_documents_says_so(doors: Doors) -> None:
    for method, path in (("GET", "/bases"), ("GET", "/bases/hb"), ("DELETE", "/bases/hb"), ("GET", FILES)):
        response = await doors.ask(method, path)
        assert (response.status_code, failure(response)["code"]) == (503, "KnowledgeOff")
    response = await doors.ask("POST", FILES, files=[part("tea.md")])
    assert (response.status_code, failure(response)["code"]) == (503, "KnowledgeOff")
