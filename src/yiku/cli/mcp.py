"""`yiku mcp`: the MCP door over standard input and output, for clients that start their servers themselves."""

from __future__ import annotations

from dataclasses import replace

from yiku.backends import OPERATOR, open_ports, working
from yiku.core.access import KeyRing
from yiku.model.principal import Principal
from yiku.model.texts import check_identifier
from yiku.ports import Ports
from yiku.settings import Settings
from yiku.wire.opensearch_mcp import serve_stdio


async def serve_mcp(settings: Settings, api_key: str | None, user: str | None) -> int:
    """Its own process on the shared data directory, with its own worker: what is added here is digested here too."""
    async with open_ports(settings) as ports:
        configured = settings.api_key.get_secret_value() if settings.api_key else None
        principal = await _principal(ports, KeyRing(ports, configured=configured), api_key, user)
        async with working(ports, settings.retention):
            await serve_stdio(ports, principal)
    return 0


async def _principal(ports: Ports, keys: KeyRing, api_key: str | None, user: str | None) -> Principal:
    principal = await keys.principal_of(api_key) if api_key else OPERATOR
    if user is None:
        return principal
    check_identifier(user, field="--user", bytes_max=ports.limits.user_id_bytes)
    principal.require_user(user)
    return replace(principal, user_id=user)
