"""The values that one slot has had, in the order in which they held. Pure.

What holds later in time wins, whatever the order of arrival: a value that is told late takes its place between those
that are known already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from yiku.model.memories import Memory


@dataclass(frozen=True, slots=True)
class Place:
    """Where a new value stands: what holds when it begins (several may tell one value), and what begins after it."""

    before: tuple[Memory, ...]
    after: tuple[Memory, ...]


def in_time(memory: Memory) -> tuple[datetime, datetime, str]:
    """What begins later comes later; of those that begin together, the one that was told later."""
    return (memory.valid_from, memory.created, memory.id)


def place_of(moment: datetime, values: Iterable[Memory]) -> Place:
    ordered = sorted(values, key=in_time)
    return Place(
        before=tuple(memory for memory in ordered if memory.holds_at(moment)),
        after=tuple(memory for memory in ordered if memory.valid_from > moment),
    )


def ended(memory: Memory, moment: datetime, *, by: str | None, now: datetime) -> Memory:
    """The memory, holding until `moment` only. Its words are free to be told again as something new."""
    until = moment if memory.valid_until is None else min(memory.valid_until, moment)
    return replace(
        memory,
        valid_until=max(until, memory.valid_from),
        superseded_by=by,
        updated=max(now, memory.updated),
        fingerprint=None,
    )


def inserted(new: Memory, place: Place, *, now: datetime) -> tuple[Memory, list[Memory]]:
    """The new value between its neighbours, and the neighbours as they are from now on."""
    changed = [ended(memory, new.valid_from, by=new.id, now=now) for memory in place.before]
    placed = replace(new, supersedes=tuple(memory.id for memory in place.before))
    if place.after:
        after = place.after[0]
        placed = replace(placed, valid_until=after.valid_from, superseded_by=after.id, fingerprint=None)
        others = tuple(known for known in after.supersedes if known not in placed.supersedes)
        changed.append(replace(after, supersedes=(*others, new.id), updated=max(now, after.updated)))
    return placed, changed
