"""How memories, events and messages map onto records, and back: the only place that knows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from yiku.core.memory.once import message_key
from yiku.core.memory.validity import validity_fields
from yiku.model.facts import FactKind, Precision, Slot, When
from yiku.model.jobs import JobFailure
from yiku.model.memories import Decision, DecisionKind, Event, EventState, Memory, Revision
from yiku.model.messages import Message
from yiku.model.metadata import canonical_json, metadata_fields
from yiku.model.records import Embedding, Record, Setting
from yiku.model.scopes import Partition, Scope, user_of

MEMORY = "memory"
EVENT = "event"
MESSAGE = "message"


def index_text(memory: Memory) -> str:
    """What search sees of a memory: its text, led by who said it where the text does not say so itself."""
    if memory.speaker and not memory.text.startswith(memory.speaker):
        return f"{memory.speaker}: {memory.text}"
    return memory.text


def slot_field(key: tuple[str, str, str | None]) -> str:
    """The question that a slot answers, as a filter field."""
    return canonical_json(list(key))


def memory_record(memory: Memory, embedding: Embedding | None) -> Record:
    return Record(
        kind=MEMORY,
        id=memory.id,
        unique_key=memory.fingerprint,
        created=memory.created,
        updated=memory.updated,
        text=index_text(memory),
        embedding=embedding,
        setting=setting_of(memory),
        fields={
            "agent_id": memory.agent_ids,
            "run_id": memory.run_ids,
            **({"slot": slot_field(memory.slot.key)} if memory.slot else {}),
            **validity_fields(memory),
            **metadata_fields(memory.metadata, *memory.repeated_metadata),
        },
        expires=memory.expires,
        body={
            "text": memory.text,
            "metadata": dict(memory.metadata),
            "speaker": memory.speaker,
            "evidence": list(memory.evidence),
            "anchor": _written(memory.anchor),
            "agent_ids": list(memory.agent_ids),
            "run_ids": list(memory.run_ids),
            "repeated_metadata": [dict(metadata) for metadata in memory.repeated_metadata],
            **_fact_body(memory),
            **_revisions_body(memory),
        },
    )


def setting_of(memory: Memory) -> Setting:
    """Memories of one run are a conversation, and so are those of one agent without a run.

    Reads and exports leave it out: it stands in what the memory itself tells.
    """
    when = memory.when
    return Setting(
        thread=canonical_json([memory.scope.agent_id, memory.scope.run_id]),
        told=memory.told,
        begins=when.start if when else memory.told,
        ends=when.end if when else memory.told,
        since=memory.valid_from,
        until=memory.valid_until,
        speaker=memory.speaker,
    )


def _fact_body(memory: Memory) -> dict[str, Any]:
    """What is known beside the words; absent means none, as in all that earlier versions wrote."""
    slot, when = memory.slot, memory.when
    known = {
        "kind": memory.kind.value if memory.kind else None,
        "slot": [slot.subject, slot.attribute, slot.topic, slot.value] if slot else None,
        "when": [when.start.isoformat(), when.end.isoformat(), when.precision.value] if when else None,
        "valid_until": _written(memory.valid_until),
        "supersedes": list(memory.supersedes) or None,
        "superseded_by": memory.superseded_by,
    }
    return {name: value for name, value in known.items() if value is not None}


def _fact_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a memory that `_fact_body` wrote."""
    slot, when = body.get("slot"), body.get("when")
    return {
        "kind": FactKind(body["kind"]) if "kind" in body else None,
        "slot": Slot(subject=slot[0], attribute=slot[1], topic=slot[2], value=slot[3]) if slot else None,
        "when": When(_moment(when[0]), _moment(when[1]), Precision(when[2])) if when else None,
        "valid_until": _read(body.get("valid_until")),
        "supersedes": tuple(body.get("supersedes", ())),
        "superseded_by": body.get("superseded_by"),
    }


def _revisions_body(memory: Memory) -> dict[str, Any]:
    """Nothing for the many memories that were never corrected; so were all that version 0.1 has written."""
    if not memory.revisions:
        return {}
    revisions = [[item.text, dict(item.metadata), item.replaced.isoformat()] for item in memory.revisions]
    return {"revisions": revisions, "revisions_dropped": memory.revisions_dropped}


def memory_of(record: Record, partition: Partition) -> Memory:
    body = record.body
    agent_ids, run_ids = tuple(body["agent_ids"]), tuple(body["run_ids"])
    return Memory(
        id=record.id,
        scope=_scope(partition, agent_ids[0] if agent_ids else None, run_ids[0] if run_ids else None),
        text=body["text"],
        created=record.created,
        updated=record.updated,
        metadata=body["metadata"],
        speaker=body["speaker"],
        evidence=tuple(body["evidence"]),
        anchor=_read(body["anchor"]),
        agent_ids=agent_ids,
        run_ids=run_ids,
        repeated_metadata=tuple(body["repeated_metadata"]),
        **_fact_of(body),
        expires=record.expires,
        revisions=tuple(
            Revision(text=text, metadata=metadata, replaced=datetime.fromisoformat(replaced))
            for text, metadata, replaced in body.get("revisions", ())
        ),
        revisions_dropped=body.get("revisions_dropped", 0),
        fingerprint=record.unique_key,
        version=record.version,
    )


def event_record(event: Event) -> Record:
    return Record(
        kind=EVENT,
        id=event.id,
        # An add that failed may be sent again.
        unique_key=None if event.state is EventState.FAILED else event.key,
        created=event.created,
        updated=event.updated,
        fields={"agent_id": event.scope.agent_id, "run_id": event.scope.run_id, "state": event.state.value},
        body={
            "agent_id": event.scope.agent_id,
            "run_id": event.scope.run_id,
            "state": event.state.value,
            "message_ids": list(event.message_ids),
            "infer": event.infer,
            "metadata": dict(event.metadata),
            "anchor": _written(event.anchor),
            "decisions": [_decision_body(decision) for decision in event.decisions],
            "failure": [event.failure.code, event.failure.message] if event.failure else None,
            **_later_body(event),
        },
    )


def _later_body(event: Event) -> dict[str, Any]:
    """What events of earlier versions lack; absent means none."""
    held = {
        "repeats": list(event.repeats) or None,
        "expires": _written(event.expires),
        "key": event.key,
        "content": event.content,
        "by_model": event.by_model or None,
    }
    return {name: value for name, value in held.items() if value is not None}


def event_of(record: Record, partition: Partition) -> Event:
    body = record.body
    return Event(
        id=record.id,
        scope=_scope(partition, body["agent_id"], body["run_id"]),
        state=EventState(body["state"]),
        created=record.created,
        updated=record.updated,
        message_ids=tuple(body["message_ids"]),
        infer=body["infer"],
        metadata=body["metadata"],
        anchor=_read(body["anchor"]),
        decisions=tuple(_decision_of(item) for item in body["decisions"]),
        failure=JobFailure(*body["failure"]) if body["failure"] else None,
        repeats=tuple(body.get("repeats", ())),
        expires=_read(body.get("expires")),
        key=body.get("key"),
        content=body.get("content"),
        by_model=body.get("by_model", False),
        version=record.version,
    )


def message_record(message: Message, *, id: str, event: Event) -> Record:
    """A raw message, kept beside what was made of it; its words are not searched."""
    return Record(
        kind=MESSAGE,
        id=id,
        unique_key=message_key(message, event.scope) if event.infer else None,
        created=event.created,
        updated=event.created,
        fields={"agent_id": event.scope.agent_id, "run_id": event.scope.run_id},
        body={"role": message.role, "name": message.name, "content": message.content},
    )


def message_of(record: Record) -> Message:
    return Message(role=record.body["role"], name=record.body["name"], content=record.body["content"])


def _decision_body(decision: Decision) -> dict[str, Any]:
    return {
        "kind": decision.kind.value,
        "text": decision.text,
        "reason": decision.reason,
        "memory_id": decision.memory_id,
        "message_ids": list(decision.message_ids),
        **({"old_id": decision.old_id, "old_text": decision.old_text} if decision.old_id else {}),
    }


def _decision_of(body: dict[str, Any]) -> Decision:
    return Decision(
        kind=DecisionKind(body["kind"]),
        text=body["text"],
        reason=body["reason"],
        memory_id=body["memory_id"],
        message_ids=tuple(body["message_ids"]),
        old_id=body.get("old_id"),
        old_text=body.get("old_text"),
    )


def _scope(partition: Partition, agent_id: str | None, run_id: str | None) -> Scope:
    return Scope(workspace=partition.workspace, user_id=user_of(partition), agent_id=agent_id, run_id=run_id)


def _written(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _read(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
