"""`yiku serve`: open the store, make the first key, listen."""

from __future__ import annotations

import asyncio
import os
import signal
import socket

import uvicorn

from yiku.core.access import CONFIGURED_KEY, create_admin_key, forget_key, has_keys, store_admin_key
from yiku.model.errors import InvalidInput
from yiku.ports import Ports
from yiku.server import open_app, open_ports
from yiku.settings import Settings

BACKLOG = 2048


async def serve(settings: Settings) -> int:
    listener = _listen(settings)
    _outlive_signals()
    async with open_ports(settings) as ports:
        new_key = await _prepare_keys(ports, settings)
        async with open_app(settings, ports) as app:
            config = uvicorn.Config(
                app,
                lifespan="off",  # Start and stop are the `async with` blocks above.
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=int(settings.limits.shutdown_deadline_s),
            )
            host, port = listener.getsockname()[:2]
            print(_greeting(host, port, settings, new_key), flush=True)
            await uvicorn.Server(config).serve(sockets=[listener])
    return 0


def _outlive_signals() -> None:
    """uvicorn stops on a signal and then sends it once more; the second must not kill us before we have closed up."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: None)


def _listen(settings: Settings) -> socket.socket:
    """Bind before anything else is opened: a port in use is the commonest mistake and should cost no time."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise InvalidInput(
            f"Cannot listen on {settings.host}:{settings.port} ({os.strerror(error.errno or 0)}): choose another with"
            " YIKU_HOST and YIKU_PORT"
        ) from error
    listener.listen(BACKLOG)
    return listener


async def _prepare_keys(ports: Ports, settings: Settings) -> str | None:
    """Accept the configured key exactly while it is configured; make a first one when there is none at all."""
    if settings.api_key is not None:
        await store_admin_key(ports, CONFIGURED_KEY, settings.api_key.get_secret_value())
        return None
    await forget_key(ports, CONFIGURED_KEY)
    if settings.auth == "off" or await has_keys(ports):
        return None
    return await create_admin_key(ports)


def _greeting(host: str, port: int, settings: Settings, new_key: str | None) -> str:
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    endpoint = f"{address}/v1/agentic-memory/mcp"
    lines = [f"Yiku is listening on {address}", f"  MCP endpoint: {endpoint}", f"  data: {settings.data_dir.resolve()}"]
    if settings.auth == "off":
        lines.append("  authentication is OFF: everybody on this machine is admin")
    elif new_key:
        lines.append(f"  first API key (admin, shown this once): {new_key}")
    key = new_key or ("any" if settings.auth == "off" else "$YIKU_API_KEY")
    body = (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_add",'
        '"arguments":{"messages":"我喜欢喝咖啡","user_id":"me"}}}'
    )
    lines += [
        "  try it:",
        f"    curl {endpoint} -H 'Content-Type: application/json' -H 'Accept: application/json' \\",
        f'      -H "Authorization: Bearer {key}" \\',
        f"      -d '{body}'",
    ]
    return "\n".join(lines)
