"""What tools/list tells a client about the tools."""

from __future__ import annotations

from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from yiku.wire.fields import schema_of
from yiku.wire.opensearch_mcp.arguments import ListArguments, SearchArguments
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
    assert all(tool.permission == ("memory:write" if tool.changes else "memory:read") for tool in TOOLS.values())
