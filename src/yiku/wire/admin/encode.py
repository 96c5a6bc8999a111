"""Nouns in the shapes of answers."""

from __future__ import annotations

from datetime import datetime

from yiku.core.jobs import JobSummary
from yiku.core.users import UserSummary
from yiku.core.workspaces import Workspace
from yiku.model.audit import AuditEntry
from yiku.model.keys import Key
from yiku.model.knowledge import Document, KnowledgeBase
from yiku.model.times import format_timestamp
from yiku.wire.admin.results import (
    AuditResult,
    BaseResult,
    DocumentResult,
    JobResult,
    KeyResult,
    UserResult,
    WorkspaceResult,
)


def key_result(key: Key, now: datetime) -> KeyResult:
    return {
        "id": key.id,
        "name": key.name,
        "workspace": key.workspace,
        "permissions": sorted(key.permissions),
        "user_id": key.user_id,
        "created_at": format_timestamp(key.created),
        "expires_at": _time(key.expires),
        "expired": key.has_expired(now),
        "last_used_at": _time(key.last_used),
    }


def workspace_result(workspace: Workspace) -> WorkspaceResult:
    return {"name": workspace.name, "created_at": _time(workspace.created)}


def user_result(user: UserSummary) -> UserResult:
    return {
        "user_id": user.user_id,
        "memories": user.memories,
        "messages": user.messages,
        "events": user.events,
        "last_add_at": _time(user.last_add),
    }


def base_result(base: KnowledgeBase) -> BaseResult:
    return {
        "id": base.id,
        "name": base.name,
        "description": base.description,
        "is_active": base.is_active,
        "created_at": format_timestamp(base.created),
        "updated_at": format_timestamp(base.updated),
    }


def document_result(document: Document) -> DocumentResult:
    failure = document.failure
    return {
        "id": document.id,
        "title": document.title,
        "source": document.source,
        "status": document.state.value,
        "progress": document.progress,
        "reason": failure.code if failure else None,
        "error_message": failure.message if failure else "",
        "created_at": format_timestamp(document.created),
        "updated_at": format_timestamp(document.updated),
    }


def job_result(job: JobSummary) -> JobResult:
    return {
        "id": job.id,
        "kind": job.kind,
        "workspace": job.workspace,
        "user_id": job.user_id,
        "base_id": job.base_id,
        "state": job.state.value,
        "attempts": job.attempts,
        "enqueued_at": format_timestamp(job.enqueued),
        "age_s": job.age_s,
        "due_at": _time(job.due),
        "error": job.error,
    }


def audit_result(entry: AuditEntry) -> AuditResult:
    return {
        "id": entry.id,
        "at": format_timestamp(entry.at),
        "key_id": entry.key_id,
        "action": entry.action,
        "workspace": entry.workspace,
        "subject": entry.subject,
        "outcome": entry.outcome,
        "request_id": entry.request_id,
        "times": entry.times,
        "left_out": entry.left_out,
    }


def _time(moment: datetime | None) -> str | None:
    return format_timestamp(moment) if moment else None
