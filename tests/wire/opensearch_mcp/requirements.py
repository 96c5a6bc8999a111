"""The ledger: every documented fact of this dialect, where it comes from, and what we knowingly do differently.

`@proves("id", ...)` on a test says that it proves the facts with these ids; `test_ledger.py` holds both sides together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Requirement:
    fact: str
    source: str
    divergence: str | None = None


def proves(*ids: str) -> Callable[[F], F]:
    """Mark a test as the proof of these requirements."""

    def marked(test: F) -> F:
        test.__dict__["proves"] = ids
        return test

    return marked


SEED = "seed 000"
HTTP = "reference http-and-mcp.md §1, fix"
FAULT = "reference http-and-mcp.md §6, fault"
CONTRACT = "reference contracts.md A.1"
DESIGN = "DESIGN"
ISSUE = "issue: bad input"

REQUIREMENTS: dict[str, Requirement] = {
    # The protocol
    "endpoint": Requirement("All tools share POST {host}/v1/agentic-memory/mcp.", f"{SEED} 请求端点"),
    "headers": Requirement("Content-Type, Accept: application/json and a Bearer key are enough.", f"{SEED} Header参数"),
    "no-handshake": Requirement("A lone tools/call or tools/list needs no initialize and no session.", CONTRACT),
    "tools-list": Requirement("tools/list without params lists every tool with its arguments.", f"{SEED} 请求体格式"),
    "tool-names": Requirement(
        "The memory tools are the seven that the seed names.",
        f"{SEED} 工具总览",
        divergence="The eleven skill, knowledge and hybrid tools are not there yet.",
    ),
    "text-is-json": Requirement(
        "content[0].text is the result as compact JSON, characters unescaped.", f"{SEED} 响应体格式"
    ),
    "structured": Requirement("structuredContent is the same object, on every success.", "contracts.md G.1"),
    "is-error-false": Requirement("isError is false and present on success.", f"{SEED} 响应体格式"),
    "times": Requirement(
        "Times are ISO 8601 with microseconds and Z.",
        f"{SEED} memory_get; {DESIGN} §1",
        divergence="The seed's memory_get_all shows +08:00; every door of Yiku writes UTC.",
    ),
    "handshake-era": Requirement("Clients that initialize (2024-11-05 to 2025-11-25) are served.", CONTRACT),
    "stateless-era": Requirement("Clients of 2026-07-28 are served at the same path.", "http-and-mcp.md §1"),
    "stdio": Requirement("The same tools are served over stdin and stdout.", f"{DESIGN} §1"),
    "notification-202": Requirement(
        "A notification is answered with 202 and no body, known or not.", f"{CONTRACT}; {FAULT} 6"
    ),
    "response-202": Requirement("A response posted to us is accepted and ignored.", "MCP 2025-06-18 transports"),
    "fast-path": Requirement("Whichever path answers a request, the answer is the same.", "http-and-mcp.md §3"),
    "any-accept": Requirement("No Accept, */*, JSON only and SSE only are all served.", f"{HTTP} 7; {FAULT} 11"),
    "progress-stream": Requirement("A client that wants progress and takes SSE gets a stream.", f"{HTTP} 6"),
    "listing-cacheable": Requirement("tools/list says how long it may be kept (2026-07-28).", "http-and-mcp.md §1"),
    # Tools: arguments and results
    "add:messages-string": Requirement("messages may be one text.", f"{SEED} memory_add"),
    "add:messages-object": Requirement(
        "messages may be one message; its role is user when it has none.", f"{SEED} memory_add"
    ),
    "add:messages-array": Requirement("messages may be a dialogue.", f"{SEED} memory_add"),
    "add:messages-json-text": Requirement("A text that looks like JSON is still a text.", ISSUE),
    "add:parts": Requirement("content may be a list of parts; those without text are passed over.", "issue: messages"),
    "add:tool-turns": Requirement(
        "Turns that only call a tool are passed over; other keys of messages are ignored.", "issue: messages"
    ),
    "add:dimensions": Requirement("agent_id and run_id are kept and can be filtered by.", f"{SEED} memory_add"),
    "add:metadata": Requirement("metadata is kept with the memory and can be filtered by.", f"{SEED} memory_add"),
    "add:timestamp": Requirement(
        "metadata.timestamp is the time that relative dates count from.", f"{SEED} memory_add"
    ),
    "add:infer-false": Requirement("infer=false keeps the text as it is, as one memory.", f"{SEED} memory_add"),
    "add:result": Requirement("The answer is event_id (me-) and status PENDING.", f"{SEED} memory_add"),
    "event:result": Requirement("An event shows event_id, status and memory_ids.", f"{SEED} memory_event_status_get"),
    "event:decisions": Requirement("A finished event says what was decided on each fact, and why.", f"{DESIGN} §5"),
    "event:extraction": Requirement("An event says that rules, not a model, did the extraction.", f"{DESIGN} §7"),
    "event:failed": Requirement("A failed event says why.", "contracts.md G.4"),
    "search:result": Requirement(
        "A search shows results (id, memory, score, metadata, times) and total.", f"{SEED} memory_search"
    ),
    "search:top-k": Requirement("top_k is 1 to 1000 and 10 when absent.", f"{SEED} memory_search"),
    "search:threshold": Requirement("Hits below threshold are left out.", f"{SEED} memory_search"),
    "search:filters": Requirement(
        "All conditions of AND must hold, whichever objects they stand in.", f"{SEED} memory_search"
    ),
    "search:score-decimals": Requirement("Scores have at most four decimals.", f"{SEED} memory_search"),
    "search:notices": Requirement("What an answer lacks is said beside the results.", f"{DESIGN} §5"),
    "search:rerank": Requirement("rerank is a boolean, false when absent.", f"{SEED} memory_search"),
    "get:result": Requirement(
        "A memory shows id, memory, user_id, agent_id, run_id, metadata and times.",
        f"{SEED} memory_get; contracts.md G.8",
    ),
    "list:result": Requirement(
        "A list shows count (of all matches) and the page's rows, score null.", f"{SEED} memory_get_all"
    ),
    "list:filters": Requirement(
        "filters are flat: user_id, agent_id, run_id and metadata keys.", f"{SEED} memory_get_all"
    ),
    "list:paging": Requirement("page starts at 1; page_size is 1 to 200, 100 when absent.", f"{SEED} memory_get_all"),
    "list:window": Requirement("Pages end at the first 10000 memories.", f"{SEED} memory_get_all"),
    "update:result": Requirement("An update shows id, memory and updated_at.", f"{SEED} memory_update"),
    "delete:result": Requirement("A delete says 'Memory <id> deleted successfully'.", f"{SEED} memory_delete"),
    "default-is-none": Requirement("__default__ as agent or run is none; leaving it out is any.", f"{DESIGN} §1"),
    "null-is-absent": Requirement(
        "An explicit null for an optional argument is the same as leaving it out.", "issue: arguments"
    ),
    "json-text-objects": Requirement("filters and metadata may be sent as JSON text.", ISSUE),
    "schemas": Requirement(
        "Input and output schemas are valid and say what is checked.", "http-and-mcp.md §1; §2 inspector --strict"
    ),
    "hints": Requirement("Tools say whether they change or destroy anything.", "http-and-mcp.md §1"),
    # Errors of tools
    "error-shape": Requirement(
        "A tool error is isError with {code, message, details?} as text, and nothing structured.",
        f"{DESIGN} §6; {FAULT} 18",
    ),
    "error-table": Requirement("Every error of the model has a code in this dialect.", f"{DESIGN} §6"),
    "error-unexpected": Requirement("What nobody foresaw shows a request id and no details.", f"{DESIGN} §6"),
    "error-retry": Requirement("Where waiting helps, the error says how long.", f"{DESIGN} §5"),
    "permission": Requirement("A key that may not do something is told so by the tool.", f"{DESIGN} §8"),
    "foreign-id": Requirement("Another user's id looks exactly like one that does not exist.", f"{DESIGN} §8"),
    "unknown-tool": Requirement("An unknown tool is JSON-RPC error -32602.", f"{FAULT} 14"),
    "bad:user-id-missing": Requirement("A missing user_id is named.", ISSUE),
    "bad:user-id-empty": Requirement("An empty or blank user_id is refused.", ISSUE),
    "bad:user-id-star": Requirement("* is no user_id.", ISSUE),
    "bad:user-id-type": Requirement("A user_id that is not text is refused.", ISSUE),
    "bad:agent-id-empty": Requirement("An empty agent_id or run_id is refused: it is to be left out.", ISSUE),
    "bad:messages-blank": Requirement("Blank messages are refused.", ISSUE),
    "bad:messages-shape": Requirement("Messages of another shape are refused, naming the place.", ISSUE),
    "bad:messages-many": Requirement("Too many messages are refused.", ISSUE),
    "bad:role": Requirement("An unknown role is refused, naming the message.", ISSUE),
    "bad:types": Requirement("Wrong types are refused; '1' is no integer and true is no integer.", ISSUE),
    "bad:top-k": Requirement("top_k 0 and 1001 are refused.", ISSUE),
    "bad:threshold": Requirement("A threshold outside 0 to 1 is refused.", ISSUE),
    "bad:page": Requirement("page 0, page_size 0 and 201 are refused.", ISSUE),
    "bad:filters-form": Requirement("Flat filters in a search are refused, showing the form.", ISSUE),
    "bad:filters-user": Requirement("filters without user_id, or with two, are refused.", ISSUE),
    "bad:filters-connective": Requirement(
        "OR and NOT are refused by name.", "issue: filters", divergence="Operators come with a later version."
    ),
    "bad:filters-many": Requirement("Too many conditions are refused.", ISSUE),
    "bad:list-wrapper": Requirement("The AND wrapper is refused by memory_get_all.", f"{SEED} memory_get_all; {ISSUE}"),
    "bad:metadata-owner": Requirement("metadata cannot set the owner.", ISSUE),
    "bad:metadata-values": Requirement("Metadata that no store can hold is refused.", ISSUE),
    "bad:timestamp": Requirement("A timestamp that is no date is refused.", ISSUE),
    "bad:ids": Requirement("Unknown ids are NotFound.", ISSUE),
    "bad:unknown-argument": Requirement("An unknown argument is refused by name.", f"{ISSUE}; {FAULT} 16"),
    "bad:nul": Requirement("NUL in any text is refused.", ISSUE),
    "bad:text": Requirement("An empty or oversized memory text or query is refused.", ISSUE),
    # Requests that never reach a tool
    "bad:body-time": Requirement("A body that does not arrive in time is 408.", f"{DESIGN} §8: every wait is bounded"),
    "bad:body-size": Requirement("A body over the limit is 413.", f"{ISSUE}; {HTTP} 5"),
    "bad:json": Requirement("Broken JSON is -32700.", f"{ISSUE}; {HTTP} 9"),
    "bad:utf8": Requirement("Invalid UTF-8 is -32700.", ISSUE),
    "bad:surrogate": Requirement("A lone surrogate is -32700; a proper pair is a character.", f"{ISSUE}; {HTTP} 9"),
    "bad:depth": Requirement("Deep nesting is -32700.", f"{ISSUE}; {FAULT} 26"),
    "bad:nan": Requirement("NaN and Infinity are -32700.", f"{ISSUE}; {HTTP} 9"),
    "bad:huge-integer": Requirement("An integer of 5000 digits is -32700.", f"{HTTP} 10; {FAULT} 26"),
    "bad:batch": Requirement("A batch is -32600.", f"{ISSUE}; {FAULT} 13"),
    "bad:id": Requirement(
        "An id that is null, fractional, boolean, an object or missing is -32600.", f"{ISSUE}; {HTTP} 1; {FAULT} 4"
    ),
    "bad:envelope": Requirement("Scalars, a wrong jsonrpc and a missing method are -32600 with the id.", f"{HTTP} 2"),
    "bad:params": Requirement("params that are no object are -32602 with the id.", f"{HTTP} 2"),
    "bad:content-type": Requirement("Another content type is 415.", f"{ISSUE}; {HTTP} 5"),
    "bad:method": Requirement("Anything but POST is 405 with Allow.", f"{ISSUE}; {HTTP} 3; {FAULT} 1, 3"),
    "bad:host": Requirement("A foreign Host is 421, a foreign Origin 403.", f"{ISSUE}; {FAULT} 21"),
    "bad:key": Requirement("No key, an empty one or a wrong one is 401 with a challenge.", f"{DESIGN} §8; {FAULT} 23"),
    "bad:key-in-url": Requirement("A key in the URL is refused.", "http-and-mcp.md §4"),
    "unknown-method": Requirement("An unknown method is -32601.", CONTRACT),
    "trailing-slash": Requirement(
        "The path with a trailing slash answers, without a redirect.", f"{ISSUE}; {HTTP} 4; {FAULT} 8"
    ),
    "bom": Requirement("A byte order mark before the JSON is ignored.", f"{HTTP} 9"),
    "header-blanks": Requirement("Blanks around header values do not matter.", f"{HTTP} 8"),
    "bearer-case": Requirement("The scheme Bearer may be written in any case.", "http-and-mcp.md §4"),
    "request-id": Requirement("Every answer has an X-Request-Id: the caller's, or ours.", "http-and-mcp.md §4"),
    "unknown-path": Requirement("Unknown paths and /.well-known are JSON 404s.", FAULT + " 23"),
    "anonymous": Requirement("With keys turned off no key is needed.", f"{DESIGN} §8"),
    "stdio:broken": Requirement(
        "Over stdio too every broken message is answered, and the next one served.", f"{HTTP} 10; {FAULT} 26"
    ),
    "stdio:ends": Requirement("When stdin ends, what was read is answered first.", "issue: stdio"),
    "stdio:clean": Requirement("stdout carries protocol only.", FAULT + " 29"),
    "stdio:utf8": Requirement("Both pipes are UTF-8 whatever the locale.", FAULT + " 28"),
}
