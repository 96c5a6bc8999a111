"""The system's clock, and one that a test sets by hand."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def new_id(self, prefix: str) -> str:
        return f"{prefix}{uuid4()}"

    def new_secret(self) -> str:
        return secrets.token_urlsafe(32)


class ManualClock:
    """Stands still until told to move; its ids count upwards, so that a test can read them."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._now = start
        self._ids = 0

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)

    def now(self) -> datetime:
        return self._now

    def new_id(self, prefix: str) -> str:
        self._ids += 1
        return f"{prefix}{UUID(int=self._ids, version=4)}"

    def new_secret(self) -> str:
        self._ids += 1
        return f"secret-{self._ids:036d}"
