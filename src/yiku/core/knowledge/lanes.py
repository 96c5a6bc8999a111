"""What happens to one document happens in one lane: one thing at a time, in the order in which it was asked for."""

from __future__ import annotations

from yiku.model.scopes import Partition


def document_lane(partition: Partition, document_id: str) -> str:
    return f"document:{partition.workspace}:{partition.owner}:{document_id}"
