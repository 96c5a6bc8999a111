"""The documented curl requests, as printed, with their keys, ids and users replaced by ours."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from yiku.core.work import run_worker
from yiku.wire.opensearch_results import Validity

from .conftest import Door, open_door
from .requirements import proves

ADD = """{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "tools/call",
  "params": {
    "name": "memory_add",
    "arguments": {
      "messages": [
        {"role": "user", "content": "我喜欢喝咖啡，帮我推荐"},
        {"role": "assistant", "content": "为您推荐美式咖啡..."}
      ],
      "user_id": "your_user_id",
      "metadata": {"source": "chat"}
    }
  }
}"""
EVENT = """{
  "jsonrpc": "2.0",
  "id": 2,
  "method": "tools/call",
  "params": {
    "name": "memory_event_status_get",
    "arguments": {
      "event_id": "<event>"
    }
  }
}"""
SEARCH = """{
  "jsonrpc": "2.0",
  "id": 3,
  "method": "tools/call",
  "params": {
    "name": "memory_search",
    "arguments": {
      "query": "咖啡推荐",
      "filters": {"AND": [{"user_id": "your_user_id"}]},
      "top_k": 10
    }
  }
}"""
GET = """{
  "jsonrpc": "2.0",
  "id": 4,
  "method": "tools/call",
  "params": {
    "name": "memory_get",
    "arguments": {
      "memory_id": "<memory>"
    }
  }
}"""
GET_ALL = """{
  "jsonrpc": "2.0",
  "id": 18,
  "method": "tools/call",
  "params": {
    "name": "memory_get_all",
    "arguments": {
      "filters": {
        "user_id": "your_user_id"
      },
      "page": 1,
      "page_size": 5
    }
  }
}"""
UPDATE = """{
  "jsonrpc": "2.0",
  "id": 5,
  "method": "tools/call",
  "params": {
    "name": "memory_update",
    "arguments": {
      "memory_id": "<memory>",
      "text": "用户偏好拿铁咖啡"
    }
  }
}"""
DELETE = """{
  "jsonrpc": "2.0",
  "id": 6,
  "method": "tools/call",
  "params": {
    "name": "memory_delete",
    "arguments": {
      "memory_id": "<memory>"
    }
  }
}"""
LIST_TOOLS = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'

ARGUMENTS: dict[str, dict[str, tuple[str, bool]]] = {
    "memory_add": {
        "messages": ("any", True),
        "user_id": ("string", True),
        "agent_id": ("string", False),
        "run_id": ("string", False),
        "metadata": ("object", False),
        "infer": ("boolean", False),
    },
    "memory_event_status_get": {"event_id": ("string", True)},
    "memory_search": {
        "query": ("string", True),
        "filters": ("object", True),
        "top_k": ("integer", False),
        "threshold": ("number", False),
        "rerank": ("boolean", False),
    },
    "memory_get": {"memory_id": ("string", True)},
    "memory_get_all": {"filters": ("object", True), "page": ("integer", False), "page_size": ("integer", False)},
    "memory_update": {"memory_id": ("string", True), "text": ("string", True)},
    "memory_delete": {"memory_id": ("string", True)},
    "kb_docs_search": {"query": ("string", True), "kb_id": ("string", True), "topk": ("integer", False)},
    "kb_nodes_search": {
        "query": ("string", True),
        "kb_id": ("string", True),
        "topk": ("integer", False),
        "doc_ids": ("array", False),
        "expand": ("string", False),
    },
    "kb_doc_structure_get": {"kb_id": ("string", True), "doc_id": ("string", True)},
    "kb_node_content_get": {"node_ids": ("array", True), "kb_id": ("string", True)},
    "kb_doc_grep": {
        "kb_id": ("string", True),
        "doc_id": ("string", True),
        "pattern": ("string", True),
        "context": ("integer", False),
        "ignore_case": ("boolean", False),
        "literal": ("boolean", False),
        "limit": ("integer", False),
    },
    "kb_doc_read": {
        "kb_id": ("string", True),
        "doc_id": ("string", True),
        "offset": ("integer", False),
        "limit": ("integer", False),
    },
    "hybrid_search": {
        "query": ("string", True),
        "user_id": ("string", True),
        "kb_id": ("string", False),
        "agent_id": ("string", False),
        "top_k": ("integer", False),
    },
}
"""The seed's tables of arguments: type, and whether it is required. `messages` is one of three types."""

MEMORY_KEYS = ["id", "memory", "user_id", "agent_id", "run_id", "metadata", "created_at", "updated_at"]


def result_of(response: httpx.Response, id: int) -> dict[str, Any]:
    """The structured content, after checking all that the seed says about every response."""
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert list(body) == ["jsonrpc", "id", "result"]
    assert (body["jsonrpc"], body["id"]) == ("2.0", id)
    assert list(body["result"]) == ["content", "structuredContent", "isError"]
    assert body["result"]["isError"] is False
    [content] = body["result"]["content"]
    structured: dict[str, Any] = body["result"]["structuredContent"]
    assert content == {"type": "text", "text": json.dumps(structured, ensure_ascii=False, separators=(",", ":"))}
    return structured


@proves(
    "endpoint",
    "no-handshake",
    "text-is-json",
    "structured",
    "is-error-false",
    "add:result",
    "add:messages-array",
    "event:result",
    "search:result",
    "get:result",
    "list:result",
    "update:result",
    "delete:result",
    "delete:gone",
)
async def test_the_documented_requests_give_the_documented_responses(door: Door) -> None:
    added = result_of(await door.post(ADD), 1)
    assert list(added) == ["event_id", "status"]
    assert added["event_id"].startswith("me-")
    assert added["status"] == "PENDING"

    await door.work()
    event = result_of(await door.post(EVENT.replace("<event>", added["event_id"])), 2)
    assert list(event)[:3] == ["event_id", "status", "memory_ids"]
    assert event["status"] == "SUCCEEDED"
    memory_id = event["memory_ids"][0]
    assert memory_id.startswith("m-")

    found = result_of(await door.post(SEARCH), 3)
    assert list(found) == ["results", "total"]
    assert found["total"] == len(found["results"]) >= 1
    assert documented(found["results"][0]) == ["id", "memory", "score", "metadata", "created_at", "updated_at"]
    assert found["results"][0]["metadata"] == {"source": "chat"}
    assert "咖啡" in found["results"][0]["memory"]

    got = result_of(await door.post(GET.replace("<memory>", memory_id)), 4)
    assert documented(got) == MEMORY_KEYS
    assert (got["id"], got["user_id"], got["metadata"]) == (memory_id, "your_user_id", {"source": "chat"})

    listed = result_of(await door.post(GET_ALL), 18)
    assert list(listed) == ["count", "results"]
    assert listed["count"] == len(event["memory_ids"])
    assert documented(listed["results"][0]) == [*MEMORY_KEYS, "score"]
    assert listed["results"][0]["score"] is None

    updated = result_of(await door.post(UPDATE.replace("<memory>", memory_id)), 5)
    assert list(updated) == ["id", "memory", "updated_at"]
    assert (updated["id"], updated["memory"]) == (memory_id, "用户偏好拿铁咖啡")

    deleted = result_of(await door.post(DELETE.replace("<memory>", memory_id)), 6)
    assert deleted == {"message": f"Memory {memory_id} deleted successfully"}
    assert memory_id not in (await door.post(SEARCH)).text
    assert result_of(await door.post(GET_ALL), 18)["count"] == listed["count"] - 1


@proves("tools-list", "tool-names")
async def test_the_documented_list_request_shows_the_documented_tools_with_their_arguments(door: Door) -> None:
    tools = (await door.post(LIST_TOOLS)).json()["result"]["tools"]
    assert {tool["name"]: described(tool["inputSchema"]) for tool in tools} == ARGUMENTS
    assert [tool["name"] for tool in tools] == list(ARGUMENTS)


def documented(shown: dict[str, Any]) -> list[str]:
    """The keys but for those that Yiku adds."""
    return [key for key in shown if key not in Validity.__annotations__]


def described(schema: dict[str, Any]) -> dict[str, tuple[str, bool]]:
    """Type and whether it is required, of every argument but those that say that they are ours."""
    return {
        name: (argument.get("type", "any"), name in schema["required"])
        for name, argument in schema["properties"].items()
        if not argument.get("description", "").startswith("Ours. ")
    }


@proves("headers")
async def test_the_documented_headers_work_over_a_real_socket_with_a_real_worker(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, _served(door) as address, httpx.AsyncClient() as client:

        async def curl(body: str) -> httpx.Response:
            headers = {
                "Authorization": f"Bearer {door.key}",
                "Content-Type": "application/json",
                "Accept": "application/json",
            }
            return await client.post(f"{address}/v1/agentic-memory/mcp", content=body.encode(), headers=headers)

        event_id = result_of(await curl(ADD), 1)["event_id"]
        stop = asyncio.Event()
        worker = asyncio.create_task(run_worker(door.ports, stop))
        for _ in range(600):
            event = result_of(await curl(EVENT.replace("<event>", event_id)), 2)
            if event["status"] not in ("PENDING", "RUNNING"):
                break
            await door.ports.storage.wait_for_jobs(timeout_s=0.05)
        stop.set()
        await worker
        assert event["status"] == "SUCCEEDED"
        assert result_of(await curl(SEARCH), 3)["total"] >= 1


@asynccontextmanager
async def _served(door: Door) -> AsyncIterator[str]:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(door.app, log_level="warning", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving
