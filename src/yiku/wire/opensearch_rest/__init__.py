"""The REST dialect of OpenSearch's Agentic Memory (seed 003): memory under V4, documents and health under V3."""

from yiku.wire.opensearch_rest.routes import DOCUMENT_PATH, PREFIXES, OpenSearchRest

__all__ = ["DOCUMENT_PATH", "PREFIXES", "OpenSearchRest"]
