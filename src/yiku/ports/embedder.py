"""The embedder port: text in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from yiku.model.records import Embedding


class Questions(Protocol):
    """Questions to documents, which may be in another language than they."""

    async def embed_question(self, text: str) -> Embedding:
        """The vector to compare with those of passages. Raises `EmbedderUnavailable`, as the embedder behind it."""
        ...


class Embedder(Protocol):
    """Never blocks the event loop. A query does not wait behind a batch of passages. Safe for concurrent calls.

    Any text that passed `check_text` is accepted; long ones are cut to what the model reads. Raises
    `EmbedderUnavailable` when the model cannot be reached in time, and only then.
    """

    @property
    def model(self) -> str:
        """The identity of the model, dimensions included: vectors of different identities are never compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    async def embed_query(self, text: str) -> Embedding:
        """The vector of a question."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> list[Embedding]:
        """The vectors of texts to be found, one for each, in order. No texts, no call."""
        ...

    async def close(self) -> None:
        """Release threads and connections. Calling it twice is fine."""
        ...
