"""Arguments that do not fit: each is refused in the tool's own words, and changes nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.wire.doors import everything_stored
from yiku.model.limits import Limits
from yiku.wire.opensearch_mcp.tools import LISTING

from .conftest import Door
from .requirements import proves

ADD: dict[str, Any] = {"messages": "我喜欢喝咖啡", "user_id": "u"}
SEARCH: dict[str, Any] = {"query": "咖啡", "filters": {"AND": [{"user_id": "u"}]}}
LIST: dict[str, Any] = {"filters": {"user_id": "u"}}


@dataclass(frozen=True)
class Bad:
    """A call, the field that the error names, and words of its message."""

    tool: str
    arguments: dict[str, Any]
    field: str
    words: str
    code: str = "InvalidParameter"


def without(arguments: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in arguments.items() if key != name}


def add(field: str, words: str, /, **changed: Any) -> Bad:
    return Bad("memory_add", ADD | changed, field, words)


def search(field: str, words: str, /, **changed: Any) -> Bad:
    return Bad("memory_search", SEARCH | changed, field, words)


def listing(field: str, words: str, /, **changed: Any) -> Bad:
    return Bad("memory_get_all", LIST | changed, field, words)


def turns(*messages: Any) -> list[Any]:
    return [{"role": "user", "content": "hello"}, *messages]


LARGE = "a" * Limits().message_bytes
LARGE_ONES_REFUSED = Limits().add_bytes // Limits().message_bytes + 1
REQUIRED: dict[str, tuple[str, ...]] = {
    "memory_add": ("messages", "user_id"),
    "memory_event_status_get": ("event_id",),
    "memory_search": ("query", "filters"),
    "memory_get": ("memory_id",),
    "memory_get_all": ("filters",),
    "memory_update": ("memory_id", "text"),
    "memory_delete": ("memory_id",),
    "kb_docs_search": ("query", "kb_id"),
    "kb_nodes_search": ("query", "kb_id"),
    "kb_doc_structure_get": ("kb_id", "doc_id"),
    "kb_node_content_get": ("node_ids", "kb_id"),
    "kb_doc_grep": ("kb_id", "doc_id", "pattern"),
    "kb_doc_read": ("kb_id", "doc_id"),
    "hybrid_search": ("query", "user_id"),
}
COMPLETE: dict[str, Any] = (
    ADD
    | SEARCH
    | {"event_id": "me-1", "memory_id": "m-1", "text": "我喜欢喝茶"}
    | {"kb_id": "kb", "doc_id": "guide", "node_ids": ["node-1"], "pattern": "茶"}
)


def required(tool: str, name: str) -> list[Bad]:
    """Calls that are complete but for one argument."""
    others = {other: COMPLETE[other] for other in REQUIRED[tool] if other != name}
    return [Bad(tool, given, name, f"{name} is required") for given in (others, others | {name: None})]


def conditions(*given: dict[str, Any], words: str, field: str = "filters") -> list[Bad]:
    """Each condition in a search and in a list."""
    return [
        bad
        for condition in given
        for bad in (
            search(field, words, filters={"AND": [{"user_id": "u"}, condition]}),
            listing(field, words, filters={"user_id": "u", **condition}),
        )
    ]


CASES: dict[str, list[Bad]] = {
    "bad:required": [bad for tool, names in REQUIRED.items() for name in names for bad in required(tool, name)],
    "bad:user-id-missing": [
        Bad("memory_add", without(ADD, "user_id"), "user_id", "user_id is required"),
        add("user_id", "user_id is required", user_id=None),
    ],
    "bad:user-id-empty": [
        add("user_id", "user_id must not be empty", user_id=""),
        add("user_id", "user_id must not be empty", user_id=" \t"),
        search("user_id", "user_id is required", filters={"AND": [{"user_id": ""}]}),
        listing("user_id", "user_id is required", filters={"user_id": ""}),
    ],
    "bad:user-id-star": [
        add("user_id", "'*' is not allowed", user_id="*"),
        search("user_id", "'*' is not allowed", filters={"AND": [{"user_id": "*"}]}),
        listing("user_id", "'*' is not allowed", filters={"user_id": "*"}),
    ],
    "bad:user-id-type": [
        add("user_id", "user_id must be text; it is 7", user_id=7),
        add("user_id", "user_id must be text; it is a list", user_id=["u"]),
        search("user_id", "user_id must be text", filters={"AND": [{"user_id": 7}]}),
        listing("user_id", "user_id must be text", filters={"user_id": ["u"]}),
        add("user_id", "control characters", user_id="a\nb"),
        replace(add("user_id", "the limit is 256", user_id="用" * 100), code="PayloadTooLarge"),
    ],
    "bad:agent-id-empty": [
        add("agent_id", "leave it out instead", agent_id=""),
        add("run_id", "leave it out instead", run_id="  "),
        search("agent_id", "leave it out instead", filters={"AND": [{"user_id": "u", "agent_id": ""}]}),
        listing("run_id", "run_id must be text", filters={"user_id": "u", "run_id": 3}),
    ],
    "bad:messages-blank": [
        add("messages", "messages must not be empty", messages=""),
        add("messages", "messages must not be empty", messages=" \n "),
        add("messages", "at least one message", messages=[]),
        add("messages.content", "messages.content must not be empty", messages={"role": "user", "content": " "}),
        add(
            "messages[1].content",
            "messages[1].content must not be empty",
            messages=turns({"role": "user", "content": ""}),
        ),
        add("messages", "no text to remember", messages=[{"role": "assistant", "tool_calls": [{"id": "1"}]}]),
        add("messages[1].content", "must not be empty", messages=turns({"role": "user", "content": []})),
    ],
    "bad:messages-shape": [
        add("messages", "messages must be text", messages=7),
        add("messages", "messages must be text", messages=True),
        add("messages[1]", "must be an object with role and content", messages=turns("hello")),
        add("messages[1].content", "is required", messages=turns({"role": "assistant"})),
        add("messages[1].content", "must be text or a list", messages=turns({"role": "assistant", "content": 7})),
        add("messages[1].content[0]", "must be an object", messages=turns({"role": "user", "content": ["a"]})),
        add(
            "messages[1].content[0].text",
            "must be text",
            messages=turns({"role": "user", "content": [{"type": "text", "text": 1}]}),
        ),
        add("messages[1].name", "must be text", messages=turns({"role": "user", "content": "a", "name": 1})),
    ],
    "bad:messages-many": [
        replace(
            add("messages", "the limit is 1000", messages=[{"role": "user", "content": "a"}] * 1001),
            code="PayloadTooLarge",
        ),
        replace(
            add("messages[0].content", "the limit is", messages=[{"role": "user", "content": LARGE + "a"}]),
            code="PayloadTooLarge",
        ),
        replace(
            add("messages", "add them in parts", messages=[{"role": "user", "content": LARGE}] * LARGE_ONES_REFUSED),
            code="PayloadTooLarge",
        ),
    ],
    "bad:role": [
        add(
            "messages[1].role",
            "messages[1].role must be one of user, assistant",
            messages=turns({"role": "bot", "content": "a"}),
        ),
        add("messages[1].role", "must be one of", messages=turns({"content": "a"})),
        add("messages.role", "must be one of", messages={"role": ["user"], "content": "a"}),
    ],
    "bad:types": [
        search("top_k", "top_k must be an integer from 1 to 1000; it is text", top_k="1"),
        search("top_k", "top_k must be an integer from 1 to 1000; it is true", top_k=True),
        search("top_k", "it is 1.5", top_k=1.5),
        search("threshold", "threshold must be a number from 0 to 1; it is text", threshold="0.5"),
        search("threshold", "it is false", threshold=False),
        search("rerank", "rerank must be true or false; it is text", rerank="true"),
        search("rerank", "it is 1", rerank=1),
        add("infer", "infer must be true or false; it is text", infer="false"),
        search("query", "query must be text; it is a list", query=["咖啡"]),
        search("filters", "filters must be an object", filters=[{"user_id": "u"}]),
        search("filters", "filters must be an object", filters='[{"user_id": "u"}]'),
        search("filters", "not JSON", filters="user_id = u"),
        search("filters", "not JSON", filters="[" * 100 + "]" * 100),
        add("metadata", "metadata must be an object", metadata=["chat"]),
        add("metadata", "metadata must be an object", metadata='"chat"'),
        add("metadata", "not JSON", metadata="chat"),
        Bad("memory_get", {"memory_id": 7}, "memory_id", "memory_id must be text; it is 7"),
        Bad("memory_update", {"memory_id": "m-1", "text": None}, "text", "text is required"),
    ],
    "bad:top-k": [
        search("top_k", "from 1 to 1000; it is 0", top_k=0),
        search("top_k", "from 1 to 1000; it is 1001", top_k=1001),
        search("top_k", "from 1 to 1000; it is -1", top_k=-1),
    ],
    "bad:threshold": [
        search("threshold", "from 0 to 1; it is 1.01", threshold=1.01),
        search("threshold", "from 0 to 1; it is -0.01", threshold=-0.01),
    ],
    "bad:page": [
        listing("page", "page must be an integer of 1 or more; it is 0", page=0),
        listing("page_size", "from 1 to 200; it is 0", page_size=0),
        listing("page_size", "from 1 to 200; it is 201", page_size=201),
    ],
    "list:window": [
        listing("page", "10000", page=101, page_size=100),
    ],
    "bad:filters-form": [
        search("filters", '{"AND": [{"user_id": "..."}, ...]}', filters={"user_id": "u"}),
        search("filters", '{"AND":', filters={"AND": []}),
        search("filters", '{"AND":', filters={"AND": {"user_id": "u"}}),
        search("filters", '{"AND":', filters={"AND": [{"user_id": "u"}], "source": "chat"}),
        search("filters.AND[1]", "must be an object", filters={"AND": [{"user_id": "u"}, "chat"]}),
    ],
    "bad:filters-user": [
        search("user_id", "user_id is required", filters={"AND": [{"source": "chat"}]}),
        search("user_id", "user_id is required", filters={"AND": [{}]}),
        search("user_id", "user_id is required", filters={"AND": [{"user_id": None}]}),
        search("user_id", "two different values", filters={"AND": [{"user_id": "u"}, {"user_id": "v"}]}),
        listing("user_id", "user_id is required", filters={"source": "chat"}),
        listing("user_id", "user_id is required", filters={}),
    ],
    "bad:filters-connective": [
        *conditions({"OR": []}, {"OR": {"a": 1}}, words="filters.OR must be a list of objects"),
        *conditions({"NOT": []}, {"NOT": "a"}, words="filters.NOT must be a list of objects"),
        *conditions({"or": [{"a": 1}]}, words="cannot use or here: write OR"),
        *conditions({"not": {"a": 1}}, words="cannot use not"),
        *conditions({"OR": [{"user_id": "v"}]}, words="not inside OR and NOT", field="user_id"),
        search("filters", '{"AND":', filters={"and": [{"user_id": "u"}]}),
    ],
    "bad:filters-operator": [
        *conditions({"stars": {"gte": True}}, {"stars": {"lt": [1]}}, words="must be a number or text"),
        *conditions({"source": {"$eq": "chat"}}, {"source": {"icontains": "c"}}, words="there are eq, ne, gt"),
        *conditions({"source": {"gte": 1, "other": 2}}, words="has the operator other"),
        *conditions({"source": {"in": "chat"}}, words="filters.source.in must be a list of values"),
        *conditions({"source": {"contains": "c*"}}, words="without * and ?"),
        *conditions({"source": {"contains": None}}, {"source": {"contains": ["c"]}}, words="must be text, a number"),
        *conditions({"a": {"in": [{"gt": 1}]}}, {"a": {"ne": {"eq": 1}}}, words="operators inside of an operator"),
        *conditions({"agent_id": {"gt": "a"}}, words="filters.agent_id is a name"),
    ],
    "bad:filters-key": [
        *conditions({"metadata.source": "chat"}, words="as it is: source"),
    ],
    "bad:filters-many": [
        replace(
            search("filters", "the limit is 64", filters={"AND": [{"user_id": "u"}] + [{"a": n} for n in range(64)]}),
            code="PayloadTooLarge",
        ),
    ],
    "bad:list-wrapper": [
        listing("filters", '{"user_id": "...", ...}', filters={"AND": [{"user_id": "u"}]}),
    ],
    "bad:metadata-owner": [
        add("metadata.user_id", "argument user_id", metadata={"user_id": "v"}),
        add("metadata.agent_id", "argument agent_id", metadata={"agent_id": "v"}),
        add("metadata.run_id", "argument run_id", metadata='{"run_id": "v"}'),
    ],
    "bad:metadata-values": [
        add("metadata.big", "64 bits", metadata={"big": 2**63}),
        add("a key of metadata", "must not be empty", metadata={"": 1}),
        replace(add("metadata.a", "the limit is", metadata={"a": "x" * 70_000}), code="PayloadTooLarge"),
        replace(add("metadata", "the limit is", metadata={str(n): n for n in range(65)}), code="PayloadTooLarge"),
        search("filters.big", "64 bits", filters={"AND": [{"user_id": "u"}, {"big": 2**63}]}),
    ],
    "bad:timestamp": [
        add("metadata.timestamp", "ISO 8601", metadata={"timestamp": "yesterday"}),
        add("metadata.timestamp", "ISO 8601", metadata={"timestamp": 1_780_000_000}),
    ],
    "bad:ids": [
        Bad("memory_get", {"memory_id": "m-none"}, "memory_id", "m-none", code="NotFound"),
        Bad("memory_update", {"memory_id": "m-none", "text": "a"}, "memory_id", "m-none", code="NotFound"),
        Bad("memory_delete", {"memory_id": "m-none"}, "memory_id", "m-none", code="NotFound"),
        Bad("memory_event_status_get", {"event_id": "me-none"}, "event_id", "me-none", code="NotFound"),
    ],
    "bad:unknown-argument": [
        search("topk", "topk is not an argument of memory_search, which takes query, filters, top_k", topk=5),
        add("message", "message is not an argument of memory_add", message="a"),
        listing("limit", "limit is not an argument", limit=5),
    ],
    "bad:nul": [
        add("messages", "NUL", messages="a\0b"),
        add("messages[1].content", "NUL", messages=turns({"role": "user", "content": "a\0b"})),
        add("user_id", "NUL", user_id="a\0b"),
        add("metadata.a", "NUL", metadata={"a": "\0"}),
        search("query", "NUL", query="a\0b"),
        Bad("memory_get", {"memory_id": "m-\0"}, "memory_id", "NUL"),
        Bad("memory_update", {"memory_id": "m-1", "text": "a\0b"}, "text", "NUL"),
    ],
    "bad:text": [
        search("query", "query must not be empty", query=" "),
        Bad("memory_update", {"memory_id": "m-1", "text": ""}, "text", "text must not be empty"),
        Bad("memory_get", {"memory_id": ""}, "memory_id", "memory_id must not be empty"),
        replace(search("query", "the limit is", query="a" * 70_000), code="PayloadTooLarge"),
        Bad(
            "memory_update", {"memory_id": "m-1", "text": "a" * 70_000}, "text", "the limit is", code="PayloadTooLarge"
        ),
    ],
}


@proves(*CASES, "error-shape", "error-structured")
@pytest.mark.parametrize("requirement", CASES)
async def test_bad_arguments_are_refused_by_name_and_change_nothing(door: Door, requirement: str) -> None:
    await door.remember("我喜欢喝咖啡", "u")
    before = await everything_stored(door.ports)
    for bad in CASES[requirement]:
        result = await door.result(bad.tool, bad.arguments)
        assert result["isError"] is True, bad
        assert "structuredContent" not in result
        [content] = result["content"]
        error = json.loads(content["text"])
        assert list(error) == ["code", "message", "details"], bad
        assert (error["code"], error["details"]) == (bad.code, {"field": bad.field}), (bad, error)
        assert bad.words in error["message"], (bad, error)
    await door.work()
    assert await everything_stored(door.ports) == before


@proves("bad:required")
def test_what_is_required_is_what_the_schemas_say() -> None:
    assert {tool["name"]: tuple(tool["inputSchema"]["required"]) for tool in LISTING["tools"]} == REQUIRED


@proves("bad:unknown-argument")
async def test_every_problem_of_a_call_is_told_at_once(door: Door) -> None:
    result = await door.result("memory_search", {"filters": {}, "top_k": 0, "limit": 1})
    message = json.loads(result["content"][0]["text"])["message"]
    assert [word in message for word in ("query is required", "top_k must be", "limit is not")] == [True] * 3


@proves("error-shape")
async def test_what_a_caller_sent_is_not_repeated_at_length(door: Door) -> None:
    result = await door.result("memory_search", SEARCH | {"x" * 10_000: 1, "top_k": 10**400})
    assert len(result["content"][0]["text"]) < 600
