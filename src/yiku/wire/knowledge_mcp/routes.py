"""The HTTP door: where it is, and whether its tool is listed."""

from __future__ import annotations

from collections.abc import Iterable

from yiku.core.access import KeyRing
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.knowledge_mcp.tools import toolbox
from yiku.wire.mcp_http import McpDoor

PATH = "/mcp"


class KnowledgeMcp(McpDoor):
    """The door as the server mounts it. `anonymous` turns keys off: everybody is that principal. A tool that is not
    `listed` can be called all the same (seed 004: hidden_but_callable)."""

    def __init__(
        self,
        ports: Ports,
        keys: KeyRing,
        *,
        allowed_hosts: Iterable[str] = (),
        anonymous: Principal | None = None,
        listed: bool = True,
    ) -> None:
        super().__init__(
            ports, keys, toolbox(listed=listed), path=PATH, allowed_hosts=allowed_hosts, anonymous=anonymous
        )
