"""What a memory said before it was corrected.

The history lives in the memory itself: a correction and the words it replaces are one record, written or deleted
together, exported and restored together. So it must stay small.
"""

from __future__ import annotations

from dataclasses import replace

from yiku.model.memories import Memory, Revision
from yiku.model.metadata import canonical_json

REVISIONS_KEPT = 20
"""More than anybody corrects by hand; an agent that rewrites a memory every day shall not make it grow for ever."""
REVISIONS_BYTES = 64 * 1024
"""Searches read the whole record: with its history it is at most about twice as large as without."""


def revised(before: Memory, after: Memory) -> Memory:
    """`after`, remembering what `before` said if that differs."""
    if (before.text, before.metadata) == (after.text, after.metadata):
        return after
    told = (*before.revisions, Revision(text=before.text, metadata=before.metadata, replaced=after.updated))
    kept = told[-REVISIONS_KEPT:]
    while kept and sum(_size(revision) for revision in kept) > REVISIONS_BYTES:
        kept = kept[1:]
    dropped = before.revisions_dropped + len(told) - len(kept)
    return replace(after, revisions=kept, revisions_dropped=dropped)


def _size(revision: Revision) -> int:
    return len(revision.text.encode()) + len(canonical_json(revision.metadata).encode())
