"""The tools for the documents of knowledge bases."""

from __future__ import annotations

from typing import Any

import yiku.wire.opensearch_mcp.knowledge_arguments as takes
import yiku.wire.opensearch_mcp.knowledge_decode as decode
import yiku.wire.opensearch_mcp.knowledge_encode as encode
import yiku.wire.opensearch_mcp.knowledge_results as gives
from yiku.core.knowledge.contents import document_contents, node_contents
from yiku.core.knowledge.reading import grep_document, read_document_lines
from yiku.core.knowledge.search import search_documents, search_nodes
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.opensearch_mcp.tool import Tool


async def _docs(ports: Ports, principal: Principal, given: takes.DocsArguments) -> gives.DocsResult:
    base_id = decode.decode_base_id(given.kb_id, ports.limits)
    question = decode.decode_question(given.query, ports.limits)
    return encode.docs_result(await search_documents(ports, principal, base_id, question, top_k=given.topk))


async def _nodes(ports: Ports, principal: Principal, given: takes.NodesArguments) -> gives.NodesResult:
    base_id = decode.decode_base_id(given.kb_id, ports.limits)
    query = decode.decode_nodes_search(given, ports.limits)
    return encode.nodes_result(await search_nodes(ports, principal, base_id, query))


async def _structure(ports: Ports, principal: Principal, given: takes.StructureArguments) -> gives.StructureResult:
    base_id, document_id = _document(given, ports)
    return encode.structure_result(await document_contents(ports, principal, base_id, document_id))


async def _node(ports: Ports, principal: Principal, given: takes.NodeArguments) -> gives.NodeContentResult:
    base_id = decode.decode_base_id(given.kb_id, ports.limits)
    node_ids = decode.decode_node_ids(given.node_ids, ports.limits)
    return encode.node_content_result(node_ids, await node_contents(ports, principal, base_id, node_ids))


async def _grep(ports: Ports, principal: Principal, given: takes.GrepArguments) -> gives.GrepResult:
    base_id, document_id = _document(given, ports)
    query = decode.decode_grep(given, ports.limits)
    return encode.grep_result(await grep_document(ports, principal, base_id, document_id, query))


async def _read(ports: Ports, principal: Principal, given: takes.ReadArguments) -> gives.ReadResult:
    base_id, document_id = _document(given, ports)
    return encode.read_result(
        await read_document_lines(ports, principal, base_id, document_id, offset=given.offset, limit=given.limit)
    )


def _document(
    given: takes.StructureArguments | takes.GrepArguments | takes.ReadArguments, ports: Ports
) -> tuple[str, str]:
    """The ids of a base and of a document in it."""
    base_id = decode.decode_base_id(given.kb_id, ports.limits)
    return base_id, decode.decode_document_id(given.doc_id, ports.limits)


KNOWLEDGE_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="kb_docs_search",
        title="Find documents",
        description="Which documents of a knowledge base bear on a question, best first. Use it to choose a document; "
        "then kb_doc_structure_get shows what is in it, and kb_doc_grep and kb_doc_read its text. When you want the "
        "passages that answer, in whatever document, use kb_nodes_search.",
        permission="knowledge:read",
        takes=takes.DocsArguments,
        gives=gives.DocsResult,
        run=_docs,
    ),
    Tool(
        name="kb_nodes_search",
        title="Find passages",
        description="The passages of a knowledge base that best answer a question, by meaning and by words, with "
        "where they stand: document, headings, lines, pages. Use it first for any question that documents may answer. "
        "With expand you get the sections around them; to read on, give their lines to kb_doc_read.",
        permission="knowledge:read",
        takes=takes.NodesArguments,
        gives=gives.NodesResult,
        run=_nodes,
    ),
    Tool(
        name="kb_doc_structure_get",
        title="See a table of contents",
        description="The headings of a document in their order, each with its level, node_id and lines. Use it to find "
        "the right chapter of a long document; then read it with kb_node_content_get (by node_id) or kb_doc_read (by "
        "lines). An empty toc means that the document has no headings.",
        permission="knowledge:read",
        takes=takes.StructureArguments,
        gives=gives.StructureResult,
        run=_structure,
    ),
    Tool(
        name="kb_node_content_get",
        title="Read nodes",
        description="What nodes say: sections of kb_doc_structure_get, with all that stands below them, or passages "
        "of kb_nodes_search. Ids that are not there are listed as missing. A long section is cut, and says so: read "
        "the rest with kb_doc_read.",
        permission="knowledge:read",
        takes=takes.NodeArguments,
        gives=gives.NodeContentResult,
        run=_node,
    ),
    Tool(
        name="kb_doc_grep",
        title="Search the text of a document",
        description="The lines of a document that match a regular expression or a literal text. Use it for exact "
        "words, numbers, names and codes; for questions use kb_nodes_search. line_number leads on to kb_doc_read.",
        permission="knowledge:read",
        takes=takes.GrepArguments,
        gives=gives.GrepResult,
        run=_grep,
    ),
    Tool(
        name="kb_doc_read",
        title="Read lines of a document",
        description="The text of a document, line by line from offset on. While has_more is true, the next lines begin "
        "at end_line + 1. Use it after kb_doc_grep, kb_nodes_search or kb_doc_structure_get told you the lines.",
        permission="knowledge:read",
        takes=takes.ReadArguments,
        gives=gives.ReadResult,
        run=_read,
    ),
)
