"""What Yiku needs from outside: Protocols whose docstrings are the contract, and the bundle that verbs receive."""

from __future__ import annotations

from dataclasses import dataclass, field

from yiku.model.limits import Limits
from yiku.ports.clock import Clock
from yiku.ports.embedder import Embedder
from yiku.ports.storage import Storage

__all__ = ["Clock", "Embedder", "Ports", "Storage"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ports:
    storage: Storage
    embedder: Embedder
    clock: Clock
    limits: Limits = field(default_factory=Limits)
