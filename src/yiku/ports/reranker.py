"""The reranker port: how well does each text answer the question, read together with it?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Never blocks the event loop, never lasts longer than its deadline. Safe for concurrent calls; few run at once.

    Raises `RerankerUnavailable` when it cannot be reached in time or its answer cannot be used, and nothing else.
    """

    @property
    def model(self) -> str:
        """The name of the model, for people."""
        ...

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """A finite number for each text, in the order of the texts; higher is better.

        Numbers of one call can be compared with each other, and with nothing else: what they mean is up to the model.
        Long texts are cut. No texts, no call.
        """
        ...

    async def close(self) -> None:
        """Release connections. Calling it twice is fine."""
        ...
