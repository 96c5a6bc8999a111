"""The ledger: every documented fact of this dialect, where it comes from, and what we knowingly do differently."""

from __future__ import annotations

from tests.wire.ledger import Requirement, proves

__all__ = ["REQUIREMENTS", "proves"]

SEED = "seed 003"
CONTRACT = "contracts.md"
HTTP = "http-and-mcp.md"
DESIGN = "DESIGN"
ISSUE = "issue 4"
KNOWLEDGE = "knowledge.md"
BAD_INPUT = "issue 6"
CASE = "cases/memory.jsonl"
SILENT = f"{DESIGN} preface"
"""Where the documents say nothing: what users of such a service would expect."""

REQUIREMENTS: dict[str, Requirement] = {
    # Paths, keys, shapes
    "base:v4": Requirement("Memory lives below /v4/openapi/workspaces/{w}/memory/{s}.", f"{SEED} 公共URI"),
    "base:v3": Requirement(
        "Skills, knowledge bases and health live below /v3/openapi/workspaces/{w}/memory/{s}.",
        f"{SEED} 公共URI",
        divergence="Knowledge bases and health only; skills are not there yet.",
    ),
    "service-id": Requirement("service_id is agentic-memory; another is 404.", f"{SEED} 公共URI; {CONTRACT} G.12"),
    "auth": Requirement("Authorization: Bearer <API-KEY>, on every call.", f"{SEED} Header参数; {CONTRACT} B.1"),
    "auth:token": Requirement("The scheme Token, which mem0's client sends, is understood.", f"{CONTRACT} F"),
    "v4:bare": Requirement("V4 answers are bare objects.", f"{CONTRACT} B.1"),
    "v3:envelope": Requirement(
        "V3 answers are {request_id, latency, status: OK, result}.", f"{SEED} 健康检查; {CONTRACT} B.1"
    ),
    "workspace": Requirement("A workspace that is not the key's is refused, as one that is not there.", f"{DESIGN} §1"),
    "times": Requirement("Times are ISO 8601 with microseconds and Z.", f"{SEED} 获取 Memory; {DESIGN} §1"),
    "trailing-slash": Requirement("A slash at the end makes no difference, and there is no redirect.", f"{HTTP} §1"),
    "request-id": Requirement("Every answer has an X-Request-Id: the caller's, or ours.", f"{HTTP} §4"),
    # The six calls
    "add:body": Requirement(
        "messages, user_id, agent_id, run_id, metadata, infer.", f"{SEED} 存储 Memory; {CONTRACT} B.2"
    ),
    "add:messages": Requirement("messages may be one message or one text, too.", f"{CONTRACT} B.2"),
    "add:answer": Requirement("An add answers message, status PENDING, event_id.", f"{SEED} 存储 Memory"),
    "event:answer": Requirement("An event shows id, status and results, the ids of memories.", f"{SEED} 查询事件状态"),
    "event:states": Requirement("PENDING, RUNNING, SUCCEEDED, FAILED with its error.", f"{CONTRACT} G.4"),
    "search:body": Requirement(
        "query, filters {AND: [...]} with a user_id, top_k 1-1000, threshold 0-1, rerank.",
        f"{SEED} 搜索 Memory; {CONTRACT} B.2",
    ),
    "search:answer": Requirement(
        "A search answers results of id, memory, score, metadata and times, without total.", f"{SEED} 搜索 Memory"
    ),
    "search:notices": Requirement("What an answer lacks is said in notices.", f"{DESIGN} §5"),
    "search:filters": Requirement("OR, NOT and operators may be used in filters.", f"{CONTRACT} G.11"),
    "search:explain": Requirement("explain (ours) shows every part of a hit's place.", f"{DESIGN} §5"),
    "search:as-of": Requirement("as_of and exclude_run_id (ours) narrow searches and lists.", f"{DESIGN} §5"),
    "add:idempotency": Requirement(
        "An add with the Idempotency-Key of an earlier one is answered with its event (ours).", f"{DESIGN} §5"
    ),
    "add:message-ids": Requirement("Messages that came before by id are not digested again (ours).", f"{DESIGN} §5"),
    "expiry": Requirement("Memories go away at expires_at, or after ttl_seconds (ours).", f"{DESIGN} §5"),
    "result:validity": Requirement("A memory shows its kind and validity where it has some (ours).", f"{DESIGN} §5"),
    "get:answer": Requirement("A memory has the eight fields of the seed.", f"{SEED} 获取 Memory"),
    "update:body": Requirement("text, metadata, or both.", f"{SEED} 更新 Memory"),
    "update:answer": Requirement("An update shows text, and memory as well.", f"{SEED} 更新 Memory; {CONTRACT} G.7"),
    "update:merge": Requirement("metadata is merged; null removes a key.", f"{SEED} 更新 Memory; {CONTRACT} G.9"),
    "delete:answer": Requirement("A delete says 'Memory <id> deleted successfully'.", f"{SEED} 删除 Memory"),
    "health": Requirement("Health is result.status healthy, below V3 only.", f"{SEED} 健康检查"),
    "health:key": Requirement(
        "Health needs a key as every call does: the seed's example sends one.", f"{SEED} 健康检查; {CONTRACT} B.1"
    ),
    # Documents of knowledge bases
    "docs:upload": Requirement(
        "POST docs takes type LOCAL or OSS and doc {id?, title?, file_url}.", f"{SEED} 上传 KB 文档; {CONTRACT} B.4"
    ),
    "docs:upload-answer": Requirement(
        "It answers id and error_message, empty where nothing went wrong, in result.",
        f"{SEED} 上传 KB 文档; {CONTRACT} G.20",
    ),
    "docs:oss": Requirement(
        "An object of a bucket is named by oss://bucket/key in file_url.",
        f"{CONTRACT} G.19",
        divergence="Fields for bucket and key are not documented any more, and not understood.",
    ),
    "docs:again": Requirement(
        "A known id gets a new revision; until it is read the one before is what everybody sees.", f"{KNOWLEDGE} §6"
    ),
    "docs:list": Requirement(
        "GET docs shows id, title, timestamp, status, and total of all.", f"{SEED} 获取 KB 文档列表"
    ),
    "docs:list-pages": Requirement(
        "page_number is 1 and page_size 10 when absent; page_size is 1 to 100.", f"{SEED} 获取 KB 文档列表"
    ),
    "docs:states": Requirement(
        "A document is PROCESSING, SUCCESS or FAIL.", f"{SEED} 获取 KB 文档列表; {KNOWLEDGE} §6"
    ),
    "docs:get": Requirement("GET docs/{id} shows id, title, content, status, timestamp.", f"{SEED} 查看 KB 文档详情"),
    "docs:progress": Requirement(
        "List and read show progress, and of FAIL error_message and reason (ours).", f"{DESIGN} §9"
    ),
    "docs:truncated": Requirement("A read says whether there is more text than it shows (ours).", f"{DESIGN} §8"),
    "docs:delete": Requirement(
        "DELETE answers id and error_message; what is deleted is found no more.", f"{SEED} 删除 KB 文档"
    ),
    "docs:one-library": Requirement("A document uploaded over V3 can be read over MCP.", f"{DESIGN} §1"),
    "bases": Requirement("Bases are made, listed and deleted here too (ours).", f"{CONTRACT} G.18"),
    "parameters": Requirement(
        "Unknown parameters are ignored, and of those that occur twice the last counts, as in bodies.", SILENT
    ),
    "bad:base": Requirement("An unknown base or document is 404.", f"{CONTRACT} G.5; {CONTRACT} G.18; {BAD_INPUT}"),
    "bad:base-taken": Requirement("A base whose id is taken is 409.", SILENT),
    "bad:page": Requirement("A page outside its bounds is refused by name.", f"{SEED} 获取 KB 文档列表; {BAD_INPUT}"),
    "bad:upload": Requirement("An upload that lacks something is refused by name.", f"{CONTRACT} B.4; {BAD_INPUT}"),
    "bad:file-url": Requirement(
        "A file_url of another scheme, or of this server itself, is refused.", f"{DESIGN} §8; {BAD_INPUT}"
    ),
    "bad:knowledge-permission": Requirement("Documents have permissions of their own.", f"{DESIGN} §8"),
    "docs:foreign": Requirement("The bases of another workspace look like those that do not exist.", f"{DESIGN} §8"),
    # Ours
    "list": Requirement("POST /memories/list pages through exact matches, newest first.", f"{ISSUE}; {CONTRACT} B.2"),
    "history": Requirement("GET /memories/{id}/history shows what a memory said before.", f"{ISSUE}; {DESIGN} §5"),
    "delete-many": Requirement("POST /memories/delete deletes by filter; dry_run counts.", ISSUE),
    "delete-many:logged": Requirement("A deletion by filter is in the audit log.", f"{ISSUE}; {DESIGN} §8"),
    "delete-user": Requirement("DELETE /users/{id} deletes everything of a user.", f"{ISSUE}; {DESIGN} §5"),
    "one-library": Requirement("What is added here is found over MCP, and the other way round.", f"{DESIGN} §1"),
    # OpenAPI
    "openapi": Requirement("OpenAPI lists every call, status and shape, and what is ours.", f"{DESIGN} §6; {ISSUE}"),
    "openapi:served": Requirement("The document is served without a key.", SILENT),
    "openapi:fuzzed": Requirement("A fuzzer that reads the document finds no failure.", f"{ISSUE}; {HTTP} §2"),
    "unknown-fields": Requirement("Unknown fields of a body are ignored.", f"{DESIGN} §6"),
    "null-is-absent": Requirement("null for an optional field is the same as leaving it out.", SILENT),
    # Errors
    "error:shape": Requirement(
        "Every error is {request_id, latency: 0, code, http_code, message}.", f"{SEED} 异常响应示例; {DESIGN} §6"
    ),
    "error:status": Requirement("The HTTP status is http_code.", f"{CONTRACT} B.1"),
    "error:table": Requirement("Every error of the model has a code and a status.", f"{DESIGN} §6"),
    "error:unexpected": Requirement("What nobody foresaw shows a request id and no details.", f"{DESIGN} §6"),
    "error:retry": Requirement("429 and 503 say when to come back.", f"{DESIGN} §5"),
    "bad:key": Requirement("No key, or a wrong one, is 401 with a challenge.", f"{DESIGN} §8; {HTTP} §4"),
    "bad:old-key": Requirement("A revoked or expired key is 401.", f"{ISSUE}; {DESIGN} §8"),
    "bad:bound-key": Requirement("A bound key sees its user only; other ids look unknown.", f"{ISSUE}; {DESIGN} §8"),
    "bad:permission": Requirement("A key that may not do something is 403.", f"{DESIGN} §8"),
    "bad:key-in-url": Requirement("A key in the URL is refused.", f"{ISSUE}; {HTTP} §4"),
    "bad:path": Requirement("An unknown path below the bases is 404 in this shape.", f"{DESIGN} §6; {CONTRACT} G.5"),
    "bad:method": Requirement("Another method is 405 with Allow.", f"{DESIGN} §6"),
    "bad:id": Requirement("Unknown ids are 404.", f"{CONTRACT} G.5"),
    "bad:host": Requirement("A foreign Host is 421, a foreign Origin 403.", f"{DESIGN} §8"),
    "bad:content-type": Requirement("A body that does not say it is JSON is 415.", f"{DESIGN} §6"),
    "bad:body-size": Requirement("A body over the limit is 413.", f"{DESIGN} §8"),
    "bad:body-time": Requirement("A body that does not arrive in time is 408.", f"{DESIGN} §8"),
    "bad:half": Requirement("A request that stops half-way changes nothing.", ISSUE),
    "bad:json": Requirement("Broken JSON, NaN, deep nesting, bad UTF-8 and the like are 400.", f"{ISSUE}; {SILENT}"),
    "bom": Requirement("A byte order mark is ignored; of keys that occur twice the last counts.", f"{HTTP} §1"),
    "bad:required": Requirement("A missing field is named: 'user_id is required'.", f"{SEED} 异常响应示例"),
    "bad:types": Requirement("A wrong type is refused by name.", f"{DESIGN} §6; {CONTRACT} B.2"),
    "bad:bounds": Requirement("Values outside their bounds are refused by name.", f"{CONTRACT} B.2"),
    "bad:filters": Requirement("Filters of another form, or without user_id, are refused.", f"{CONTRACT} B.2"),
    "bad:metadata": Requirement("Metadata cannot set the owner, nor hold what no store can.", f"{CASE} B018"),
    "bad:texts": Requirement("Blank texts, NUL and unknown roles are refused.", f"{CASE} B068; {SILENT}"),
}
