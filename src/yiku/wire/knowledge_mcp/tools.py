"""The one tool: what it is called, what it does, and how it is listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from yiku.core.knowledge.addressed import ReadPublished, read_published
from yiku.core.knowledge.search_published import search_published
from yiku.model.errors import KnowledgeOff
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.fields import parse_fields, schema_of
from yiku.wire.jsonrpc import INVALID_PARAMS, JsonRpcError, compact_json
from yiku.wire.knowledge_mcp.arguments import SearchKnowledgeArguments
from yiku.wire.knowledge_mcp.decode import decode_call
from yiku.wire.knowledge_mcp.encode import read_text, search_text
from yiku.wire.knowledge_mcp.errors import CallRefused, failure, lacking, unexpected_failure
from yiku.wire.knowledge_mcp.results import ReadText, SearchText, TextResult
from yiku.wire.mcp_server import Toolbox, ToolResult

NAME = "search_knowledge"
INSTRUCTIONS = (
    "Yiku keeps the documents of a team. Call search_knowledge with a query to find what they say, and cite what you "
    "use; call it with a knowledge_item_id to read more of an item. What is remembered about users is not here."
)
LISTED: dict[str, Any] = {
    "name": NAME,
    "title": "Search knowledge",
    "description": "Search the published documents of your team's knowledge bases, or read a piece of one. Give a "
    "query to search: items come best first, each with an excerpt, a citation and where to read on. Give a "
    "knowledge_item_id instead to read it piece by piece with offset and limit_chars; add a knowledge_revision_id only "
    "for exactly that revision. It changes nothing, and knows nothing of memories about users.",
    "inputSchema": schema_of(SearchKnowledgeArguments),
    "outputSchema": TypeAdapter(TextResult).json_schema(),
    "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
}


def toolbox(*, listed: bool) -> Toolbox:
    return Toolbox(
        instructions=INSTRUCTIONS,
        listing={"tools": [LISTED] if listed else []},
        input_schemas={NAME: LISTED["inputSchema"]},
        run=_run,
        failure=failure,
        unexpected=unexpected_failure,
    )


async def _run(ports: Ports, principal: Principal, name: str, given: Mapping[str, Any]) -> ToolResult:
    if name != NAME:
        raise JsonRpcError(INVALID_PARAMS, f"Unknown tool {name[:64]!r}: the tool here is {NAME}")
    principal.require("knowledge:read")
    if ports.documents is None:
        raise KnowledgeOff
    try:
        text = compact_json(await _answer(ports, principal, parse_fields(SearchKnowledgeArguments, NAME, given)))
    except CallRefused as refused:
        return lacking(refused)
    # Clients of the original know a tool that gives a text, so the JSON is one, in both places.
    return {"content": [{"type": "text", "text": text}], "structuredContent": {"result": text}, "isError": False}


async def _answer(ports: Ports, principal: Principal, given: SearchKnowledgeArguments) -> SearchText | ReadText:
    wanted = decode_call(given, ports.limits)
    if isinstance(wanted, ReadPublished):
        return read_text(await read_published(ports, principal, wanted), wanted, principal)
    return search_text(await search_published(ports, principal, wanted))
