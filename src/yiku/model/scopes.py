"""Whose data it is: workspaces, owners, partitions.

A partition is `(workspace, owner)`. An owner is one user of one memory store, written `user:store/app/tenant` with the
parts percent-encoded, so that no id, however odd, can be read as another owner. Every query names its partitions, so
there is no query that could forget to filter by tenant (DESIGN §4).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote

AGENTIC_MEMORY_STORE = "agentic_memory"
"""The store that the OpenSearch dialects speak of (DESIGN §1)."""
DEFAULT_NAME = "__default__"
"""The memory-store spelling of "none": as a value it is stored as None."""
DEFAULT_WORKSPACE = "default"
_BASE_OWNER = "kb:"


@dataclass(frozen=True, order=True, slots=True)
class Partition:
    workspace: str
    owner: str


SYSTEM_PARTITION = Partition("__system__", "system:")
"""Keys and other records of the server itself."""


@lru_cache(maxsize=1_024)
def user_partition(
    workspace: str, user_id: str, *, store: str = AGENTIC_MEMORY_STORE, app: str = DEFAULT_NAME
) -> Partition:
    """Where everything of one user lives: memories, messages, events."""
    return Partition(workspace, "user:" + "/".join(quote(part, safe="") for part in (store, app, user_id)))


@lru_cache(maxsize=1_024)
def user_of(partition: Partition) -> str:
    """The user id that `user_partition` was given."""
    return unquote(partition.owner.rsplit("/", 1)[-1])


def library_partition(workspace: str) -> Partition:
    """Where it says which knowledge bases a workspace has."""
    return Partition(workspace, "library:")


def base_partition(workspace: str, base_id: str) -> Partition:
    """Where everything of one knowledge base lives: documents, their texts, nodes and tables."""
    return Partition(workspace, _BASE_OWNER + quote(base_id, safe=""))


def is_base(partition: Partition) -> bool:
    """Whether it belongs to a knowledge base."""
    return partition.owner.startswith(_BASE_OWNER)


def base_of(partition: Partition) -> str:
    """The base id that `base_partition` was given."""
    return unquote(partition.owner.removeprefix(_BASE_OWNER))


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """One user's data; agent and run narrow it where they are given (`None` is "none given")."""

    workspace: str
    user_id: str
    agent_id: str | None = None
    run_id: str | None = None

    @property
    def partition(self) -> Partition:
        return user_partition(self.workspace, self.user_id)
