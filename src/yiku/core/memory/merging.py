"""What two tellings of one memory become together. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from yiku.core.memory.history import revised
from yiku.model.memories import Memory

METADATA_KEPT = 20
"""Different metadata kept for one fact: enough for every source it may come from, bounded for one told every day."""
EVIDENCE_KEPT = 50
"""Messages that one memory rests on: the first and the latest ones, of a fact that is told or corrected every day."""


def said_again(known: Memory, again: Memory) -> Memory:
    """The known memory, which rests on this message too, and is found by the agent, run and metadata of it.

    One that an earlier version wrote learns here what is known of it beside its words.
    """
    return replace(
        known,
        **_together(known, again),
        kind=known.kind or again.kind,
        slot=known.slot or again.slot,
        when=known.when or again.when,
    )


def corrected(known: Memory, new: Memory) -> Memory:
    """The known memory with new words: its id, its beginning and its history stay, the evidence of both is joined."""
    changed = replace(
        known,
        **_together(known, new),
        text=new.text,
        speaker=new.speaker,
        updated=max(new.created, known.updated),
        kind=new.kind,
        slot=new.slot,
        when=new.when or known.when,
        fingerprint=None if known.valid_until else new.fingerprint,
    )
    return revised(known, changed)


def _together(known: Memory, again: Memory) -> Mapping[str, Any]:
    told = (known.metadata, *known.repeated_metadata)
    new = again.metadata not in told and len(told) < METADATA_KEPT
    return {
        "agent_ids": tuple(dict.fromkeys((*known.agent_ids, *again.agent_ids))),
        "run_ids": tuple(dict.fromkeys((*known.run_ids, *again.run_ids))),
        "metadata": {**again.metadata, **known.metadata} if new else known.metadata,
        "repeated_metadata": (*known.repeated_metadata, again.metadata) if new else known.repeated_metadata,
        "evidence": _evidence((*known.evidence, *again.evidence)),
        "expires": _later(known.expires, again.expires),
    }


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    """Whatever was once told for good stays for good."""
    return None if one is None or other is None else max(one, other)


def _evidence(message_ids: tuple[str, ...]) -> tuple[str, ...]:
    distinct = tuple(dict.fromkeys(message_ids))
    return distinct if len(distinct) <= EVIDENCE_KEPT else (distinct[0], *distinct[1 - EVIDENCE_KEPT :])
