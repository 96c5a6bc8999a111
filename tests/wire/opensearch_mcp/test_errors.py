"""Errors in the dialect's shape: the table is total, and nothing leaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import structlog
from starlette.applications import Starlette

from yiku.core.access import KeyRing
from yiku.model.errors import YikuError
from yiku.model.limits import Limits
from yiku.model.principal import Principal
from yiku.wire.mcp_server import Caller, call_tool
from yiku.wire.opensearch_mcp.routes import OpenSearchMcp
from yiku.wire.opensearch_mcp.toolbox import TOOLBOX
from yiku.wire.opensearch_mcp.tools import TOOLS
from yiku.wire.refusals import ERRORS

from .conftest import URL, Door, open_door
from .requirements import proves

ADMIN = Principal(key_id="k", workspace="default", permissions=frozenset({"admin"}))


def _classes(error: type[YikuError]) -> Iterator[type[YikuError]]:
    yield error
    for child in error.__subclasses__():
        yield from _classes(child)


@proves("error-table")
def test_every_error_of_the_model_has_a_code_and_a_status() -> None:
    assert set(ERRORS) == set(_classes(YikuError))


@proves("error-unexpected")
async def test_an_unforeseen_error_shows_the_request_id_and_no_details(door: Door) -> None:
    broken = replace(door.ports, storage=None)  # type: ignore[arg-type]
    with structlog.testing.capture_logs() as logs:
        result = await call_tool(broken, TOOLBOX, Caller(ADMIN, "req-7"), "memory_get", {"memory_id": "m-1"})
    error = json.loads(result["content"][0]["text"])
    assert result["isError"] is True
    assert (list(error), error["code"]) == (["code", "message"], "InternalError")
    assert "req-7" in error["message"]
    assert "NoneType" not in error["message"]
    assert [(entry["event"], entry["request_id"]) for entry in logs] == [("tool_failed", "req-7")]


@proves("error-unexpected")
async def test_an_unforeseen_error_before_any_tool_is_500_in_the_doors_shape(door: Door) -> None:
    broken = replace(door.ports, storage=None)  # type: ignore[arg-type]
    app = Starlette(routes=OpenSearchMcp(broken, KeyRing(broken)).routes)
    door.client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL)
    async with door.client:
        with structlog.testing.capture_logs() as logs:
            response = await door.rpc("tools/list", x_request_id="req-8")
    error = response.json()["error"]
    assert response.status_code == 500
    assert error["data"] == {"code": "InternalError", "request_id": "req-8"}
    assert "req-8" in error["message"]
    assert "NoneType" not in error["message"]
    assert [entry["event"] for entry in logs] == ["request_failed"]


@proves("error-retry")
async def test_a_store_that_cannot_be_reached_is_503_with_a_time_to_come_back(door: Door) -> None:
    await door.ports.storage.close()
    response = await door.rpc("tools/list")
    assert response.status_code == 503
    assert int(response.headers["retry-after"]) >= 1
    assert response.json()["error"]["data"]["code"] == "StorageUnavailable"


@proves("error-retry")
async def test_a_full_queue_says_when_to_come_back(tmp_path: Path) -> None:
    async with open_door(tmp_path, limits=Limits(queue_jobs=1)) as door:
        await door.call("memory_add", messages="a cup of tea", user_id="u")
        result = await door.result("memory_add", {"messages": "another cup", "user_id": "u"})
    error = json.loads(result["content"][0]["text"])
    assert error["code"] == "QueueFull"
    assert error["details"]["retry_after_s"] >= 1


@proves("permission")
async def test_a_key_that_may_only_read_is_told_so_by_the_tools_that_write(tmp_path: Path) -> None:
    reader = Principal(key_id="r", workspace="default", permissions=frozenset({"memory:read"}))
    async with open_door(tmp_path, anonymous=reader) as door:
        tools = (await door.rpc("tools/list")).json()["result"]["tools"]
        assert len(tools) == len(TOOLS)
        result = await door.result("memory_add", {"messages": "a", "user_id": "u"})
        error = json.loads(result["content"][0]["text"])
        assert (result["isError"], error["code"]) == (True, "PermissionDenied")
        assert "memory:write" in error["message"]
        assert (await door.call("memory_get_all", filters={"user_id": "u"}))["count"] == 0


@proves("foreign-id")
async def test_another_users_ids_look_like_ids_that_do_not_exist(tmp_path: Path) -> None:
    bound = Principal(
        key_id="b", workspace="default", permissions=frozenset({"memory:read", "memory:write"}), user_id="mine"
    )
    async with open_door(tmp_path, anonymous=bound) as door:
        owner = Caller(ADMIN, "req-1")
        added = await call_tool(
            door.ports, TOOLBOX, owner, "memory_add", {"messages": "我喜欢喝茶", "user_id": "theirs", "infer": False}
        )
        event_id = added["structuredContent"]["event_id"]
        await door.work()
        event = await call_tool(door.ports, TOOLBOX, owner, "memory_event_status_get", {"event_id": event_id})
        [memory_id] = event["structuredContent"]["memory_ids"]
        before = await call_tool(door.ports, TOOLBOX, owner, "memory_get", {"memory_id": memory_id})
        for tool, name, theirs, none, more in (
            ("memory_get", "memory_id", memory_id, "m-none", {}),
            ("memory_update", "memory_id", memory_id, "m-none", {"text": "我喜欢喝咖啡"}),
            ("memory_delete", "memory_id", memory_id, "m-none", {}),
            ("memory_event_status_get", "event_id", event_id, "me-none", {}),
        ):
            foreign = await door.result(tool, {name: theirs, **more})
            missing = await door.result(tool, {name: none, **more})
            assert json.loads(foreign["content"][0]["text"])["code"] == "NotFound"
            assert json.dumps(foreign).replace(theirs, none) == json.dumps(missing)
        assert before["isError"] is False
        assert await call_tool(door.ports, TOOLBOX, owner, "memory_get", {"memory_id": memory_id}) == before
