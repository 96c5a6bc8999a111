"""The objects port: the originals of documents, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from yiku.model.scopes import Partition

ORIGINAL, ORIGINAL_PART = "original", "original-part"
"""The kinds of records in which a store keeps originals, where it does: an export takes them along."""


class Objects(Protocol):
    """**Whole or not at all.** An original is seen once all of it is on disk (it survives kill −9 and power loss), and
    until then the one that had its id before, if any. A put that was cut off leaves nothing that is ever seen; what it
    leaves on disk goes with the next `delete` of the id, whether or not an original has it, or with `drop`.

    **Isolation.** Ids come from the caller and count within their partition; nothing of another one is seen or touched.

    **Errors.** `TooLarge`, `StorageUnavailable`, `Conflict`; never a driver's own. An original that is damaged is an
    error, never None.
    """

    async def put(self, partition: Partition, id: str, content: bytes) -> None:
        """Keep the content, durably when this returns, in place of what had this id. Putting the same again is fine.

        Of several at the same moment one is kept, whole; the others may raise `Conflict`. Raises `TooLarge` for more
        than the store accepts.
        """
        ...

    async def get(self, partition: Partition, id: str) -> bytes | None:
        """Exactly what was put, or None."""
        ...

    async def delete(self, partition: Partition, ids: Sequence[str]) -> None:
        """Nothing of these is seen any more, or kept on disk. Deleting what is not there is no error; when it is cut
        off, deleting again finishes the work."""
        ...

    async def drop(self, partition: Partition) -> None:
        """Delete every original of the partition, and nothing else that it holds."""
        ...
