"""The HTTP door: where it is, and what its operations work with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from yiku.core.access import KeyRing
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.admin.office import PATH, Office
from yiku.wire.admin.openapi import document_bytes
from yiku.wire.admin.operations import OPERATIONS
from yiku.wire.admin.results import SettingResult
from yiku.wire.rest_door import RestDoor


class Admin(RestDoor[Office]):
    """The door as the server mounts it. `anonymous` turns keys off: everybody is that principal."""

    def __init__(
        self,
        ports: Ports,
        keys: KeyRing,
        *,
        settings: Sequence[SettingResult] = (),
        allowed_hosts: Iterable[str] = (),
        anonymous: Principal | None = None,
    ) -> None:
        office = Office(ports, keys, settings)
        super().__init__(
            ports,
            keys,
            path=PATH,
            operations=OPERATIONS,
            works_with=lambda: office,
            document=document_bytes,
            allowed_hosts=allowed_hosts,
            anonymous=anonymous,
        )
