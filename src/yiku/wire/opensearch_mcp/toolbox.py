"""The tools as MCP serves them, over HTTP and stdio alike: what they are for, and what a call gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.fields import parse_fields
from yiku.wire.jsonrpc import INVALID_PARAMS, JsonRpcError, compact_json
from yiku.wire.mcp_server import Toolbox, ToolResult
from yiku.wire.opensearch_mcp.errors import failure, unexpected_failure
from yiku.wire.opensearch_mcp.tools import INPUT_SCHEMAS, LISTING, TOOLS

INSTRUCTIONS = (
    "Yiku is long-term memory for agents, and the documents they work with. Before you answer a user, call "
    "memory_search with what you need to know about them; when you learned something worth knowing next time, call "
    "memory_add. Every call that names a user_id sees that user's memories only. When you know of a knowledge base "
    "(kb_id), call kb_nodes_search for what documents may answer, and say where you have it from; kb_docs_search, "
    "kb_doc_structure_get, kb_doc_grep and kb_doc_read lead through a long document. hybrid_search asks all of it at "
    "once. Texts may be in any language; search works across Chinese and English."
)


async def _run(ports: Ports, principal: Principal, name: str, given: Mapping[str, Any]) -> ToolResult:
    tool = TOOLS.get(name)
    if tool is None:
        raise JsonRpcError(INVALID_PARAMS, f"Unknown tool {name[:64]!r}: the tools are {', '.join(TOOLS)}")
    if tool.permission is not None:
        principal.require(tool.permission)
    result = await tool.run(ports, principal, parse_fields(tool.takes, name, given))
    return {
        "content": [{"type": "text", "text": compact_json(result)}],
        "structuredContent": result,
        "isError": False,
    }


TOOLBOX = Toolbox(
    instructions=INSTRUCTIONS,
    listing=LISTING,
    input_schemas=INPUT_SCHEMAS,
    run=_run,
    failure=failure,
    unexpected=unexpected_failure,
)
