"""The admin door: keys, workspaces, users, jobs, settings and the audit log. Our own dialect."""

from __future__ import annotations

from yiku.wire.admin.encode import key_result, workspace_result
from yiku.wire.admin.office import PATH
from yiku.wire.admin.results import SettingResult
from yiku.wire.admin.routes import Admin

__all__ = ["PATH", "Admin", "SettingResult", "key_result", "workspace_result"]
