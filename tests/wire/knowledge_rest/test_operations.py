"""Does each operation do what it says, on both engines?"""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from tests.documents import ingest_all, upload

from .conftest import Door, failure
from .requirements import proves


@proves("bases", "paging")
async def test_bases_are_made_listed_looked_at_and_deleted(door: Door) -> None:
    made = await door.done("POST", "/bases", json={"name": "手册", "description": "怎么做事"})
    assert (made["name"], made["description"], made["status"]) == ("手册", "怎么做事", "active")
    brought = await door.done("POST", "/bases", json={"name": "Handbook", "id": "a/b c"})
    assert brought["id"] == "a/b c"
    assert await door.done("GET", f"/bases/{quote('a/b c', safe='')}") == brought
    await door.item(f"/bases/{made['id']}", "text")
    first = await door.done("GET", "/bases?page_size=1")
    second = await door.done("GET", "/bases?page_size=1&page=2")
    assert first == {"count": 2, "bases": [made | {"items": 1}]}
    assert second == {"count": 2, "bases": [brought | {"items": 0}]}
    assert await door.done("DELETE", f"/bases/{made['id']}") == {"id": made["id"], "deleted": True, "items": 1}
    assert failure(await door.ask("GET", f"/bases/{made['id']}"))["field"] == "base_id"
    assert (await door.done("GET", "/bases"))["count"] == 1


@proves("bases")
async def test_an_id_is_given_once(door: Door) -> None:
    await door.base()
    again = await door.ask("POST", "/bases", json={"name": "again", "id": "kb"})
    assert (again.status_code, failure(again)["code"]) == (409, "Conflict")


@proves("archive")
async def test_an_archived_base_is_listed_and_nothing_of_it_is_found(door: Door) -> None:
    base = await door.base()
    await door.published(await door.item(base, "how to rollback"))
    assert await door.finds("rollback") == ["Runbook"]
    assert (await door.done("POST", f"{base}/archive"))["status"] == "archived"
    assert (await door.done("POST", f"{base}/archive"))["status"] == "archived"
    assert await door.finds("rollback") == []
    assert (await door.done("GET", "/bases"))["bases"][0]["status"] == "archived"
    assert (await door.ask("GET", f"{base}/items")).status_code == 404


@proves("items", "draft", "publish")
async def test_an_item_is_a_draft_until_it_is_published(door: Door) -> None:
    base = await door.base()
    made = await door.done("POST", f"{base}/items", json={"title": "回滚", "content": "# 回滚\n\n用 rollback。"})
    assert (made["status"], made["state"], made["current_revision_id"]) == ("draft", "PROCESSING", None)
    item = f"{base}/items/{made['id']}"
    early = await door.ask("POST", f"{item}/publish")
    assert (early.status_code, failure(early)["code"]) == (409, "Conflict")
    await ingest_all(door.ports)
    ready = await door.done("GET", item)
    assert (ready["status"], ready["state"], ready["progress"], ready["error"]) == ("draft", "SUCCESS", 100, None)
    assert await door.finds("回滚") == []
    published = await door.published(item)
    assert (published["status"], published["current_revision_id"]) == ("published", made["latest_revision_id"])
    assert await door.finds("回滚") == ["回滚"]
    assert published["source"] == "回滚.md"


@proves("revisions", "publish", "paging")
async def test_revisions_wait_for_their_turn_and_older_ones_can_be_published_again(door: Door) -> None:
    base = await door.base()
    item = await door.item(base, "use rollback")
    first = (await door.published(item))["current_revision_id"]
    changed = await door.done("POST", f"{item}/revisions", json={"content": "use undo", "title": "Undo"})
    second = changed["latest_revision_id"]
    await ingest_all(door.ports)
    assert await door.finds("rollback") == ["Runbook"]
    assert (await door.published(item))["current_revision_id"] == second
    assert await door.finds("undo") == ["Undo"]
    listed = await door.done("GET", f"{item}/revisions")
    assert listed["count"] == 2
    shown = [(revision["id"], revision["title"], revision["current"]) for revision in listed["revisions"]]
    assert shown == [(second, "Undo", True), (first, "Runbook", False)]
    assert (await door.done("GET", f"{item}/revisions?page=2&page_size=1"))["revisions"] == listed["revisions"][1:]
    assert (await door.published(item, first))["current_revision_id"] == first
    assert await door.finds("rollback") == ["Runbook"]


@proves("revisions")
async def test_a_revision_is_read_piece_by_piece_and_never_changes(door: Door) -> None:
    base = await door.base()
    item = await door.item(base, "第一版的文字")
    first = (await door.done("GET", item))["latest_revision_id"]
    await door.done("POST", f"{item}/revisions", json={"content": "第二版"})
    await ingest_all(door.ports)
    piece = await door.done("GET", f"{item}/revisions/{first}?offset=2&limit_chars=3")
    assert (piece["content"], piece["content_offset"], piece["content_limit"], piece["content_truncated"]) == (
        "版的文", 2, 3, True,
    )  # fmt: skip
    assert (piece["ready"], piece["current"], piece["characters"], piece["format"]) == (True, False, 6, "markdown")
    same = await door.done("POST", f"{item}/revisions", json={"content": "第二版"})
    assert (await door.done("GET", f"{item}/revisions"))["count"] == 2
    assert same["latest_revision_id"] != first
    missing = await door.ask("GET", f"{item}/revisions/rev-none")
    assert (missing.status_code, failure(missing)["field"]) == (404, "revision_id")


@proves("items")
async def test_content_may_be_of_another_format(door: Door) -> None:
    base = await door.base()
    made = await door.done(
        "POST", f"{base}/items", json={"title": "t", "format": "csv", "content": "name,age\nAnn,7\n"}
    )
    await ingest_all(door.ports)
    item = f"{base}/items/{made['id']}"
    revision = await door.done("GET", f"{item}/revisions/{made['latest_revision_id']}")
    assert revision["format"] == "csv"
    assert "Ann" in revision["content"]


@proves("items")
async def test_a_file_is_fetched_and_one_that_is_not_there_says_why(door: Door) -> None:
    base = await door.base()
    async with await asyncio.start_server(_serve_one_file, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        made = [
            await door.done("POST", f"{base}/items", json={"title": name, "file_url": f"{url}/{name}"})
            for name in ("there.md", "missing.md")
        ]
        await ingest_all(door.ports)
    there, missing = [await door.done("GET", f"{base}/items/{item['id']}") for item in made]
    assert (there["state"], there["source"], there["error"]) == ("SUCCESS", f"{url}/there.md", None)
    assert missing["state"] == "FAIL"
    assert missing["error"]["code"] and missing["error"]["message"]
    for address in ("gopher://example.com/a", "http://10.0.0.1/a.pdf"):
        refused = await door.ask("POST", f"{base}/items", json={"title": "t", "file_url": address})
        assert (refused.status_code, failure(refused)["field"]) == (400, "file_url")


async def _serve_one_file(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    status = "200 OK" if b" /there.md " in head else "404 Not Found"
    writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 5\r\nConnection: close\r\n\r\nwords".encode())
    await writer.drain()
    writer.close()


@proves("items", "paging")
async def test_items_are_listed_and_deleted_those_of_other_doors_too(door: Door) -> None:
    base = await door.base()
    item = await door.item(base, "mine")
    theirs = await upload(door.ports, "by upload", id="周报/一")
    listed = await door.done("GET", f"{base}/items")
    assert [(row["id"], row["status"]) for row in listed["items"]] == [
        (theirs.id, "published"),
        (item.rpartition("/")[2], "draft"),
    ]
    assert (await door.done("GET", f"{base}/items?page=2&page_size=1"))["count"] == 2
    place = f"{base}/items/{quote(theirs.id, safe='')}"
    assert await door.done("DELETE", place) == {"id": theirs.id, "deleted": True}
    assert (await door.ask("GET", place)).status_code == 404
    assert await door.finds("upload") == []


@proves("archive")
async def test_an_archived_item_comes_back_when_it_is_published(door: Door) -> None:
    base = await door.base()
    item = await door.item(base, "how to rollback")
    await door.published(item)
    assert (await door.done("POST", f"{item}/archive"))["status"] == "archived"
    assert await door.finds("rollback") == []
    assert (await door.published(item))["status"] == "published"
    assert await door.finds("rollback") == ["Runbook"]


@proves("unknown-fields")
async def test_unknown_fields_are_ignored_and_null_is_left_out(door: Door) -> None:
    base = await door.base()
    body = {"title": "t", "content": "text", "colour": "red", "format": None, "file_url": None}
    made = await door.done("POST", f"{base}/items?colour=red", json=body)
    await ingest_all(door.ports)
    await door.done("POST", f"{base}/items/{made['id']}/publish", json={})
