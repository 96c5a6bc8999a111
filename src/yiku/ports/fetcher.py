"""The fetcher port: files that stand elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes, and the name that the source gives them (never a path)."""

    content: bytes
    name: str


class Fetcher(Protocol):
    """**Somebody else's address.** Whoever uploads names it, so it may point into our own network or never end: only
    public addresses are asked, each redirect is judged anew, and bytes and time are bounded (DESIGN §8).
    """

    def check(self, url: str) -> None:
        """Raises `InvalidInput` (field `file_url`) at once for what can never be fetched: another scheme, no host."""
        ...

    async def fetch(self, url: str) -> Fetched:
        """The file behind `url`.

        Raises `DocumentUnreadable` for what will not change (refused address, 4xx, too large), `SourceUnavailable` for
        what may (timeouts, 5xx, no connection).
        """
        ...

    async def close(self) -> None:
        """Close what is open. Calling it twice is fine."""
        ...
