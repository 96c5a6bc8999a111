"""What the calls do with what fits them, beyond the seed's own examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.test_work import BrokenEmbedder
from yiku.adapters.clocks import ManualClock
from yiku.core.audit import list_audit
from yiku.core.memory.add import DIGEST
from yiku.model.principal import Principal
from yiku.wire.mcp_server import Caller, call_tool
from yiku.wire.opensearch_mcp.toolbox import TOOLBOX

from .conftest import V3, V4, Door, open_door, refusal
from .requirements import proves

ADMIN = Principal(key_id="k", workspace="default", permissions=frozenset({"admin"}))


def user(user_id: str = "u", **more: Any) -> dict[str, Any]:
    return {"AND": [{"user_id": user_id}, *({key: value} for key, value in more.items())]}


async def texts(door: Door, user_id: str = "u", **more: Any) -> list[str]:
    listed = await door.call("POST", "/memories/list", {"filters": user(user_id, **more)})
    assert listed["count"] == len(listed["results"])
    return [row["memory"] for row in listed["results"]]


@proves("add:messages", "add:body")
async def test_messages_may_be_a_dialogue_one_message_or_a_text(door: Door) -> None:
    for messages in ("tea", {"content": "coffee"}, [{"role": "user", "content": "cocoa", "name": "Ann"}]):
        await door.remember(messages, infer=False, agent_id="a", run_id="r", metadata={"n": 1})
    assert await texts(door, agent_id="a", run_id="r", n=1) == ["cocoa", "coffee", "tea"]


@proves("event:states", "event:answer")
async def test_an_event_goes_from_pending_over_running_to_its_end(door: Door) -> None:
    added = await door.call("POST", "/memories/add", {"messages": "I like tea", "user_id": "u"})
    event = f"/events/{added['event_id']}"
    assert await door.call("GET", event) == {
        "id": added["event_id"], "status": "PENDING", "results": [], "extraction": "rules"
    }  # fmt: skip
    jobs = await door.ports.storage.claim((DIGEST,), lease_s=60, limit=1)
    assert (await door.call("GET", event))["status"] == "RUNNING"
    await door.ports.storage.release(jobs, delay_s=0, error=None)
    await door.work()
    ended = await door.call("GET", event)
    assert (ended["status"], [row["memory_id"] for row in ended["decisions"]]) == ("SUCCEEDED", ended["results"])


@proves("event:states")
async def test_an_event_that_failed_says_why_in_our_words(tmp_path: Path) -> None:
    clock = ManualClock()
    async with open_door(tmp_path, embedder=BrokenEmbedder(), clock=clock) as door:
        added = await door.call("POST", "/memories/add", {"messages": "I like poison ivy", "user_id": "u"})
        for _ in range(door.ports.limits.job_attempts):
            await door.work()
            clock.advance(301)
        ended = await door.call("GET", f"/events/{added['event_id']}")
    assert (ended["status"], ended["results"], ended["error"]["code"]) == ("FAILED", [], "InternalError")


@proves("search:body")
async def test_a_search_honours_its_filters_top_k_and_threshold(door: Door) -> None:
    for number in range(12):
        await door.remember(f"tea number {number}", infer=False, agent_id="even" if number % 2 == 0 else "odd")
    search: dict[str, Any] = {"query": "tea", "filters": user()}
    assert len((await door.call("POST", "/memories/search", search))["results"]) == 10
    assert len((await door.call("POST", "/memories/search", search | {"top_k": 3.0}))["results"]) == 3
    even = search | {"filters": user(agent_id="even"), "top_k": 100}
    assert len((await door.call("POST", "/memories/search", even))["results"]) == 6
    strict = search | {"threshold": 1, "query": "zebra"}
    assert (await door.call("POST", "/memories/search", strict))["results"] == []


@proves("search:notices")
async def test_a_search_says_what_its_answer_lacks(door: Door) -> None:
    await door.call("POST", "/memories/add", {"messages": "I like tea", "user_id": "u"})
    found = await door.call("POST", "/memories/search", {"query": "tea", "filters": user(), "rerank": True})
    assert list(found) == ["results", "notices"]
    assert len(found["notices"]) == 2


@proves("update:merge", "update:answer")
async def test_metadata_alone_may_be_updated_and_null_removes_a_key(door: Door) -> None:
    [memory_id] = await door.remember("tea", infer=False, metadata={"source": "chat", "draft": True})
    updated = await door.call("PUT", f"/memories/{memory_id}", {"metadata": {"draft": None, "stars": 5}})
    assert (updated["text"], updated["metadata"]) == ("tea", {"source": "chat", "stars": 5})
    assert await texts(door, stars=5) == ["tea"]


@proves("history")
async def test_the_history_shows_every_wording_and_when_it_held(door: Door) -> None:
    [memory_id] = await door.remember("tea", infer=False, metadata={"source": "chat"})
    await door.call("PUT", f"/memories/{memory_id}", {"text": "coffee"})
    updated = await door.call("PUT", f"/memories/{memory_id}", {"metadata": {"source": "mail"}})
    history = await door.call("GET", f"/memories/{memory_id}/history")
    assert (history["id"], history["left_out"]) == (memory_id, 0)
    first, second, third = history["results"]
    assert (first["memory"], first["metadata"], first["since"]) == ("tea", {"source": "chat"}, updated["created_at"])
    assert (second["memory"], second["metadata"], second["since"]) == ("coffee", {"source": "chat"}, first["until"])
    assert (third["memory"], third["metadata"]) == ("coffee", {"source": "mail"})
    assert (third["since"], third["until"]) == (updated["updated_at"], None)
    await door.call("DELETE", f"/memories/{memory_id}")
    refusal(await door.ask("GET", f"/memories/{memory_id}/history"), 404, "NotFound")


@proves("list")
async def test_a_list_is_newest_first_page_by_page_with_the_exact_count(door: Door) -> None:
    for number in range(5):
        await door.remember(f"note {number}", infer=False)
    pages = [
        await door.call("POST", "/memories/list", {"filters": user(), "page": page, "page_size": 2})
        for page in (1, 2, 3, 4)
    ]
    assert {page["count"] for page in pages} == {5}
    assert [[row["memory"] for row in page["results"]] for page in pages] == [
        ["note 4", "note 3"], ["note 2", "note 1"], ["note 0"], []
    ]  # fmt: skip
    assert list(pages[0]["results"][0]) == [
        "id", "memory", "user_id", "agent_id", "run_id", "metadata", "created_at", "updated_at"
    ]  # fmt: skip


@proves("delete-many", "delete-many:logged")
async def test_memories_are_deleted_by_filter_after_a_dry_run_has_counted_them(door: Door) -> None:
    await door.remember("tea", infer=False, run_id="r1")
    await door.remember("coffee", infer=False, run_id="r2")
    body: dict[str, Any] = {"filters": user(run_id="r1")}
    counted = await door.call("POST", "/memories/delete", body | {"dry_run": True})
    assert counted == {"count": 1, "dry_run": True}
    assert len(await texts(door)) == 2
    assert await door.call("POST", "/memories/delete", body) == {"count": 1, "dry_run": False}
    assert await texts(door) == ["coffee"]
    entries = (await list_audit(door.ports, ADMIN, before=None, limit=10)).entries
    assert [entry.subject for entry in entries if entry.action == "memory.delete_by_filter"] == ["u"]


@proves("delete-user")
@pytest.mark.parametrize("user_id", ["ann", "a/b c", "小明%2F", "..."])
async def test_a_user_is_deleted_whole_whatever_its_id_looks_like(door: Door, user_id: str) -> None:
    await door.remember("tea", user_id, infer=False)
    await door.remember("coffee", "other", infer=False)
    path = "/users/" + "".join(f"%{byte:02x}" for byte in user_id.encode())
    deleted = await door.call("DELETE", path)
    assert deleted["message"] == f"User {user_id} deleted successfully"
    assert deleted["count"] >= 3
    assert await texts(door, user_id) == []
    assert await texts(door, "other") == ["coffee"]
    assert (await door.call("DELETE", path))["count"] == 0


@proves("one-library")
async def test_what_is_added_by_rest_is_found_over_mcp_and_the_other_way_round(door: Door) -> None:
    caller = Caller(ADMIN, "req-1")
    [memory_id] = await door.remember("tea", infer=False)
    got = await call_tool(door.ports, TOOLBOX, caller, "memory_get", {"memory_id": memory_id})
    assert got["structuredContent"] == await door.call("GET", f"/memories/{memory_id}")
    await call_tool(door.ports, TOOLBOX, caller, "memory_add", {"messages": "coffee", "user_id": "u", "infer": False})
    await door.work()
    assert await texts(door) == ["coffee", "tea"]


@proves("unknown-fields", "null-is-absent")
async def test_unknown_fields_are_ignored_and_null_is_the_same_as_absent(door: Door) -> None:
    nulls = {"agent_id": None, "run_id": None, "metadata": None, "infer": None, "version": "v2", "org_id": 7}
    await door.remember("I like tea", **nulls)
    search = {"query": "tea", "filters": user(), "top_k": None, "threshold": None, "output_format": "v1.1"}
    assert len((await door.call("POST", "/memories/search", search))["results"]) == 1


@proves("auth:token", "auth")
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Token", "TOKEN", "Bearer "])
async def test_the_key_may_follow_bearer_or_token_in_any_case(door: Door, scheme: str) -> None:
    response = await door.send("GET", f"{V3}/health", authorization=f"{scheme} {door.key}")
    assert response.status_code == 200


@proves("trailing-slash")
async def test_a_slash_at_the_end_makes_no_difference(door: Door) -> None:
    body = {"messages": "tea", "user_id": "u"}
    assert (await door.ask("POST", "/memories/add/", body)).status_code == 200
    assert (await door.send("GET", f"{V3}/health/")).status_code == 200


@proves("bom")
async def test_a_byte_order_mark_is_ignored_and_of_equal_keys_the_last_counts(door: Door) -> None:
    body = b'\xef\xbb\xbf{"messages": "tea", "user_id": "first", "user_id": "u", "infer": false}'
    assert (await door.send("POST", f"{V4}/memories/add", body)).status_code == 200
    await door.work()
    assert (await texts(door), await texts(door, "first")) == (["tea"], [])


@proves("request-id")
async def test_a_sane_request_id_comes_back_and_others_are_replaced(door: Door) -> None:
    kept = await door.send("GET", f"{V3}/health", x_request_id="abc-1.2_3")
    assert kept.headers["x-request-id"] == kept.json()["request_id"] == "abc-1.2_3"
    for odd in (None, "", "a b", "x" * 65):
        made = await door.send("GET", f"{V3}/health", x_request_id=odd)
        assert made.headers["x-request-id"].startswith("req-")


@proves("health:key", "v3:envelope")
async def test_health_needs_a_key_and_is_not_below_v4(door: Door) -> None:
    refusal(await door.send("GET", f"{V3}/health", authorization=None), 401, "Unauthenticated")
    refusal(await door.send("GET", f"{V4}/health"), 404, "NotFound")


@proves("auth")
async def test_with_keys_turned_off_none_is_needed(tmp_path: Path) -> None:
    async with open_door(tmp_path, anonymous=ADMIN) as door:
        assert (await door.send("GET", f"{V3}/health", authorization=None)).status_code == 200
