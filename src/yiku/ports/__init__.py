"""What Yiku needs from outside: Protocols whose docstrings are the contract, and the bundle that verbs receive."""

from __future__ import annotations

from dataclasses import dataclass, field

from yiku.model.errors import KnowledgeOff
from yiku.model.limits import Limits
from yiku.model.prompts import LlmUse
from yiku.ports.clock import Clock
from yiku.ports.documents import DocumentPorts
from yiku.ports.embedder import Embedder
from yiku.ports.llm import Llm
from yiku.ports.reranker import Reranker
from yiku.ports.storage import Storage

__all__ = ["Clock", "DocumentPorts", "Embedder", "Llm", "Ports", "Reranker", "Storage"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ports:
    storage: Storage
    embedder: Embedder
    clock: Clock
    llm: Llm | None = None
    """None is the default: the rules do without."""
    llm_use: LlmUse = field(default_factory=LlmUse)
    reranker: Reranker | None = None
    documents: DocumentPorts | None = None
    """None turns knowledge bases off."""
    limits: Limits = field(default_factory=Limits)

    @property
    def for_documents(self) -> DocumentPorts:
        """Raises `KnowledgeOff` where there are none."""
        if self.documents is None:
            raise KnowledgeOff
        return self.documents

    def require_documents(self) -> None:
        """For what is about documents and asks the store alone."""
        if self.documents is None:
            raise KnowledgeOff
