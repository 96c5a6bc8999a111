"""Calls of tools, and the MCP SDK's server around them, for every door that speaks MCP.

The low-level `Server` does the protocol (both eras, negotiation, discovery); the results are ours, so that they are the
same wherever they are made.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
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
from yiku.wire.jsonrpc import INVALID_PARAMS, Envelope, JsonRpcError

log = structlog.get_logger()

TOOLS_FRESH_MS = 5 * 60 * 1000
"""The tools change with an upgrade only, and are the same for every key."""

COMPLETE = {"resultType": "complete"}
"""What 2026-07-28 wants in every result; the SDK leaves it out for older clients."""

ToolResult = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Toolbox:
    """The tools of one door, and how it shows their errors.

    `run` makes the result of one call from its name and arguments, or raises a `YikuError`; a tool that there is not is
    a `JsonRpcError`. `failure` shows the one, `unexpected` what nobody foresaw, of which only the request id is told.
    """

    instructions: str
    listing: dict[str, Any]
    input_schemas: Mapping[str, Any]
    run: Callable[[Ports, Principal, str, Mapping[str, Any]], Awaitable[ToolResult]]
    failure: Callable[[YikuError], ToolResult]
    unexpected: Callable[[str], ToolResult]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and under which request id."""

    principal: Principal
    request_id: str


CALLER: ContextVar[Caller] = ContextVar("caller")
"""Who is behind the message being served: the SDK hands contexts on to its handlers, but no argument of ours."""


async def call_tool(ports: Ports, tools: Toolbox, caller: Caller, name: str, given: Mapping[str, Any]) -> ToolResult:
    """The result of one call, errors of the tool included. An unknown tool is a `JsonRpcError`."""
    try:
        return await tools.run(ports, caller.principal, name, given)
    except YikuError as error:
        return tools.failure(error)
    except JsonRpcError:
        raise
    except Exception:
        log.exception("tool_failed", tool=name, request_id=caller.request_id)
        return tools.unexpected(caller.request_id)


def build_server(ports: Ports, tools: Toolbox) -> Server[Any]:
    """A server over `ports`; whoever feeds it messages sets `CALLER` first."""

    async def list_tools(context: ServerRequestContext[Any], params: PaginatedRequestParams) -> dict[str, Any]:
        return COMPLETE | tools.listing

    async def call(context: ServerRequestContext[Any], params: CallToolRequestParams) -> dict[str, Any]:
        try:
            return COMPLETE | await call_tool(ports, tools, CALLER.get(), params.name, params.arguments or {})
        except JsonRpcError as error:
            raise MCPError(code=error.code, message=error.message) from error

    server: Server[Any] = Server(
        "yiku",
        version=__version__,
        title="Yiku 忆库",
        instructions=tools.instructions,
        cache_hints={"tools/list": CacheHint(ttl_ms=TOOLS_FRESH_MS, scope="public")},
        # Asked on every call of the newest protocol: computing a schema there would cost more than the call.
        get_tool_input_schema=tools.input_schemas.get,
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
