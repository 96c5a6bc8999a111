"""Decide what becomes of each new fact, given what is known. Pure.

In this release: a fact that was said before in the same words is a NOOP that names the memory; everything else is an
ADD. Texts that differ in any word, number, date or name are different facts, however close their vectors are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from yiku.model.memories import Decision, DecisionKind, Memory

METADATA_KEPT = 20
"""Different metadata kept for one fact: enough for every source it may come from, bounded for one told every day."""


class Ledger:
    """The decisions of one digest. Later facts of the digest see what was decided about earlier ones."""

    def __init__(self, known: Iterable[Memory]) -> None:
        stored = tuple(known)
        self._by_fingerprint = {memory.fingerprint: memory for memory in stored}
        self._changed: dict[str, Memory] = {}
        self.relied_on = stored
        """Stored memories that decisions rest on: they must not have changed when the digest commits."""

    @property
    def changed(self) -> tuple[Memory, ...]:
        """The memories to be written: new ones, and known ones that were repeated elsewhere."""
        return tuple(self._changed.values())

    def decide(self, memory: Memory, reason: str) -> Decision:
        """What becomes of one new fact; remembers what has to be written."""
        known = self._by_fingerprint.get(memory.fingerprint) if memory.fingerprint else None
        if known is None:
            self._write(memory)
            return _decision(DecisionKind.ADD, memory, memory, reason)
        repeated = _said_again(known, memory)
        if repeated != known:
            self._write(repeated)
        return _decision(DecisionKind.NOOP, known, memory, f"said before, in the same words: {known.id}")

    def _write(self, memory: Memory) -> None:
        self._changed[memory.id] = memory
        if memory.fingerprint:
            self._by_fingerprint[memory.fingerprint] = memory


def _decision(kind: DecisionKind, kept: Memory, heard: Memory, reason: str) -> Decision:
    return Decision(kind=kind, text=kept.text, reason=reason, memory_id=kept.id, message_ids=heard.evidence)


def _said_again(known: Memory, again: Memory) -> Memory:
    """The known memory, to be found also by the agent, run and metadata with which it was repeated."""
    told = (known.metadata, *known.repeated_metadata)
    new = again.metadata not in told and len(told) < METADATA_KEPT
    return replace(
        known,
        agent_ids=tuple(dict.fromkeys((*known.agent_ids, *again.agent_ids))),
        run_ids=tuple(dict.fromkeys((*known.run_ids, *again.run_ids))),
        metadata={**again.metadata, **known.metadata} if new else known.metadata,
        repeated_metadata=(*known.repeated_metadata, again.metadata) if new else known.repeated_metadata,
    )
