"""Knowledge bases and their documents in the shapes of answers."""

from __future__ import annotations

import yiku.wire.opensearch_rest.knowledge_results as gives
from yiku.core.knowledge.bases import BasePage, BaseSummary
from yiku.core.knowledge.documents import DocumentPage, WholeDocument
from yiku.model.knowledge import Document, KnowledgeBase
from yiku.model.times import format_timestamp


def document_answer(document_id: str) -> gives.DocumentAnswer:
    """Of a call that did what it was asked: what goes wrong later is told by the document."""
    return {"id": document_id, "error_message": ""}


def documents_result(page: DocumentPage) -> gives.DocumentsResult:
    return {"results": [_document_row(document) for document in page.documents], "total": page.count}


def document_result(whole: WholeDocument) -> gives.DocumentResult:
    document = whole.document
    return {
        "id": document.id,
        "title": document.title,
        "content": whole.content,
        "status": document.state.value,
        "timestamp": format_timestamp(document.created),
        **_progress(document),
        "truncated": whole.is_cut,
    }


def base_result(base: KnowledgeBase) -> gives.BaseResult:
    return {
        "id": base.id,
        "name": base.name,
        "description": base.description,
        "is_active": base.is_active,
        "created_at": format_timestamp(base.created),
        "updated_at": format_timestamp(base.updated),
    }


def bases_result(page: BasePage) -> gives.BasesResult:
    return {"results": [_base_row(summary) for summary in page.bases], "total": page.count}


def base_deleted(base_id: str, documents: int) -> gives.BaseDeleted:
    return {"id": base_id, "documents": documents}


def _document_row(document: Document) -> gives.DocumentRow:
    return {
        "id": document.id,
        "title": document.title,
        "timestamp": format_timestamp(document.created),
        "status": document.state.value,
        **_progress(document),
    }


def _progress(document: Document) -> gives.Progress:
    failure = document.failure
    progress: gives.Progress = {
        "progress": document.progress,
        "error_message": failure.message if failure else "",
    }
    if failure is not None:
        progress["reason"] = failure.code
    return progress


def _base_row(summary: BaseSummary) -> gives.BaseRow:
    return {**base_result(summary.base), "documents": summary.documents}
