"""`yiku serve`: open the store, make the first key, listen."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import ssl

import uvicorn

from yiku.backends import open_ports
from yiku.cli.http_protocol import protocol_with_deadline
from yiku.core.access import create_admin_key, has_admin_key
from yiku.model.errors import InvalidInput
from yiku.ports import Ports
from yiku.server import open_app
from yiku.settings import Settings
from yiku.wire.opensearch_mcp import PATH as MCP_PATH

BACKLOG = 2048


async def serve(settings: Settings) -> int:
    _check_certificate(settings)
    listener = _listen(settings)
    async with open_ports(settings) as ports:
        new_key = await _first_key(ports, settings)
        async with open_app(settings, ports) as app:
            config = uvicorn.Config(
                app,
                lifespan="off",  # Start and stop are the `async with` blocks above.
                http=protocol_with_deadline(settings.limits.body_deadline_s),
                log_config=None,
                access_log=False,
                server_header=False,
                forwarded_allow_ips=list(settings.trusted_proxies),
                ssl_certfile=settings.tls_certificate,
                ssl_keyfile=settings.tls_key,
                timeout_graceful_shutdown=int(settings.limits.shutdown_deadline_s),
            )
            host, port = listener.getsockname()[:2]
            print(_greeting(host, port, settings, new_key), flush=True)
            _outlive_signals()
            # What start-up has made stays for good; looking through it again and again would cost searches 3 ms at p95.
            gc.freeze()
            await uvicorn.Server(config).serve(sockets=[listener])
    return 0


def _outlive_signals() -> None:
    """uvicorn stops on a signal and then sends it once more; the second must not kill us before we have closed up."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: None)


def _check_certificate(settings: Settings) -> None:
    """Before a key is printed that nobody could use."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(settings.tls_certificate, settings.tls_key)
    except OSError as error:  # Errors of TLS are of that kind too.
        raise InvalidInput(
            f"The certificate {settings.tls_certificate} and its key {settings.tls_key} cannot be used: {error}",
            field="tls_certificate",
        ) from error


def _listen(settings: Settings) -> socket.socket:
    """Bind before anything else is opened: a port in use is the commonest mistake and should cost no time."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        reason = "no such host" if isinstance(error, socket.gaierror) else error.strerror
        raise InvalidInput(
            f"Cannot listen on {settings.host}:{settings.port} ({reason}): choose another with YIKU_HOST and YIKU_PORT"
        ) from error
    listener.listen(BACKLOG)
    return listener


async def _first_key(ports: Ports, settings: Settings) -> str | None:
    """Made when nobody could get in otherwise."""
    if settings.api_key is not None or settings.auth == "off" or await has_admin_key(ports):
        return None
    return await create_admin_key(ports)


def _greeting(host: str, port: int, settings: Settings, new_key: str | None) -> str:
    scheme = "http" if settings.tls_certificate is None else "https"
    address = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    endpoint = f"{address}{MCP_PATH}"
    lines = [f"Yiku is listening on {address}", f"  MCP endpoint: {endpoint}", f"  data: {settings.place}"]
    if settings.auth == "off":
        lines.append("  authentication is OFF: everybody on this machine is admin")
    elif new_key:
        lines.append(f"  first API key (admin, shown this once): {new_key}")
    elif settings.api_key:
        lines.append("  API key: the one in YIKU_API_KEY, and those made before")
    else:
        lines.append("  API key: one made before (if it is lost, start with a YIKU_API_KEY of your own)")
    key = new_key or ("any" if settings.auth == "off" else "<your API key>")
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
