"""The tool that asks all sources at once."""

from __future__ import annotations

from yiku.core.hybrid import search_everything
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.opensearch_mcp.knowledge_arguments import HybridArguments
from yiku.wire.opensearch_mcp.knowledge_decode import decode_hybrid
from yiku.wire.opensearch_mcp.knowledge_encode import hybrid_result
from yiku.wire.opensearch_mcp.knowledge_results import HybridResult
from yiku.wire.opensearch_mcp.tool import Tool


async def _hybrid(ports: Ports, principal: Principal, given: HybridArguments) -> HybridResult:
    query = decode_hybrid(given, principal.workspace, ports.limits)
    return hybrid_result(given.query, await search_everything(ports, principal, query))


HYBRID_TOOL = Tool(
    name="hybrid_search",
    title="Search everything",
    description="One question to the memories of a user, to skills, and to the documents of a knowledge base if you "
    "name one; results are grouped by source. Use it when you do not know where the answer is. A source that fails "
    "has no results, and errors says why; the others answer all the same. To go deeper into documents, use "
    "kb_nodes_search.",
    # Each source asks for its own.
    permission=None,
    takes=HybridArguments,
    gives=HybridResult,
    run=_hybrid,
)
