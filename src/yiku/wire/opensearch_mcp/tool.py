"""What is a tool: its name and words for agents, what it takes and gives, and who may call it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from yiku.model.principal import Permission, Principal
from yiku.ports import Ports
from yiku.wire.fields import schema_of
from yiku.wire.opensearch_mcp.arguments import A
from yiku.wire.opensearch_results import schema_of_result


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool(Generic[A]):
    """`changes` and `repeatable` become the hints that clients use to decide whether to ask a person first.

    `permission` is None where the tool needs several and does what the caller may.
    """

    name: str
    title: str
    description: str
    permission: Permission | None
    takes: type[A]
    gives: type
    run: Callable[[Ports, Principal, A], Awaitable[Mapping[str, Any]]]
    changes: bool = False
    destroys: bool = False
    repeatable: bool = True

    def listing(self) -> dict[str, Any]:
        """The tool as `tools/list` shows it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema_of(self.takes),
            "outputSchema": schema_of_result(self.gives),
            "annotations": {
                "readOnlyHint": not self.changes,
                "destructiveHint": self.destroys,
                "idempotentHint": self.repeatable,
                "openWorldHint": False,
            },
        }
