"""The MCP dialect of OpenSearch's Agentic Memory (seed 000): memories and documents over HTTP and stdio."""

from yiku.wire.opensearch_mcp.routes import PATH, OpenSearchMcp
from yiku.wire.opensearch_mcp.stdio import serve_stdio

__all__ = ["PATH", "OpenSearchMcp", "serve_stdio"]
