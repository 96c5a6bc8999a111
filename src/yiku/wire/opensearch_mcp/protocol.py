"""Calls of tools, and the MCP SDK's server around them: what HTTP and stdio both serve.

The low-level `Server` does the protocol (both eras, negotiation, discovery); the results are ours, so that they are the
same wherever they are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import structlog
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, PaginatedRequestParams

from yiku import __version__
from yiku.model.errors import YikuError
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.fields import parse_fields
from yiku.wire.jsonrpc import INVALID_PARAMS, Envelope, JsonRpcError, compact_json
from yiku.wire.opensearch_mcp.errors import failure, unexpected_failure
from yiku.wire.opensearch_mcp.tools import INPUT_SCHEMAS, LISTING, TOOLS

log = structlog.get_logger()

INSTRUCTIONS = (
    "Yiku is long-term memory for agents, and the documents they work with. Before you answer a user, call "
    "memory_search with what you need to know about them; when you learned something worth knowing next time, call "
    "memory_add. Every call that names a user_id sees that user's memories only. When you know of a knowledge base "
    "(kb_id), call kb_nodes_search for what documents may answer, and say where you have it from; kb_docs_search, "
    "kb_doc_structure_get, kb_doc_grep and kb_doc_read lead through a long document. hybrid_search asks all of it at "
    "once. Texts may be in any language; search works across Chinese and English."
)
TOOLS_FRESH_MS = 5 * 60 * 1000
"""The tools change with an upgrade only, and are the same for every key."""

COMPLETE = {"resultType": "complete"}
"""What 2026-07-28 wants in every result; the SDK leaves it out for older clients."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and under which request id."""

    principal: Principal
    request_id: str


CALLER: ContextVar[Caller] = ContextVar("caller")
"""Who is behind the message being served: the SDK hands contexts on to its handlers, but no argument of ours."""


async def call_tool(ports: Ports, caller: Caller, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The result of one call, errors of the tool included. An unknown tool is a `JsonRpcError`."""
    tool = TOOLS.get(name)
    if tool is None:
        raise JsonRpcError(INVALID_PARAMS, f"Unknown tool {name[:64]!r}: the tools are {', '.join(TOOLS)}")
    try:
        if tool.permission is not None:
            caller.principal.require(tool.permission)
        result = await tool.run(ports, caller.principal, parse_fields(tool.takes, name, given))
    except YikuError as error:
        return failure(error)
    except Exception:
        log.exception("tool_failed", tool=name, request_id=caller.request_id)
        return unexpected_failure(caller.request_id)
    text = compact_json(result)
    return {"content": [{"type": "text", "text": text}], "structuredContent": result, "isError": False}


def build_server(ports: Ports) -> Server[Any]:
    """A server over `ports`; whoever feeds it messages sets `CALLER` first."""

    async def list_tools(context: ServerRequestContext[Any], params: PaginatedRequestParams) -> dict[str, Any]:
        return COMPLETE | LISTING

    async def call(context: ServerRequestContext[Any], params: CallToolRequestParams) -> dict[str, Any]:
        try:
            return COMPLETE | await call_tool(ports, CALLER.get(), params.name, params.arguments or {})
        except JsonRpcError as error:
            raise MCPError(code=error.code, message=error.message) from error

    server: Server[Any] = Server(
        "yiku",
        version=__version__,
        title="Yiku 忆库",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": CacheHint(ttl_ms=TOOLS_FRESH_MS, scope="public")},
        # Asked on every call of the newest protocol: computing a schema there would cost more than the call.
        get_tool_input_schema=INPUT_SCHEMAS.get,
    )
    # Registered here rather than through on_call_tool, whose type insists on the SDK's own result models.
    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call)
    return server


def check_call(envelope: Envelope) -> None:
    """A `tools/call` names a tool and gives its arguments as an object; the SDK refuses others without a reason."""
    if envelope.method != "tools/call":
        return
    if not isinstance(envelope.params.get("name"), str):
        raise JsonRpcError(INVALID_PARAMS, "'params.name' must be the name of a tool", id=envelope.id)
    if not isinstance(envelope.params.get("arguments"), Mapping | None):
        raise JsonRpcError(INVALID_PARAMS, "'params.arguments' must be an object", id=envelope.id)
