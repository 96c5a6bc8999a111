"""What do operations of the admin's door work with, and in which workspace?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import yiku.wire.admin.results as gives
from yiku.core.access import KeyRing, in_workspace
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.rest_operations import Asked

PATH = "/admin/v1"


@dataclass(frozen=True, slots=True)
class Office:
    """`settings` are those in force, secrets masked."""

    ports: Ports
    keys: KeyRing
    settings: Sequence[gives.SettingResult]


async def placed(office: Office, asked: Asked) -> Principal:
    """The principal in the workspace that the query names."""
    workspace = asked.query.workspace
    return asked.principal if workspace is None else await in_workspace(office.ports, asked.principal, workspace)
