"""The HTTP door: where it is, and when it is closed."""

from __future__ import annotations

from collections.abc import Iterable

from yiku.core.access import KeyRing
from yiku.model.errors import KnowledgeOff
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.knowledge_rest.openapi import document_bytes
from yiku.wire.knowledge_rest.operations import OPERATIONS, PATH
from yiku.wire.rest_door import RestDoor


class KnowledgeRest(RestDoor[Ports]):
    """The door as the server mounts it. `anonymous` turns keys off: everybody is that principal."""

    def __init__(
        self, ports: Ports, keys: KeyRing, *, allowed_hosts: Iterable[str] = (), anonymous: Principal | None = None
    ) -> None:
        def ports_with_documents() -> Ports:
            if ports.documents is None:
                raise KnowledgeOff
            return ports

        super().__init__(
            ports,
            keys,
            path=PATH,
            operations=OPERATIONS,
            works_with=ports_with_documents,
            document=document_bytes,
            spellings={"kb_id": "base_id", "doc_id": "item_id", "file": "content"},
            allowed_hosts=allowed_hosts,
            anonymous=anonymous,
        )
