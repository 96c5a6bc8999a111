"""How much of somebody else's bytes and of our time may one file take?"""

from __future__ import annotations

from dataclasses import dataclass

from yiku.model.errors import DocumentUnreadable


@dataclass(frozen=True, kw_only=True, slots=True)
class FetchBounds:
    bytes_max: int = 100 * 1024 * 1024
    """Of one file, as it comes and unpacked."""
    connect_s: float = 10.0
    """For finding the address of a server, and for each address that is tried."""
    silence_s: float = 20.0
    """Between two pieces of an answer."""
    total_s: float = 60.0
    """For the whole file, redirects included: against servers that send a byte now and then."""
    redirects_max: int = 5

    def too_large(self) -> DocumentUnreadable:
        return DocumentUnreadable(
            f"The file is larger than {self.bytes_max} bytes, the most that is fetched: split it.", reason="too_large"
        )
