"""The clock port: time and chance, so that tests can hold both still."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The time in UTC, with microseconds, timezone-aware."""
        ...

    def new_id(self, prefix: str) -> str:
        """A fresh identifier `<prefix><uuid4>`, for instance `m-8d0417d7-9368-4777-9016-b7ee6daeb70b`."""
        ...

    def new_secret(self) -> str:
        """256 random bits as URL-safe text."""
        ...
