"""The ledger: every documented fact of this dialect, where it comes from, and what we knowingly do differently.

`@proves("id", ...)` on a test says that it proves the facts with these ids; `test_ledger.py` holds both sides together.
"""

from __future__ import annotations

from tests.wire.ledger import Requirement, proves

__all__ = ["REQUIREMENTS", "proves"]

SEED = "seed 000"
CONTRACT = "contracts.md"
HTTP = "http-and-mcp.md §1 fix"
FAULT = "http-and-mcp.md §6 row"
DESIGN = "DESIGN"
CASE = "cases/memory.jsonl"
KNOWLEDGE = "knowledge.md"
BAD_INPUT = "issue 6"
MCP = "MCP 2025-11-25"
SILENT = f"{DESIGN} preface"
"""Where the documents say nothing: what users of such a service would expect."""

REQUIREMENTS: dict[str, Requirement] = {
    # The protocol
    "endpoint": Requirement("All tools share POST {host}/v1/agentic-memory/mcp.", f"{SEED} 请求端点"),
    "headers": Requirement("Content-Type, Accept: application/json and a Bearer key are enough.", f"{SEED} Header参数"),
    "no-handshake": Requirement("A lone tools/call or tools/list needs no initialize or session.", f"{CONTRACT} A.1"),
    "tools-list": Requirement("tools/list without params lists every tool with its arguments.", f"{SEED} 请求体格式"),
    "tool-names": Requirement(
        "The tools are those that the seed names, in its order.",
        f"{SEED} 工具总览",
        divergence="The four skill tools are not there yet.",
    ),
    "text-is-json": Requirement(
        "content[0].text is the result as compact JSON, characters unescaped.", f"{SEED} 响应体格式"
    ),
    "structured": Requirement("structuredContent is the same object, on every success.", f"{CONTRACT} G.1"),
    "is-error-false": Requirement("isError is false and present on success.", f"{SEED} 响应体格式"),
    "times": Requirement(
        "Times are ISO 8601 with microseconds and Z.",
        f"{SEED} memory_get; {DESIGN} §1",
        divergence="The seed's memory_get_all shows +08:00; every door of Yiku writes UTC.",
    ),
    "ids": Requirement("Memory ids start with m-, event ids with me-; a UUID follows.", f"{SEED} Memory工具"),
    "ping": Requirement("ping is answered with an empty result.", f"{CONTRACT} A.1; {MCP} Ping"),
    "versions": Requirement(
        "initialize agrees to 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25, and offers the last to all others.",
        f"{CONTRACT} A.1; {MCP} Lifecycle",
    ),
    "handshake-era": Requirement("Clients that initialize (2024-11-05 to 2025-11-25) are served.", f"{CONTRACT} A.1"),
    "stateless-era": Requirement("Clients of 2026-07-28 are served at the same path.", "http-and-mcp.md §1"),
    "notification-202": Requirement(
        "A notification is answered with 202 and no body, known or not.", f"{CONTRACT} A.1; {FAULT} 6"
    ),
    "response-202": Requirement("A response posted to us is accepted and ignored.", f"{MCP} Transports"),
    "fast-path": Requirement("Whichever path answers a request, the answer is the same.", "http-and-mcp.md §3"),
    "any-accept": Requirement("No Accept, */*, JSON only and SSE only are all served.", f"{HTTP} 7; {FAULT} 11"),
    "progress-stream": Requirement("A client that wants progress and takes SSE gets a stream.", f"{HTTP} 6"),
    "listing-cacheable": Requirement("tools/list says how long it may be kept (2026-07-28).", "http-and-mcp.md §1"),
    # Adding
    "add:messages-string": Requirement("messages may be one text.", f"{SEED} memory_add"),
    "add:messages-object": Requirement(
        "messages may be one message; its role is user when it has none.", f"{SEED} memory_add; {SILENT}"
    ),
    "add:messages-array": Requirement("messages may be a dialogue.", f"{SEED} memory_add"),
    "add:messages-json-text": Requirement("A text that looks like JSON is still a text.", f"{SEED} memory_add"),
    "add:name": Requirement("A message's name says who spoke: it is kept, and search knows it.", f"{DESIGN} §7"),
    "add:parts": Requirement("content may be a list of parts; those without text are passed over.", SILENT),
    "add:tool-turns": Requirement(
        "Turns that only call a tool, or none, are passed over; other keys of messages are ignored.", f"{CASE} B069"
    ),
    "add:dimensions": Requirement("agent_id and run_id are kept and can be filtered by.", f"{SEED} memory_add"),
    "add:metadata": Requirement("metadata is kept with the memory and can be filtered by.", f"{SEED} memory_add"),
    "add:timestamp": Requirement(
        "metadata.timestamp is the time that relative dates count from.",
        f"{SEED} memory_add; {CASE} B024",
        divergence="It is checked, kept and returned, but relative dates are not resolved yet.",
    ),
    "add:infer-default": Requirement("infer is true when absent.", f"{SEED} memory_add"),
    "add:infer-false": Requirement("infer=false keeps the text as it is, as one memory.", f"{SEED} memory_add"),
    "add:infer-false-settles": Requirement(
        "An add with infer=false has an event, which settles at once.",
        f"{CONTRACT} G.10",
        divergence="It is PENDING first as well, because no model is called before the answer (DESIGN §5).",
    ),
    "add:result": Requirement("The answer is event_id and status PENDING.", f"{SEED} memory_add"),
    "add:repeat": Requirement(
        "What is said again stays one memory, which the metadata, agent and run of every time find.",
        f"{DESIGN} §5; {CASE} B001",
    ),
    # Events
    "event:result": Requirement("An event shows event_id, status and memory_ids.", f"{SEED} memory_event_status_get"),
    "event:running": Requirement("An event is RUNNING while it is digested.", f"{CONTRACT} G.4"),
    "event:decisions": Requirement("A finished event says what was decided on each fact, and why.", f"{DESIGN} §5"),
    "event:decisions-bounded": Requirement("Of very many decisions the first are shown, and the rest counted.", SILENT),
    "event:deleted": Requirement("The words of a deleted memory are not in its event any more.", f"{DESIGN} §5"),
    "event:extraction": Requirement("An event says that rules, not a model, did the extraction.", f"{DESIGN} §7"),
    "event:failed": Requirement("A failed event says why, in our own words.", f"{CONTRACT} G.4; {DESIGN} §5"),
    # Searching
    "search:result": Requirement(
        "A search shows results (id, memory, score, metadata, times) and total.", f"{SEED} memory_search"
    ),
    "search:words": Requirement("Words alone are enough to be found (BM25).", f"{SEED} memory_search; {CASE} B064"),
    "search:vectors": Requirement("Meaning alone is enough to be found (vectors).", f"{SEED} memory_search"),
    "search:top-k": Requirement("top_k is 1 to 1000 and 10 when absent.", f"{SEED} memory_search"),
    "search:threshold": Requirement("Hits below threshold are left out.", f"{SEED} memory_search"),
    "search:filters": Requirement(
        "All conditions of AND must hold, whichever objects they stand in.", f"{SEED} memory_search"
    ),
    "filters:operators": Requirement(
        "A condition may use operators: eq, ne, gt, gte, lt, lte, in, contains.", f"{CONTRACT} G.11; {CASE} B046"
    ),
    "filters:connectives": Requirement("AND, OR and NOT join conditions.", f"{CONTRACT} G.11"),
    "search:exclude-run": Requirement(
        "exclude_run_id (ours) leaves out what was said in the run that asks.", f"{DESIGN} §5; {SILENT}"
    ),
    "search:explain": Requirement("explain (ours) shows every part of a hit's place.", f"{DESIGN} §5"),
    "search:as-of": Requirement(
        "A search and a list find what holds; as_of (ours) asks for what held then.", f"{DESIGN} §5; {CASE} B013"
    ),
    "result:validity": Requirement(
        "A memory shows its kind, since when it holds, and until when and what came after (ours).", f"{DESIGN} §5"
    ),
    "add:idempotency": Requirement(
        "An add with the idempotency_key of an earlier one is answered with its event (ours).", f"{DESIGN} §5"
    ),
    "add:message-ids": Requirement("Messages that came before by id are not digested again (ours).", f"{DESIGN} §5"),
    "expiry": Requirement("Memories go away at expires_at, or after ttl_seconds (ours).", f"{DESIGN} §5"),
    "event:replaced": Requirement("An UPDATE and a SUPERSEDE show what was replaced (ours).", f"{DESIGN} §5"),
    "search:score-decimals": Requirement("Scores have at most four decimals.", f"{SEED} memory_search"),
    "search:notices": Requirement("What an answer lacks is said beside the results.", f"{DESIGN} §5"),
    "search:rerank": Requirement(
        "rerank, false when absent, orders the hits a second time.",
        f"{SEED} memory_search",
        divergence="It is accepted, and the answer says that there is no reranker.",
    ),
    # Reading, changing, deleting
    "get:result": Requirement(
        "A memory shows id, memory, user_id, agent_id, run_id, metadata and times.",
        f"{SEED} memory_get; {CONTRACT} G.8",
    ),
    "list:result": Requirement(
        "A list shows count (of all matches) and the page's rows, score null.", f"{SEED} memory_get_all"
    ),
    "list:order": Requirement(
        "A list is not ordered by relevance: the newest memory comes first.", f"{SEED} memory_get_all; {SILENT}"
    ),
    "list:filters": Requirement(
        "filters are flat: user_id, agent_id, run_id and metadata keys.", f"{SEED} memory_get_all"
    ),
    "list:paging": Requirement("page starts at 1; page_size is 1 to 200, 100 when absent.", f"{SEED} memory_get_all"),
    "list:window": Requirement("Pages end at the first 10000 memories.", f"{SEED} memory_get_all"),
    "update:result": Requirement("An update shows id, memory and updated_at.", f"{SEED} memory_update"),
    "delete:result": Requirement("A delete says 'Memory <id> deleted successfully'.", f"{SEED} memory_delete"),
    "delete:gone": Requirement("What was deleted is in no search, list or read any more.", f"{CASE} B028"),
    # Documents
    "kb:id-required": Requirement("Every tool for documents requires kb_id.", f"{SEED} Knowledge Base工具"),
    "kb:permission": Requirement("Documents have a permission of their own, knowledge:read.", f"{DESIGN} §8"),
    "kb:foreign": Requirement("A base of another workspace looks like one that does not exist.", f"{DESIGN} §8"),
    "kb:not-yet": Requirement(
        "A document that is still being read in, or could not be read, says so instead of being empty.",
        f"{KNOWLEDGE} §6; {SILENT}",
    ),
    "kb:notices": Requirement("What an answer from documents lacks is said in notices (ours).", f"{DESIGN} §5"),
    "docs:result": Requirement(
        "kb_docs_search shows results of id, title and score, best first.", f"{SEED} kb_docs_search"
    ),
    "docs:topk": Requirement("topk is 10 when absent; 1 to 100.", f"{SEED} kb_docs_search; {DESIGN} §8"),
    "docs:more": Requirement("A found document shows status and the passage that answers best (ours).", f"{DESIGN} §9"),
    "nodes:result": Requirement(
        "kb_nodes_search shows results of id, doc_id, content and score, best first.", f"{SEED} kb_nodes_search"
    ),
    "nodes:topk": Requirement("topk is 5 when absent; 1 to 100.", f"{SEED} kb_nodes_search; {DESIGN} §8"),
    "nodes:doc-ids": Requirement("doc_ids narrows the search to some documents.", f"{SEED} kb_nodes_search"),
    "nodes:expand": Requirement(
        "expand is no_expand when absent; max_score shows the best parent, cohierarchy what hits share.",
        f"{SEED} kb_nodes_search; {KNOWLEDGE} §6",
    ),
    "nodes:jsonl": Requirement(
        "Where all hits come from JSONL max_score becomes no_expand; expand_applied says so (ours).",
        f"{SEED} kb_nodes_search; {KNOWLEDGE} §6",
    ),
    "nodes:place": Requirement(
        "A node shows title, path, lines and pages, and its document's title (ours).", f"{KNOWLEDGE} §6"
    ),
    "structure:result": Requirement(
        "kb_doc_structure_get shows toc of title, level and node_id, in the order of the text.",
        f"{SEED} kb_doc_structure_get",
    ),
    "structure:more": Requirement(
        "A table of contents shows lines and pages, the title, and how many lines there are (ours).",
        f"{KNOWLEDGE} §6",
    ),
    "node:result": Requirement(
        "kb_node_content_get shows results of id and content in the order asked.", f"{SEED} kb_node_content_get"
    ),
    "node:missing": Requirement(
        "Ids without a node are left out, and named as missing (ours).", f"{SEED} kb_node_content_get; {CONTRACT} A.2"
    ),
    "node:cut": Requirement("A node that is too long is cut, and says so (ours).", f"{DESIGN} §8"),
    "grep:result": Requirement(
        "kb_doc_grep shows matches of line_number, line and context (with the line itself), and total.",
        f"{SEED} kb_doc_grep",
    ),
    "grep:pattern": Requirement("pattern is a regular expression, or with literal itself.", f"{SEED} kb_doc_grep"),
    "grep:ignore-case": Requirement("ignore_case is false when absent.", f"{SEED} kb_doc_grep"),
    "grep:context": Requirement("context is 0 when absent; 0 to 20.", f"{SEED} kb_doc_grep; {DESIGN} §8"),
    "grep:limit": Requirement(
        "limit is 100 when absent, 1 to 1000; total counts what is not shown too.",
        f"{SEED} kb_doc_grep; {KNOWLEDGE} §4",
    ),
    "grep:lines": Requirement(
        "Whatever line ends a file has, $ finds the end of a line, and lines are counted alike everywhere.",
        f"{KNOWLEDGE} §4; {KNOWLEDGE} §7",
    ),
    "grep:long-line": Requirement(
        "Of a very long line a piece is shown, with the column of the match (ours).", f"{KNOWLEDGE} §4"
    ),
    "grep:linear": Requirement("No pattern makes the server hang.", f"{KNOWLEDGE} §4"),
    "read:result": Requirement("kb_doc_read shows content, line by line.", f"{SEED} kb_doc_read"),
    "read:paging": Requirement(
        "offset is a line from 1, limit how many: 1 to 2000; absent they are 1 and 200.",
        f"{SEED} kb_doc_read; {KNOWLEDGE} §7; {SILENT}",
    ),
    "read:more": Requirement("A read shows start_line, end_line, total_lines and has_more (ours).", f"{KNOWLEDGE} §4"),
    "read:past-end": Requirement("Past the end content is empty, and total_lines says why.", f"{KNOWLEDGE} §4"),
    "hybrid:result": Requirement(
        "hybrid_search shows query, memories, skills and kb_docs.",
        f"{SEED} hybrid_search",
        divergence="There are no skills yet: theirs is an empty list.",
    ),
    "hybrid:no-base": Requirement("Without kb_id no documents are searched.", f"{SEED} hybrid_search"),
    "hybrid:agent": Requirement("agent_id narrows the memories.", f"{SEED} hybrid_search"),
    "hybrid:top-k": Requirement("top_k, 10 when absent, bounds each source.", f"{SEED} hybrid_search"),
    "hybrid:degrades": Requirement(
        "A source that fails takes nothing from the others, and errors names it.",
        f"{SEED} hybrid_search; {DESIGN} §6",
    ),
    "bad:kb": Requirement("An unknown base or document is NotFound and named.", f"{CONTRACT} G.5; {BAD_INPUT}"),
    "bad:topk": Requirement("topk and top_k outside their bounds are refused.", BAD_INPUT),
    "bad:node-ids": Requirement(
        "node_ids that are empty, too many or no texts are refused.", f"{SEED} kb_node_content_get; {BAD_INPUT}"
    ),
    "bad:doc-ids": Requirement("doc_ids that are too many or no texts are refused.", f"{DESIGN} §8"),
    "bad:expand": Requirement("An unknown expand is refused, naming those there are.", f"{SEED} kb_nodes_search"),
    "bad:pattern": Requirement(
        "A pattern that does not compile is refused with what would work.", f"{KNOWLEDGE} §4; {BAD_INPUT}"
    ),
    "bad:lines": Requirement(
        "offset 0 and below, and context or limit outside their bounds, are refused.",
        f"{SEED} kb_doc_read; {KNOWLEDGE} §7; {BAD_INPUT}",
    ),
    "default-is-none": Requirement("__default__ as agent or run is none; leaving it out is any.", f"{DESIGN} §1"),
    "null-is-absent": Requirement("An explicit null for an optional argument is the same as leaving it out.", SILENT),
    "json-text-objects": Requirement("filters and metadata may be sent as JSON text.", SILENT),
    "schemas": Requirement("Input and output schemas are valid and say what is checked.", "http-and-mcp.md §2"),
    "hints": Requirement("Tools say whether they change or destroy anything.", "http-and-mcp.md §1"),
    # Errors of tools
    "error-shape": Requirement("A tool error is isError with {code, message, details?} as text.", f"{DESIGN} §6"),
    "error-structured": Requirement(
        "A tool error is in structuredContent too.",
        f"{CONTRACT} G.2; {FAULT} 18",
        divergence="It is text only: clients would hold it against the output schema, which describes successes.",
    ),
    "error-table": Requirement("Every error of the model has a code in this dialect.", f"{DESIGN} §6"),
    "error-unexpected": Requirement("What nobody foresaw shows a request id and no details.", f"{DESIGN} §6"),
    "error-retry": Requirement("Where waiting helps, the error says how long.", f"{DESIGN} §5"),
    "permission": Requirement("A key that may not do something is told so by the tool.", f"{DESIGN} §8"),
    "foreign-id": Requirement("Another user's id looks exactly like one that does not exist.", f"{DESIGN} §8"),
    "unknown-tool": Requirement("An unknown tool is JSON-RPC error -32602.", f"{CONTRACT} A.1; {FAULT} 14"),
    "bad:required": Requirement("A required argument that is missing or null is named.", f"{SEED} Memory工具"),
    "bad:user-id-missing": Requirement("A missing user_id is named.", f"{SEED} memory_add; {CONTRACT} B.1"),
    "bad:user-id-empty": Requirement("An empty or blank user_id is refused.", f"{SEED} memory_get_all; {DESIGN} §1"),
    "bad:user-id-star": Requirement("* is no user_id.", f"{DESIGN} §1"),
    "bad:user-id-type": Requirement("A user_id that is not text is refused.", f"{SEED} memory_add; {CASE} B041"),
    "bad:agent-id-empty": Requirement("An empty agent_id or run_id is refused: leave it out.", f"{CASE} B039"),
    "bad:messages-blank": Requirement("Blank messages are refused.", f"{CASE} B068"),
    "bad:messages-shape": Requirement(
        "Messages of another shape are refused, naming the place.", f"{SEED} memory_add; {CONTRACT} A.2"
    ),
    "bad:messages-many": Requirement("Too many messages, or too large ones, are refused.", f"{DESIGN} §8"),
    "bad:role": Requirement("An unknown role is refused, naming the message.", SILENT),
    "bad:types": Requirement("Wrong types are refused; '1' is no integer and true is none.", f"{CONTRACT} A.2"),
    "bad:top-k": Requirement("top_k 0 and 1001 are refused.", f"{SEED} memory_search"),
    "bad:threshold": Requirement("A threshold outside 0 to 1 is refused.", f"{SEED} memory_search"),
    "bad:page": Requirement("page 0, page_size 0 and 201 are refused.", f"{SEED} memory_get_all"),
    "bad:filters-form": Requirement("Flat filters in a search are refused, showing the form.", f"{SEED} memory_search"),
    "bad:filters-user": Requirement(
        "filters without user_id, or with two, are refused.", f"{SEED} memory_search; {CASE} B051"
    ),
    "bad:filters-connective": Requirement(
        "AND, OR and NOT of another form are refused, and so is a user_id inside of them.", f"{CONTRACT} G.11"
    ),
    "bad:filters-operator": Requirement(
        "An unknown operator, or one with a value it cannot have, is refused by name.", f"{CONTRACT} G.11"
    ),
    "bad:filters-key": Requirement("A metadata key is named as it is: metadata.<key> is refused.", f"{CONTRACT} A.2"),
    "bad:filters-many": Requirement("Too many conditions are refused.", f"{DESIGN} §8"),
    "bad:list-wrapper": Requirement("The AND wrapper is refused by memory_get_all.", f"{SEED} memory_get_all"),
    "bad:metadata-owner": Requirement("metadata cannot set the owner.", f"{CASE} B018"),
    "bad:metadata-values": Requirement("Metadata that no store can hold is refused.", f"{DESIGN} §8"),
    "bad:timestamp": Requirement("A timestamp that is no date is refused.", f"{SEED} memory_add"),
    "bad:ids": Requirement("Unknown ids are NotFound.", f"{CONTRACT} G.5; {CASE} B101"),
    "bad:unknown-argument": Requirement("An unknown argument is refused by name.", f"{DESIGN} §6; {FAULT} 16"),
    "bad:nul": Requirement("NUL in any text is refused.", SILENT),
    "bad:text": Requirement(
        "An empty or oversized memory text or query is refused.", f"{CASE} B063; {CASE} B066; {DESIGN} §8"
    ),
    # Requests that never reach a tool
    "bad:body-time": Requirement("A body that does not arrive in time is 408.", f"{DESIGN} §8"),
    "bad:body-size": Requirement("A body over the limit is 413.", f"{DESIGN} §8; {HTTP} 5"),
    "bad:json": Requirement("Broken JSON is -32700.", f"{CONTRACT} A.1; JSON-RPC 2.0 §5.1"),
    "bad:utf8": Requirement("Invalid UTF-8 is -32700.", "RFC 8259 §8.1; JSON-RPC 2.0 §5.1"),
    "bad:surrogate": Requirement("A lone surrogate is -32700; a proper pair is a character.", f"{HTTP} 9"),
    "bad:depth": Requirement("Deep nesting is -32700.", f"{HTTP} 9; {FAULT} 26"),
    "bad:nan": Requirement("NaN and Infinity are -32700.", f"{HTTP} 9"),
    "bad:huge-integer": Requirement("An integer of 5000 digits is -32700.", f"{HTTP} 10; {FAULT} 26"),
    "bad:batch": Requirement("A batch is -32600.", f"{HTTP} 2; {FAULT} 13"),
    "bad:id": Requirement(
        "An id that is null, fractional, boolean, an object or missing is -32600.", f"{HTTP} 1; {FAULT} 4"
    ),
    "bad:envelope": Requirement("Scalars, a wrong jsonrpc and a missing method are -32600 with the id.", f"{HTTP} 2"),
    "bad:params": Requirement("params that are no object are -32602 with the id.", f"{HTTP} 2"),
    "bad:content-type": Requirement("Another content type is 415.", f"{HTTP} 5"),
    "bad:method": Requirement("Anything but POST is 405 with Allow.", f"{HTTP} 3; {FAULT} 1; {FAULT} 3"),
    "bad:host": Requirement("A foreign Host is 421, a foreign Origin 403.", f"{DESIGN} §8; {FAULT} 21"),
    "bad:key": Requirement("No key, an empty one or a wrong one is 401 with a challenge.", f"{DESIGN} §8; {FAULT} 23"),
    "bad:key-in-url": Requirement("A key in the URL is refused.", "http-and-mcp.md §4"),
    "unknown-method": Requirement("An unknown method is -32601.", f"{CONTRACT} A.1"),
    "trailing-slash": Requirement(
        "The path with a trailing slash answers, without a redirect.", f"{HTTP} 4; {FAULT} 8"
    ),
    "bom": Requirement("A byte order mark before the JSON is ignored.", f"{HTTP} 9"),
    "header-blanks": Requirement("Blanks around header values do not matter.", f"{HTTP} 8"),
    "bearer-case": Requirement("The scheme Bearer may be written in any case.", "http-and-mcp.md §4"),
    "request-id": Requirement("Every answer has an X-Request-Id: the caller's, or ours.", "http-and-mcp.md §4"),
    "unknown-path": Requirement("Unknown paths and /.well-known are JSON 404s.", f"{FAULT} 23"),
    "anonymous": Requirement("With keys turned off no key is needed.", f"{DESIGN} §9"),
    # Over stdin and stdout
    "stdio": Requirement("The same tools are served over stdin and stdout.", f"{DESIGN} §1"),
    "stdio:opening": Requirement(
        "A client initializes before its first call, or calls in the form of 2026-07-28.", f"{MCP} Lifecycle"
    ),
    "stdio:broken": Requirement(
        "Over stdio too every broken message is answered, and the next one served.", f"{HTTP} 10; {FAULT} 26"
    ),
    "stdio:ends": Requirement("When stdin ends, what was read is answered first.", f"{MCP} Lifecycle; {SILENT}"),
    "stdio:cancelled": Requirement("A cancelled request is not waited for.", f"{MCP} Cancellation"),
    "stdio:clean": Requirement("stdout carries protocol only.", f"{MCP} Transports; {FAULT} 29"),
    "stdio:utf8": Requirement("Both pipes are UTF-8 whatever the locale.", f"{MCP} Transports; {FAULT} 28"),
    "stdio:user": Requirement("yiku mcp --user sees and writes that user's memories only.", f"{DESIGN} §8"),
    "stdio:key": Requirement("yiku mcp acts as the key of --api-key or YIKU_MCP_KEY.", f"{DESIGN} §8"),
    "stdio:bad-key": Requirement("yiku mcp with a wrong key ends with exit code 2 and a reason.", f"{DESIGN} §8"),
    "stdio:one-library": Requirement("What is added over stdio is found over HTTP, both running.", f"{DESIGN} §1"),
}
