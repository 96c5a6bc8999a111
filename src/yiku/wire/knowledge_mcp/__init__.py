"""The MCP dialect of seed 004: one tool, `search_knowledge`, which searches and reads what is published."""

from yiku.wire.knowledge_mcp.routes import PATH, KnowledgeMcp

__all__ = ["PATH", "KnowledgeMcp"]
