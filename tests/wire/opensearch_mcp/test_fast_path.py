"""Plain requests are answered without the SDK: the SDK would have said the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.documents import new_base, upload

from .conftest import Door
from .requirements import proves

TO_THE_SDK = "application/json, text/event-stream"
"""With a progress token this makes the gate hand the request over."""

CALLS: list[tuple[str, Any]] = [
    ("memory_get_all", {"filters": {"user_id": "u"}}),
    ("memory_get_all", {"filters": {"user_id": "nobody"}}),
    ("memory_search", {"query": "咖啡", "filters": {"AND": [{"user_id": "u"}]}}),
    ("memory_search", {"query": "咖啡", "filters": {"user_id": "u"}}),
    ("memory_search", {"query": "咖啡", "top_k": 0}),
    ("memory_get", {"memory_id": "m-none"}),
    ("memory_get", {"memory_id": "<memory>"}),
    ("memory_get", None),
    ("memory_get", {}),
    ("memory_event_status_get", {"event_id": "me-none"}),
    ("memory_update", {"memory_id": "m-none", "text": "拿铁 ☕ \u2028 \ud83d\ude00"}),
    ("memory_delete", {"memory_id": "m-none", "force": True}),
    ("memory_erase", {}),
    ("kb_nodes_search", {"query": "权限", "kb_id": "kb", "expand": "max_score"}),
    ("kb_nodes_search", {"query": "权限", "kb_id": "kb", "expand": "everything"}),
    ("kb_doc_grep", {"kb_id": "kb", "doc_id": "guide", "pattern": "("}),
    ("kb_doc_read", {"kb_id": "kb", "doc_id": "guide", "offset": 9}),
    ("hybrid_search", {"query": "权限", "user_id": "u", "kb_id": "kb-none"}),
]


@proves("fast-path")
@pytest.mark.parametrize("version", [None, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_both_paths_give_equal_answers(door: Door, version: str | None) -> None:
    [memory] = await door.remember("我喜欢喝咖啡", "u", metadata={"source": "chat", "nothing": None}, infer=False)
    await new_base(door.ports)
    await upload(door.ports, "# 指南\n\n配置权限。\n", id="guide")
    for tool, arguments in CALLS:
        params = json.loads(json.dumps({"name": tool, "arguments": arguments}).replace("<memory>", memory))
        await _compare(door, "tools/call", params, version)
    await _compare(door, "tools/list", {}, version)


async def _compare(door: Door, method: str, params: dict[str, Any], version: str | None) -> None:
    plain = await door.rpc(method, params, id="一", mcp_protocol_version=version)
    assert plain.headers["content-type"] == "application/json"
    handed_over = await door.rpc(
        method,
        params | {"_meta": {"progressToken": "t"}},
        id="一",
        accept=TO_THE_SDK,
        mcp_protocol_version=version,
    )
    assert plain.status_code == handed_over.status_code
    [line] = [line for line in handed_over.text.splitlines() if line.startswith("data: {")]
    assert canonical(plain.text) == canonical(line.removeprefix("data: ")), params


def canonical(text: str) -> bytes:
    """One spelling for equal JSON: the SDK writes the members of an object in an order of its own."""
    return json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False).encode()
