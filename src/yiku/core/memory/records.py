"""How memories, events and messages map onto records, and back: the only place that knows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from yiku.model.memories import Decision, DecisionKind, Event, EventFailure, EventState, Memory, Revision
from yiku.model.messages import Message
from yiku.model.metadata import metadata_fields
from yiku.model.records import Embedding, Record
from yiku.model.scopes import Partition, Scope, user_of

MEMORY = "memory"
EVENT = "event"
MESSAGE = "message"


def index_text(memory: Memory) -> str:
    """What search sees of a memory: its text, led by who said it where the text does not say so itself."""
    if memory.speaker and not memory.text.startswith(memory.speaker):
        return f"{memory.speaker}: {memory.text}"
    return memory.text


def memory_record(memory: Memory, embedding: Embedding | None) -> Record:
    return Record(
        kind=MEMORY,
        id=memory.id,
        unique_key=memory.fingerprint,
        created=memory.created,
        updated=memory.updated,
        text=index_text(memory),
        embedding=embedding,
        fields={
            "agent_id": memory.agent_ids,
            "run_id": memory.run_ids,
            **metadata_fields(memory.metadata, *memory.repeated_metadata),
        },
        body={
            "text": memory.text,
            "metadata": dict(memory.metadata),
            "speaker": memory.speaker,
            "evidence": list(memory.evidence),
            "anchor": _written(memory.anchor),
            "agent_ids": list(memory.agent_ids),
            "run_ids": list(memory.run_ids),
            "repeated_metadata": [dict(metadata) for metadata in memory.repeated_metadata],
            **_revisions_body(memory),
        },
    )


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
        },
    )


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
        failure=EventFailure(*body["failure"]) if body["failure"] else None,
        version=record.version,
    )


def message_record(message: Message, *, id: str, event: Event) -> Record:
    """A raw message, kept beside what was made of it; its words are not searched."""
    return Record(
        kind=MESSAGE,
        id=id,
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
    }


def _decision_of(body: dict[str, Any]) -> Decision:
    return Decision(
        kind=DecisionKind(body["kind"]),
        text=body["text"],
        reason=body["reason"],
        memory_id=body["memory_id"],
        message_ids=tuple(body["message_ids"]),
    )


def _scope(partition: Partition, agent_id: str | None, run_id: str | None) -> Scope:
    return Scope(workspace=partition.workspace, user_id=user_of(partition), agent_id=agent_id, run_id=run_id)


def _written(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _read(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
