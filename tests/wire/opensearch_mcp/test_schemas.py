"""What tools/list tells a client about the tools."""

from __future__ import annotations

from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from yiku.wire.fields import schema_of
from yiku.wire.opensearch_mcp.arguments import ListArguments, SearchArguments
from yiku.wire.opensearch_mcp.knowledge_arguments import (
    DocsArguments,
    GrepArguments,
    HybridArguments,
    NodeArguments,
    NodesArguments,
    ReadArguments,
)
from yiku.wire.opensearch_mcp.tools import LISTING, TOOLS

from .requirements import proves


@proves("schemas")
@pytest.mark.parametrize("tool", LISTING["tools"], ids=lambda tool: tool["name"])
def test_schemas_are_valid_plain_and_described(tool: dict[str, Any]) -> None:
    for schema in (tool["inputSchema"], tool["outputSchema"]):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
    assert tool["inputSchema"]["additionalProperties"] is False
    assert "$ref" not in str(tool["inputSchema"])
    for name, argument in tool["inputSchema"]["properties"].items():
        assert argument["description"], name
        assert "title" not in argument
        assert all(isinstance(argument.get("type", ""), str) for _ in argument)
        assert ("default" in argument) <= (argument.get("default") is not None)
        for example in argument.get("examples", ()):
            jsonschema.validate(example, argument)
    assert tool["title"] and tool["description"]


@proves("schemas", "search:top-k", "list:paging", "search:rerank")
def test_the_schema_says_the_bounds_and_defaults_that_are_checked() -> None:
    search = schema_of(SearchArguments)
    assert search["required"] == ["query", "filters"]
    bounds = {key: search["properties"]["top_k"][key] for key in ("type", "minimum", "maximum", "default")}
    assert bounds == {"type": "integer", "minimum": 1, "maximum": 1000, "default": 10}
    assert search["properties"]["rerank"]["default"] is False
    assert (search["properties"]["threshold"]["minimum"], search["properties"]["threshold"]["maximum"]) == (0, 1)
    listing = schema_of(ListArguments)["properties"]
    assert (listing["page"]["default"], listing["page_size"]["default"], listing["page_size"]["maximum"]) == (
        1,
        100,
        200,
    )


@proves("schemas", "docs:topk", "nodes:topk", "nodes:expand", "grep:context", "grep:limit", "grep:ignore-case",
        "read:paging", "hybrid:top-k")  # fmt: skip
def test_the_schemas_of_documents_say_the_bounds_and_defaults_that_are_checked() -> None:
    for model, name, bounds in (
        (DocsArguments, "topk", (1, 100, 10)),
        (NodesArguments, "topk", (1, 100, 5)),
        (GrepArguments, "context", (0, 20, 0)),
        (GrepArguments, "limit", (1, 1000, 100)),
        (ReadArguments, "offset", (1, None, 1)),
        (ReadArguments, "limit", (1, 2000, 200)),
        (HybridArguments, "top_k", (1, 100, 10)),
    ):
        field = schema_of(model)["properties"][name]
        assert (field["minimum"], field.get("maximum"), field["default"]) == bounds, (model, name)
    ids = schema_of(NodeArguments)["properties"]["node_ids"]
    assert (ids["minItems"], ids["maxItems"], ids["items"]) == (1, 200, {"type": "string"})
    nodes = schema_of(NodesArguments)["properties"]
    assert nodes["doc_ids"]["maxItems"] == 100
    assert (nodes["expand"]["enum"], nodes["expand"]["default"]) == (
        ["no_expand", "max_score", "cohierarchy"],
        "no_expand",
    )
    assert schema_of(GrepArguments)["properties"]["ignore_case"]["default"] is False


@proves("hints")
def test_tools_say_whether_they_change_or_destroy_anything() -> None:
    hints = {tool["name"]: tool["annotations"] for tool in LISTING["tools"]}
    assert {name for name, hint in hints.items() if not hint["readOnlyHint"]} == {
        "memory_add",
        "memory_update",
        "memory_delete",
    }
    assert {name for name, hint in hints.items() if hint["destructiveHint"]} == {"memory_update", "memory_delete"}
    assert {name for name, hint in hints.items() if not hint["idempotentHint"]} == {"memory_add"}
    for name, tool in TOOLS.items():
        noun = {"memory": "memory", "kb": "knowledge"}.get(name.split("_")[0])
        assert tool.permission == (noun and f"{noun}:{'write' if tool.changes else 'read'}"), name
