"""Nouns in the shapes of answers."""

from __future__ import annotations

from datetime import datetime

from yiku.core.jobs import JobSummary
from yiku.core.users import UserSummary
from yiku.core.workspaces import Workspace
from yiku.model.audit import AuditEntry
from yiku.model.keys import Key
from yiku.model.times import format_timestamp
from yiku.wire.admin.results import AuditResult, JobResult, KeyResult, UserResult, WorkspaceResult


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
