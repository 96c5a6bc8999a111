"""Arguments about documents that do not fit: each is refused by its name, in the tool's own words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.documents import BASE, new_base, upload
from tests.wire.doors import everything_stored

from .conftest import Door
from .requirements import proves
from .test_bad_arguments import Bad

GUIDE = "# 指南\n\n配置权限需在控制台进行。\n"
OF_DOCUMENT = {"kb_id": BASE, "doc_id": "guide"}
COMPLETE: dict[str, dict[str, Any]] = {
    "kb_docs_search": {"query": "如何配置权限", "kb_id": BASE},
    "kb_nodes_search": {"query": "How are permissions set?", "kb_id": BASE},
    "kb_doc_structure_get": OF_DOCUMENT,
    "kb_node_content_get": {"node_ids": ["node-1"], "kb_id": BASE},
    "kb_doc_grep": OF_DOCUMENT | {"pattern": "权限"},
    "kb_doc_read": OF_DOCUMENT,
    "hybrid_search": {"query": "如何配置权限", "user_id": "u", "kb_id": BASE},
}


def bad(tool: str, field: str, words: str, /, *, code: str = "InvalidParameter", **changed: Any) -> Bad:
    return Bad(tool, COMPLETE[tool] | changed, field, words, code)


def everywhere(argument: str, words: str, value: Any, code: str = "InvalidParameter") -> list[Bad]:
    """The same value in each tool for documents that takes the argument."""
    tools = [tool for tool, given in COMPLETE.items() if tool != "hybrid_search" and argument in given]
    return [bad(tool, argument, words, code=code, **{argument: value}) for tool in tools]


CASES: dict[str, list[Bad]] = {
    "bad:kb": [
        *everywhere("kb_id", "There is no knowledge base 'kb-none' here", "kb-none", "NotFound"),
        *everywhere("kb_id", "There is no knowledge base '知识库' here", "知识库", "NotFound"),
        *everywhere("doc_id", "There is no document '手册' in this knowledge base", "手册", "NotFound"),
        *everywhere("kb_id", "kb_id must not be empty", " "),
        *everywhere("doc_id", "NUL", "a\0"),
        *everywhere("kb_id", "kb_id must be text; it is a list", [BASE]),
        bad("hybrid_search", "kb_id", "kb_id must not be empty", kb_id=""),
        bad("hybrid_search", "user_id", "'*' is not allowed", user_id="*"),
        bad("hybrid_search", "agent_id", "leave it out instead", agent_id=" "),
    ],
    "bad:topk": [
        *(
            bad(tool, name, f"{name} must be an integer from 1 to 100; it is {value}", **{name: value})
            for tool, name in (("kb_docs_search", "topk"), ("kb_nodes_search", "topk"), ("hybrid_search", "top_k"))
            for value in (0, 101, -1)
        ),
        bad("kb_nodes_search", "topk", "it is text", topk="5"),
        bad("kb_nodes_search", "top_k", "top_k is not an argument of kb_nodes_search", top_k=5),
        bad("hybrid_search", "topk", "topk is not an argument of hybrid_search", topk=5),
    ],
    "bad:text": [
        *everywhere("query", "query must not be empty", "\n"),
        *everywhere("query", "the limit is", "问" * 30_000, "PayloadTooLarge"),
        *everywhere("query", "NUL", "a\0b"),
        bad("hybrid_search", "query", "query must not be empty", query=""),
    ],
    "bad:node-ids": [
        bad("kb_node_content_get", "node_ids", "node_ids must name 1 to 200 ids; it names 0", node_ids=[]),
        bad("kb_node_content_get", "node_ids", "it names 201", node_ids=["node-1"] * 201),
        bad("kb_node_content_get", "node_ids", "must be a list of ids", node_ids="node-1"),
        bad("kb_node_content_get", "node_ids[1]", "node_ids[1] must be text", node_ids=["node-1", 7]),
        bad("kb_node_content_get", "node_ids[0]", "node_ids[0] must not be empty", node_ids=[""]),
    ],
    "bad:doc-ids": [
        bad("kb_nodes_search", "doc_ids", "doc_ids must name 0 to 100 ids; it names 101", doc_ids=["guide"] * 101),
        bad("kb_nodes_search", "doc_ids", "must be a list of ids", doc_ids={"id": "guide"}),
        bad("kb_nodes_search", "doc_ids[0]", "doc_ids[0] must be text", doc_ids=[None]),
    ],
    "bad:expand": [
        bad("kb_nodes_search", "expand", "must be one of no_expand, max_score, cohierarchy", expand="parent"),
        bad("kb_nodes_search", "expand", "must be one of", expand=""),
        bad("kb_nodes_search", "expand", "expand must be text; it is true", expand=True),
    ],
    "bad:pattern": [
        bad("kb_doc_grep", "pattern", "closed", pattern="配置("),
        bad("kb_doc_grep", "pattern", "repeat", pattern="*"),
        bad("kb_doc_grep", "pattern", "literal", pattern="(?=权限)"),
        bad("kb_doc_grep", "pattern", "write out what is to be repeated", pattern=r"(权)\1"),
        bad("kb_doc_grep", "pattern", "empty", pattern=""),
        bad("kb_doc_grep", "pattern", "line end", pattern="a\nb", literal=True),
        bad("kb_doc_grep", "pattern", "NUL", pattern="a\0"),
        bad("kb_doc_grep", "pattern", "1000 characters", pattern="权" * 1001, code="PayloadTooLarge"),
        bad("kb_doc_grep", "literal", "literal must be true or false; it is text", literal="true"),
    ],
    "bad:lines": [
        bad("kb_doc_read", "offset", "offset must be an integer of 1 or more; it is 0", offset=0),
        bad("kb_doc_read", "offset", "it is -5", offset=-5),
        bad("kb_doc_read", "offset", "it is 1.5", offset=1.5),
        bad("kb_doc_read", "limit", "limit must be an integer from 1 to 2000; it is 0", limit=0),
        bad("kb_doc_read", "limit", "it is 2001", limit=2001),
        bad("kb_doc_grep", "limit", "limit must be an integer from 1 to 1000; it is 0", limit=0),
        bad("kb_doc_grep", "limit", "it is 1001", limit=1001),
        bad("kb_doc_grep", "context", "context must be an integer from 0 to 20; it is -1", context=-1),
        bad("kb_doc_grep", "context", "it is 21", context=21),
    ],
}


@proves(*CASES)
@pytest.mark.parametrize("requirement", CASES)
async def test_bad_arguments_about_documents_are_refused_by_name(door: Door, requirement: str) -> None:
    await new_base(door.ports)
    await upload(door.ports, GUIDE, id="guide")
    before = await everything_stored(door.ports)
    for case in CASES[requirement]:
        result = await door.result(case.tool, case.arguments)
        assert result["isError"] is True, case
        error = json.loads(result["content"][0]["text"])
        assert (error["code"], error["details"]) == (case.code, {"field": case.field}), (case, error)
        assert case.words in error["message"], (case, error)
    assert await everything_stored(door.ports) == before


async def test_every_tool_for_documents_takes_what_the_cases_call_complete(door: Door) -> None:
    await new_base(door.ports)
    await upload(door.ports, GUIDE, id="guide")
    for tool, arguments in COMPLETE.items():
        assert (await door.result(tool, arguments))["isError"] is False, tool
