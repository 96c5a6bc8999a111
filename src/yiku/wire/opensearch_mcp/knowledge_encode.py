"""What was found in documents, in the result shapes of the tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from yiku.core.hybrid import HybridHits
from yiku.core.knowledge.contents import Contents, NodeContent
from yiku.core.knowledge.grep_lines import GrepMatch, GrepResult, LinesRead
from yiku.core.knowledge.search import FoundDocument, FoundDocuments, FoundNode, FoundNodes
from yiku.model.errors import YikuError
from yiku.model.knowledge import Node, Span
from yiku.wire.opensearch_mcp import knowledge_results as gives
from yiku.wire.opensearch_results import SCORE_DECIMALS, search_row
from yiku.wire.refusals import ERRORS


def docs_result(found: FoundDocuments) -> gives.DocsResult:
    return {"results": [_doc_row(document) for document in found.found], **_noticed(found.notices)}


def nodes_result(found: FoundNodes) -> gives.NodesResult:
    return {
        "results": [_node_row(node) for node in found.found],
        "expand_applied": found.applied.value,
        **_noticed(found.notices),
    }


def structure_result(contents: Contents) -> gives.StructureResult:
    revision = contents.revision
    return {
        "toc": [_toc_row(section) for section in contents.sections],
        "title": revision.title,
        "total_lines": revision.lines,
        **_noticed(revision.notices),
    }


def node_content_result(asked: Sequence[str], found: Sequence[NodeContent]) -> gives.NodeContentResult:
    result: gives.NodeContentResult = {"results": [_node_content_row(content) for content in found]}
    there = {content.node.id for content in found}
    if missing := [node_id for node_id in dict.fromkeys(asked) if node_id not in there]:
        result["missing"] = missing
    return result


def grep_result(found: GrepResult) -> gives.GrepResult:
    return {
        "matches": [_match_row(match) for match in found.matches],
        "total": found.total,
        "truncated": found.is_cut,
    }


def read_result(read: LinesRead) -> gives.ReadResult:
    return {
        "content": read.content,
        "start_line": read.start_line,
        "end_line": read.end_line,
        "total_lines": read.total_lines,
        "has_more": read.has_more,
        "line_truncated": read.is_cut,
    }


def hybrid_result(question: str, hits: HybridHits) -> gives.HybridResult:
    """A source that failed found nothing, and `errors` says so."""
    memories, documents = hits.memories, hits.documents
    errors: list[gives.SourceError] = []
    notices: list[str] = []
    result: gives.HybridResult = {"query": question, "memories": [], "skills": [], "kb_docs": []}
    if isinstance(memories, YikuError):
        errors.append(_source_error("memories", memories))
    else:
        result["memories"] = [search_row(hit) for hit in memories.hits]
        notices += memories.notices
    if isinstance(documents, YikuError):
        errors.append(_source_error("kb_docs", documents))
    elif documents is not None:
        result["kb_docs"] = [_doc_row(document) for document in documents.found]
        notices += documents.notices
    if errors:
        result["errors"] = errors
    # Both sources say it when they miss the same thing.
    return {**result, **_noticed(list(dict.fromkeys(notices)))}


def _source_error(source: Literal["memories", "kb_docs"], error: YikuError) -> gives.SourceError:
    return {"source": source, "code": ERRORS[type(error)].code, "message": error.message}


def _doc_row(found: FoundDocument) -> gives.DocRow:
    return {
        "id": found.document.id,
        "title": found.document.title,
        "score": round(found.score, SCORE_DECIMALS),
        "status": found.document.state.value,
        "matched_node_ids": [found.best.node.id],
    }


def _node_row(found: FoundNode) -> gives.NodeRow:
    hit = found.hit
    return {
        "id": hit.node.id,
        "doc_id": found.document.id,
        "content": hit.content,
        "score": round(hit.score, SCORE_DECIMALS),
        "doc_title": found.document.title,
        **_node_place(hit.node),
        "matched_node_ids": list(hit.matched_ids or (hit.node.id,)),
    }


def _toc_row(section: Node) -> gives.TocRow:
    return {"title": section.title, "level": section.level, "node_id": section.id, **_place(section.span)}


def _node_content_row(found: NodeContent) -> gives.NodeContentRow:
    return {
        "id": found.node.id,
        "content": found.content,
        "doc_id": found.node.document_id,
        **_node_place(found.node),
        "truncated": found.is_cut,
    }


def _match_row(match: GrepMatch) -> gives.MatchRow:
    return {
        "line_number": match.line_number,
        "line": match.line,
        "context": list(match.context),
        "column": match.column,
        "line_truncated": match.is_cut,
    }


def _node_place(node: Node) -> gives.NodePlace:
    return {"title": node.title, "path": list(node.path), **_place(node.span)}


def _place(span: Span) -> gives.Place:
    place: gives.Place = {"lines": [span.start_line, span.end_line]}
    if span.page_start is not None and span.page_end is not None:
        place["pages"] = [span.page_start, span.page_end]
    return place


def _noticed(notices: Sequence[str]) -> gives.Noticed:
    return {"notices": list(notices)} if notices else {}
