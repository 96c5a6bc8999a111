"""The HTTP door: where it is."""

from __future__ import annotations

from collections.abc import Iterable

from yiku.core.access import KeyRing
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.mcp_http import McpDoor
from yiku.wire.opensearch_mcp.toolbox import TOOLBOX

PATH = "/v1/agentic-memory/mcp"


class OpenSearchMcp(McpDoor):
    """The door as the server mounts it. `anonymous` turns keys off: everybody is that principal."""

    def __init__(
        self,
        ports: Ports,
        keys: KeyRing,
        *,
        allowed_hosts: Iterable[str] = (),
        anonymous: Principal | None = None,
    ) -> None:
        super().__init__(ports, keys, TOOLBOX, path=PATH, allowed_hosts=allowed_hosts, anonymous=anonymous)
