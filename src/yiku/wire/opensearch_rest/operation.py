"""What is an operation: its method and path, what it takes and gives, and who may call it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from yiku.model.principal import Permission, Principal
from yiku.ports import Ports
from yiku.wire.fields import Fields

Version = Literal["v3", "v4"]
Path = Mapping[str, str]
"""The parameters that the path names."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """`path` is what follows the base. `ours` marks what the seed does not have. Answers of v3 get its envelope."""

    name: str
    title: str
    description: str
    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    permission: Permission
    gives: type
    run: Callable[[Ports, Principal, Path, Any], Awaitable[Mapping[str, Any]]]
    """The last argument is what was given: the body, or the parameters of the address, or None."""
    takes: type[Fields] | None = None
    asks: type[Fields] | None = None
    """The parameters that may stand behind the address; of an operation without a body."""
    version: Version = "v4"
    ours: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers that speak for a field of the body, with its name, where the body does not have it."""
