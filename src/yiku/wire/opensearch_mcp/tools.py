"""All tools: one registry that HTTP, stdio, the docs and the tests read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from yiku.wire.opensearch_mcp.hybrid_tool import HYBRID_TOOL
from yiku.wire.opensearch_mcp.knowledge_tools import KNOWLEDGE_TOOLS
from yiku.wire.opensearch_mcp.memory_tools import MEMORY_TOOLS
from yiku.wire.opensearch_mcp.tool import Tool

_REGISTRY: tuple[Tool[Any], ...] = (*MEMORY_TOOLS, *KNOWLEDGE_TOOLS, HYBRID_TOOL)
"""In the order of the seed."""
TOOLS: Mapping[str, Tool[Any]] = {tool.name: tool for tool in _REGISTRY}
LISTING: dict[str, Any] = {"tools": [tool.listing() for tool in _REGISTRY]}
INPUT_SCHEMAS: Mapping[str, Any] = {tool["name"]: tool["inputSchema"] for tool in LISTING["tools"]}
