"""What was remembered last: the memories that the last message which told something made, changed or repeated."""

from __future__ import annotations

from yiku.core.memory.records import EVENT, MEMORY, event_of
from yiku.model.conditions import And, Eq
from yiku.model.memories import DecisionKind, Event, EventState
from yiku.model.records import PageQuery, Record
from yiku.model.scopes import Partition, Scope
from yiku.ports import Ports

EVENTS_READ = 5
"""Adds that told nothing (small talk) are looked past, but not for long: then nobody knows what is meant."""
_KINDS = (DecisionKind.ADD, DecisionKind.UPDATE, DecisionKind.SUPERSEDE, DecisionKind.NOOP)


async def read_latest(ports: Ports, partition: Partition, scope: Scope) -> tuple[list[Record], list[Record]]:
    """Those memories of this agent and run, and what they took the place of."""
    where = And((Eq("agent_id", scope.agent_id), Eq("run_id", scope.run_id), Eq("state", EventState.SUCCEEDED.value)))
    query = PageQuery(partitions=(partition,), kind=EVENT, where=where, limit=EVENTS_READ)
    events = (event_of(record, partition) for record in (await ports.storage.page(query)).records)
    ids = next((told for event in events if (told := _told_last(event)) is not None), [])
    latest = await ports.storage.get(partition, MEMORY, ids) if ids else []
    replaced = [memory_id for record in latest for memory_id in record.body.get("supersedes", ())]
    return latest, await ports.storage.get(partition, MEMORY, replaced) if replaced else []


def _told_last(event: Event) -> list[str] | None:
    """None when the add told nothing. What was taken back, or stored as given (`infer=false`), is not taken back."""
    told = [decision for decision in event.decisions if decision.kind in _KINDS]
    if not told:
        return None
    if not event.infer:
        return []
    message = told[-1].message_ids[:1]
    return [decision.memory_id for decision in told if decision.memory_id and decision.message_ids[:1] == message]
