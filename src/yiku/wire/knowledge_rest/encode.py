"""Nouns in the shapes of answers."""

from __future__ import annotations

from typing import Literal

from yiku.core.knowledge.addressed import Piece
from yiku.model.knowledge import Document, KnowledgeBase, Revision
from yiku.model.times import format_timestamp
from yiku.wire.knowledge_rest.bodies import PieceQuery
from yiku.wire.knowledge_rest.results import BaseResult, ItemResult, RevisionContentResult, RevisionResult


def base_result(base: KnowledgeBase) -> BaseResult:
    return {
        "id": base.id,
        "name": base.name,
        "description": base.description,
        "status": "active" if base.is_active else "archived",
        "created_at": format_timestamp(base.created),
        "updated_at": format_timestamp(base.updated),
    }


def item_result(document: Document) -> ItemResult:
    failure = document.failure
    return {
        "id": document.id,
        "knowledge_base_id": document.base_id,
        "title": document.title,
        "status": _status(document),
        "state": document.state.value,
        "progress": document.progress,
        "error": {"code": failure.code, "message": failure.message} if failure else None,
        "latest_revision_id": document.latest,
        "current_revision_id": document.current,
        "source": document.source,
        "created_at": format_timestamp(document.created),
        "updated_at": format_timestamp(document.updated),
    }


def revision_result(revision: Revision, current: str | None) -> RevisionResult:
    return {
        "id": revision.id,
        "knowledge_item_id": revision.document_id,
        "title": revision.title,
        "ready": revision.has_text,
        "current": revision.id == current,
        "format": revision.format,
        "source": revision.source,
        "lines": revision.lines,
        "characters": revision.characters,
        "tables": list(revision.tables),
        "notices": list(revision.notices),
        "created_at": format_timestamp(revision.created),
    }


def content_result(piece: Piece, asked: PieceQuery) -> RevisionContentResult:
    return {
        **revision_result(piece.revision, piece.document.current),
        "content": piece.content,
        "content_offset": asked.offset,
        "content_limit": asked.limit_chars,
        "content_truncated": piece.is_cut,
    }


def _status(document: Document) -> Literal["draft", "published", "archived"]:
    if document.is_archived:
        return "archived"
    return "draft" if document.current is None else "published"
