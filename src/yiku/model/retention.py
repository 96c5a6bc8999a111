"""How long what was said is kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Retention:
    """Days; 0 is for ever. Memories stay when the messages they rest on go."""

    message_days: int = 0
    event_days: int = 0

    @property
    def is_for_ever(self) -> bool:
        return not self.message_days and not self.event_days


FOR_EVER = Retention()
