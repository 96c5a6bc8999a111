"""One line of the audit log: who did what, where, to whom, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

BEGUN = "begun"
DONE = "done"
BROKEN_OFF = "broken off"
REFUSED = "refused"


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditEntry:
    """`outcome` is `done`, `refused`, `failed: <code>`, `broken off` (the caller went away, or an error that nobody
    foresaw), or `begun` when nobody knows: the server died in between, or could not reach its store any more.

    Refusals of one kind are gathered: `times` says how many one entry stands for. `left_out` counts the refusals
    before this entry that were too many to be written.
    """

    id: str
    at: datetime
    key_id: str
    action: str
    workspace: str
    subject: str = ""
    outcome: str = DONE
    request_id: str | None = None
    times: int = 1
    left_out: int = 0
