"""The seed's calls as printed: the same curl commands, with only the host, the key and the ids replaced."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from tests.e2e.processes import KEY, STARTED_WITHIN_S, serving
from yiku.wire.opensearch_results import Validity

from .files import served
from .requirements import proves

HOST = "http://****-hangzhou.opensearch.aliyuncs.com"
EVENT_ID = "me-06bde8b5-d123-43cf-9898-64d08fbfaafc"
MEMORY_ID = "m-877edf7b-cb5a-4f43-bc6b-f8fa022a3a04"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")

ADD = """curl --location 'http://****-hangzhou.opensearch.aliyuncs.com/v4/openapi/workspaces/default/memory/agentic-memory/memories/add' \\
--header 'Authorization: Bearer 您的API-KEY' \\
--header 'Content-Type: application/json' \\
--data '{
  "messages": [
    {"role": "user", "content": "我喜欢喝咖啡，帮我推荐"},
    {"role": "assistant", "content": "为您推荐美式咖啡..."}
  ],
  "user_id": "user_123",
  "metadata": {"source": "example"}
}'"""  # noqa: E501
EVENT = """curl --location 'http://****-hangzhou.opensearch.aliyuncs.com/v4/openapi/workspaces/default/memory/agentic-memory/events/me-06bde8b5-d123-43cf-9898-64d08fbfaafc' \\
--header 'Authorization: Bearer 您的API-KEY'"""  # noqa: E501
SEARCH = """curl --location 'http://****-hangzhou.opensearch.aliyuncs.com/v4/openapi/workspaces/default/memory/agentic-memory/memories/search' \\
--header 'Authorization: Bearer 您的API-KEY' \\
--header 'Content-Type: application/json' \\
--data '{
  "query": "咖啡",
  "filters": {"AND": [{"user_id": "user_123"}]},
  "top_k": 10
}'"""  # noqa: E501
GET = """curl --location 'http://****-hangzhou.opensearch.aliyuncs.com/v4/openapi/workspaces/default/memory/agentic-memory/memories/m-877edf7b-cb5a-4f43-bc6b-f8fa022a3a04' \\
--header 'Authorization: Bearer 您的API-KEY'"""  # noqa: E501
UPDATE = """curl --location --request PUT 'http://****-hangzhou.opensearch.aliyuncs.com/v4/openapi/workspaces/default/memory/agentic-memory/memories/m-877edf7b-cb5a-4f43-bc6b-f8fa022a3a04' \\
--header 'Authorization: Bearer 您的API-KEY' \\
--header 'Content-Type: application/json' \\
--data '{
  "text": "助手为用户推荐了拿铁咖啡",
  "metadata": {"category": "updated"}
}'"""  # noqa: E501
DELETE = """curl --location --request DELETE 'http://****-hangzhou.opensearch.aliyuncs.com/v4/openapi/workspaces/default/memory/agentic-memory/memories/m-877edf7b-cb5a-4f43-bc6b-f8fa022a3a04' \\
--header 'Authorization: Bearer 您的API-KEY'"""  # noqa: E501
HEALTH = """curl --location 'http://****-hangzhou.opensearch.aliyuncs.com/v3/openapi/workspaces/default/memory/agentic-memory/health' \\
--header 'Authorization: Bearer 您的API-KEY'"""  # noqa: E501
UPLOAD = """curl --location 'http://****-hangzhou.opensearch.aliyuncs.com/v3/openapi/workspaces/default/memory/agentic-memory/knowledge-bases/kb-001/docs' \\
--header 'Authorization: Bearer 您的API-KEY' \\
--header 'Content-Type: application/json' \\
--data '{
  "type": "LOCAL",
  "doc": {
    "id": "doc-001",
    "title": "使用手册",
    "file_url": "https://example.com/manual.pdf"
  }
}'"""  # noqa: E501
LIST_DOCS = """curl --location 'http://****-hangzhou.opensearch.aliyuncs.com/v3/openapi/workspaces/default/memory/agentic-memory/knowledge-bases/kb-001/docs?page_number=1&page_size=10' \\
--header 'Authorization: Bearer 您的API-KEY'"""  # noqa: E501
GET_DOC = """curl --location 'http://****-hangzhou.opensearch.aliyuncs.com/v3/openapi/workspaces/default/memory/agentic-memory/knowledge-bases/kb-001/docs/doc-001' \\
--header 'Authorization: Bearer 您的API-KEY'"""  # noqa: E501
DELETE_DOC = """curl --location --request DELETE 'http://****-hangzhou.opensearch.aliyuncs.com/v3/openapi/workspaces/default/memory/agentic-memory/knowledge-bases/kb-001/docs/doc-001' \\
--header 'Authorization: Bearer 您的API-KEY'"""  # noqa: E501
NEW_BASE = """--data '{"id": "kb-001", "name": "手册"}'"""
FILE_URL = "https://example.com/manual.pdf"
ROW_KEYS = ["id", "memory", "score", "metadata", "created_at", "updated_at"]
MEMORY_KEYS = ["id", "memory", "user_id", "agent_id", "run_id", "metadata", "created_at", "updated_at"]


def _documented(shown: dict[str, Any]) -> list[str]:
    """The keys but for those that Yiku adds at the end."""
    return [key for key in shown if key not in Validity.__annotations__]


async def curl(command: str, url: str, **ids: str) -> dict[str, Any]:
    placed = command.replace(HOST, url).replace("您的API-KEY", KEY).replace(FILE_URL, ids.get("file", FILE_URL))
    placed = placed.replace(EVENT_ID, ids.get("event", "")).replace(MEMORY_ID, ids.get("memory", ""))
    shell = await asyncio.create_subprocess_exec(
        "bash", "-euc", placed, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, errors = await shell.communicate()
    assert shell.returncode == 0, errors
    answer: dict[str, Any] = json.loads(out)
    return answer


@proves(
    "base:v4", "base:v3", "auth", "v4:bare", "v3:envelope", "add:body", "add:answer", "event:answer", "search:body",
    "search:answer", "get:answer", "update:body", "update:answer", "update:merge", "delete:answer", "health", "times",
)  # fmt: skip
async def test_the_seeds_calls_give_the_seeds_answers(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", api_key=KEY) as server:
        added = await curl(ADD, server.url)
        assert list(added) == ["message", "status", "event_id"]
        assert added["message"] == "Memory creation accepted; poll the event endpoint for status."
        assert added["status"] == "PENDING"

        await server.settled(added["event_id"])
        event = await curl(EVENT, server.url, event=added["event_id"])
        assert list(event)[:3] == ["id", "status", "results"]
        assert (event["id"], event["status"]) == (added["event_id"], "SUCCEEDED")
        assert all(memory_id.startswith("m-") for memory_id in event["results"])

        found = await curl(SEARCH, server.url)
        assert list(found) == ["results"]
        assert [_documented(row) for row in found["results"]] == [ROW_KEYS] * len(event["results"])
        [row] = [row for row in found["results"] if row["memory"] == "助手为用户推荐了美式咖啡"]
        assert row["metadata"] == {"source": "example"}

        got = await curl(GET, server.url, memory=row["id"])
        assert _documented(got) == MEMORY_KEYS
        assert (got["user_id"], got["metadata"]) == ("user_123", {"source": "example"})
        assert TIME.fullmatch(got["created_at"]) and TIME.fullmatch(got["updated_at"])

        updated = await curl(UPDATE, server.url, memory=row["id"])
        assert list(updated) == ["text" if key == "memory" else key for key in MEMORY_KEYS] + ["memory"]
        assert updated["text"] == updated["memory"] == "助手为用户推荐了拿铁咖啡"
        assert updated["metadata"] == {"source": "example", "category": "updated"}
        assert updated["created_at"] == got["created_at"] < updated["updated_at"]

        deleted = await curl(DELETE, server.url, memory=row["id"])
        assert deleted == {"message": f"Memory {row['id']} deleted successfully"}
        gone = await curl(GET, server.url, memory=row["id"])
        assert (gone["code"], gone["http_code"]) == ("NotFound", 404)

        health = await curl(HEALTH, server.url)
        assert list(health) == ["request_id", "latency", "status", "result"]
        assert (health["status"], health["result"]) == ("OK", {"status": "healthy"})


@proves("docs:upload", "docs:upload-answer", "docs:list", "docs:get", "docs:delete", "v3:envelope", "base:v3")
async def test_the_seeds_calls_about_documents_give_the_seeds_answers(tmp_path: Path) -> None:
    (tmp_path / "manual.md").write_text("# 使用手册\n\n第一步：接通电源。\n", encoding="utf-8")
    networks = {"document_networks": "127.0.0.0/8"}
    with served(tmp_path) as elsewhere:
        async with serving(tmp_path / "data", api_key=KEY, **networks) as server, asyncio.timeout(STARTED_WITHIN_S):
            base = (
                UPLOAD.replace("/kb-001/docs", "").split("--data")[0] + """--data '{"id": "kb-001", "name": "手册"}'"""
            )
            assert (await curl(base, server.url))["result"]["id"] == "kb-001"
            uploaded = await curl(UPLOAD, server.url, file=f"{elsewhere}/manual.md")
            assert list(uploaded) == ["request_id", "latency", "status", "result"]
            assert uploaded["result"] == {"id": "doc-001", "error_message": ""}
            while (read := (await curl(GET_DOC, server.url))["result"])["status"] == "PROCESSING":
                pass
            assert list(read)[:5] == ["id", "title", "content", "status", "timestamp"]
            assert (read["title"], read["status"]) == ("使用手册", "SUCCESS"), read
            assert "接通电源" in read["content"] and TIME.fullmatch(read["timestamp"])
            listed = (await curl(LIST_DOCS, server.url))["result"]
            assert (list(listed), listed["total"]) == (["results", "total"], 1)
            assert list(listed["results"][0])[:4] == ["id", "title", "timestamp", "status"]
            assert (await curl(DELETE_DOC, server.url))["result"] == {"id": "doc-001", "error_message": ""}
            assert (await curl(GET_DOC, server.url))["http_code"] == 404
