"""The examples of OpenAPI: the seed's where it has one, and ours in its spirit."""

from __future__ import annotations

from typing import Any

MEMORY_ID = "m-877edf7b-cb5a-4f43-bc6b-f8fa022a3a04"
MESSAGE_ID = "msg-4f2ab5a6-8b3c-4a57-9d2e-3f6f0f1f7a11"
EVENT_ID = "me-06bde8b5-d123-43cf-9898-64d08fbfaafc"
CREATED = "2026-06-02T08:39:21.482047Z"
UPDATED = "2026-06-02T08:40:18.428159Z"

_FILTERS = {"AND": [{"user_id": "user_123"}]}
_OWNER = {"user_id": "user_123", "agent_id": "agent_001", "run_id": "run_001"}
_TIMES = {"created_at": CREATED, "updated_at": CREATED}
_AMERICANO = "助手为用户推荐了美式咖啡"
_LATTE = "助手为用户推荐了拿铁咖啡"
_SOURCE = {"source": "example"}
_CORRECTED = {"source": "example", "category": "updated"}
_MEMORY = {"id": MEMORY_ID, "memory": _AMERICANO, **_OWNER, "metadata": _SOURCE, **_TIMES}
_DOCUMENT = {"id": "doc-001", "title": "使用手册", "timestamp": CREATED, "status": "SUCCESS"}
_BASE = {
    "id": "kb-001",
    "name": "产品手册",
    "description": "Manuals of all products",
    "is_active": True,
    "created_at": CREATED,
    "updated_at": CREATED,
}

PARAMETERS = {
    "workspace_name": "default",
    "service_id": "agentic-memory",
    "memory_id": MEMORY_ID,
    "event_id": EVENT_ID,
    "user_id": "user_123",
    "kb_id": "kb-001",
    "doc_id": "doc-001",
}

BODIES: dict[str, dict[str, Any]] = {
    "addMemories": {
        "messages": [
            {"role": "user", "content": "我喜欢喝咖啡，帮我推荐"},
            {"role": "assistant", "content": "为您推荐美式咖啡..."},
        ],
        "user_id": "user_123",
        "metadata": _SOURCE,
    },
    "searchMemories": {"query": "咖啡", "filters": _FILTERS, "top_k": 10},
    "updateMemory": {"text": _LATTE, "metadata": {"category": "updated"}},
    "listMemories": {"filters": _FILTERS, "page": 1, "page_size": 20},
    "deleteMemories": {"filters": {"AND": [{"user_id": "user_123"}, {"run_id": "run_001"}]}, "dry_run": True},
    "uploadDocument": {
        "type": "LOCAL",
        "doc": {"id": "doc-001", "title": "使用手册", "file_url": "https://example.com/manual.pdf"},
    },
    "createKnowledgeBase": {"id": "kb-001", "name": "产品手册", "description": "Manuals of all products"},
}

ANSWERS: dict[str, dict[str, Any]] = {
    "addMemories": {
        "message": "Memory creation accepted; poll the event endpoint for status.",
        "status": "PENDING",
        "event_id": EVENT_ID,
    },
    "getEvent": {"id": EVENT_ID, "status": "SUCCEEDED", "results": [MEMORY_ID]},
    "searchMemories": {
        "results": [{"id": MEMORY_ID, "memory": _AMERICANO, "score": 0.9151, "metadata": _SOURCE, **_TIMES}]
    },
    "getMemory": _MEMORY,
    "updateMemory": {
        "id": MEMORY_ID,
        "text": _LATTE,
        **_OWNER,
        "metadata": _CORRECTED,
        "created_at": CREATED,
        "updated_at": UPDATED,
        "memory": _LATTE,
    },
    "deleteMemory": {"message": f"Memory {MEMORY_ID} deleted successfully"},
    "health": {"status": "healthy"},
    "listMemories": {"count": 1, "results": [_MEMORY]},
    "getMemoryHistory": {
        "id": MEMORY_ID,
        "results": [
            {"memory": _AMERICANO, "metadata": _SOURCE, "since": CREATED, "until": UPDATED},
            {"memory": _LATTE, "metadata": _CORRECTED, "since": UPDATED, "until": None},
        ],
        "left_out": 0,
        "values": [{"id": MEMORY_ID, "memory": _LATTE, "evidence": [MESSAGE_ID]}],
    },
    "deleteMemories": {"count": 12, "dry_run": True},
    "deleteUser": {"message": "User user_123 deleted successfully", "count": 37},
    "uploadDocument": {"id": "doc-001", "error_message": ""},
    "listDocuments": {
        "results": [
            {**_DOCUMENT, "progress": 100, "error_message": ""},
            {
                "id": "doc-002",
                "title": "scan",
                "timestamp": CREATED,
                "status": "FAIL",
                "progress": 0,
                "error_message": "The file needs a password.",
                "reason": "password",
            },
        ],
        "total": 2,
    },
    "getDocument": {
        **_DOCUMENT,
        "content": "# 使用手册\n\n第一步：接通电源。\n",
        "progress": 100,
        "error_message": "",
        "truncated": False,
    },
    "deleteDocument": {"id": "doc-001", "error_message": ""},
    "createKnowledgeBase": _BASE,
    "listKnowledgeBases": {"results": [{**_BASE, "documents": 2}], "total": 1},
    "deleteKnowledgeBase": {"id": "kb-001", "documents": 2},
}
"""Of V3 what stands in the envelope."""

ENVELOPE = {"request_id": "287d9462-3c9a-2706-780e-b49aa3702e01", "latency": 6, "status": "OK"}

ERROR = {
    "request_id": "590A7EB8-AA84-4B7F-AF31-8C35DC965972",
    "latency": 0,
    "code": "InvalidParameter",
    "http_code": 400,
    "message": "user_id is required",
}
