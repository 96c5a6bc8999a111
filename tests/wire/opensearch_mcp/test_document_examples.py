"""The documented requests about documents, as printed, with their ids replaced by ours."""

from __future__ import annotations

import json
import re

from tests.documents import new_base, upload

from .conftest import Door
from .requirements import proves
from .test_examples import result_of

DOCS = """{
  "jsonrpc": "2.0",
  "id": 11,
  "method": "tools/call",
  "params": {
    "name": "kb_docs_search",
    "arguments": {
      "query": "产品使用手册",
      "kb_id": "your_kb_id",
      "topk": 5
    }
  }
}"""
NODES = """{
  "jsonrpc": "2.0",
  "id": 12,
  "method": "tools/call",
  "params": {
    "name": "kb_nodes_search",
    "arguments": {
      "query": "如何配置权限",
      "kb_id": "your_kb_id",
      "topk": 3
    }
  }
}"""
STRUCTURE = """{
  "jsonrpc": "2.0",
  "id": 13,
  "method": "tools/call",
  "params": {
    "name": "kb_doc_structure_get",
    "arguments": {
      "kb_id": "your_kb_id",
      "doc_id": "your_doc_id"
    }
  }
}"""
CONTENT = """{
  "jsonrpc": "2.0",
  "id": 14,
  "method": "tools/call",
  "params": {
    "name": "kb_node_content_get",
    "arguments": {
      "node_ids": ["your_node_id_1", "your_node_id_2"],
      "kb_id": "your_kb_id"
    }
  }
}"""
GREP = """{
  "jsonrpc": "2.0",
  "id": 15,
  "method": "tools/call",
  "params": {
    "name": "kb_doc_grep",
    "arguments": {
      "kb_id": "your_kb_id",
      "doc_id": "your_doc_id",
      "pattern": "配置.*参数",
      "context": 2,
      "ignore_case": true
    }
  }
}"""
READ = """{
  "jsonrpc": "2.0",
  "id": 16,
  "method": "tools/call",
  "params": {
    "name": "kb_doc_read",
    "arguments": {
      "kb_id": "your_kb_id",
      "doc_id": "your_doc_id",
      "offset": 1,
      "limit": 50
    }
  }
}"""
HYBRID = """{
  "jsonrpc": "2.0",
  "id": 17,
  "method": "tools/call",
  "params": {
    "name": "hybrid_search",
    "arguments": {
      "query": "如何处理退货",
      "user_id": "your_user_id",
      "kb_id": "your_kb_id",
      "top_k": 5
    }
  }
}"""
MANUAL = """# 产品使用手册

## 第一章 概述

### 1.1 快速开始

配置访问参数说明

配置权限需在控制台的访问控制页面进行，支持按角色授权。

如何处理退货：七天内可以到店退货。
"""


@proves(
    "docs:result", "nodes:result", "structure:result", "node:result", "node:missing", "grep:result", "read:result",
    "hybrid:result", "text-is-json", "structured",
)  # fmt: skip
async def test_the_documented_requests_about_documents_give_the_documented_responses(door: Door) -> None:
    await new_base(door.ports, "your_kb_id")
    await upload(door.ports, MANUAL, id="your_doc_id", base_id="your_kb_id")
    await door.remember("用户上次退货选择了到店退货", "your_user_id", infer=False)

    [doc] = result_of(await door.post(DOCS), 11)["results"]
    assert list(doc)[:3] == ["id", "title", "score"]
    assert (doc["id"], doc["title"]) == ("your_doc_id", "产品使用手册")

    node = result_of(await door.post(NODES), 12)["results"][0]
    assert list(node)[:4] == ["id", "doc_id", "content", "score"]
    assert re.fullmatch(r"node-[0-9a-f]+", node["id"])
    assert "配置权限需在控制台的访问控制页面进行" in node["content"]

    toc = result_of(await door.post(STRUCTURE), 13)["toc"]
    assert [list(row)[:3] for row in toc] == [["title", "level", "node_id"]] * 3
    assert [(row["title"], row["level"]) for row in toc[1:]] == [("第一章 概述", 2), ("1.1 快速开始", 3)]

    [content] = result_of(await door.post(CONTENT.replace("your_node_id_1", toc[2]["node_id"])), 14)["results"]
    assert list(content)[:2] == ["id", "content"]
    assert (content["id"], "支持按角色授权" in content["content"]) == (toc[2]["node_id"], True)

    found = result_of(await door.post(GREP), 15)
    assert list(found)[:2] == ["matches", "total"]
    [match] = found["matches"]
    assert list(match)[:3] == ["line_number", "line", "context"]
    lines = MANUAL.split("\n")
    assert (match["line_number"], match["line"], match["context"]) == (7, "配置访问参数说明", lines[4:9])

    read = result_of(await door.post(READ), 16)
    assert list(read)[:1] == ["content"]
    assert read["content"] == MANUAL.removesuffix("\n")

    everything = result_of(await door.post(HYBRID), 17)
    assert list(everything) == ["query", "memories", "skills", "kb_docs"]
    assert everything["query"] == json.loads(HYBRID)["params"]["arguments"]["query"]
    assert everything["memories"][0]["memory"] == "用户上次退货选择了到店退货"
    assert everything["kb_docs"][0]["title"] == "产品使用手册"
