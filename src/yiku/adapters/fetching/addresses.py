"""Which addresses of the network may be asked on behalf of whoever names a URL?

Only those that everybody can reach anyway. Python's own `is_global` is not enough: it holds 127.0.0.1 written as an
IPv6 address (mapped, NAT64, 6to4) to be global, and multicast too.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import httpx

from yiku.model.errors import DocumentUnreadable, InvalidInput, SourceUnavailable

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host, for a port; raises `OSError` where there are none."""

_UNICAST = IPv6Network("2000::/3")
"""All of IPv6 that is given out. Mapped, compatible, NAT64, local and multicast addresses lie outside."""
_NOT_FOR_EVERYBODY = tuple(
    ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # relays of 6to4
        "2001::/23",  # Teredo and others that carry addresses inside
        "2002::/16",  # 6to4: an IPv4 address inside, any
        "3fff::/20",  # examples in documents
    )
)
_HOST = re.compile(r"(?!\.)[a-z0-9._-]+")


class AddressGuard:
    """`allowed` are networks (`10.1.0.0/16`), addresses and names of hosts that may be asked though they are not
    public: an operator's own intranet. A name stands for whatever addresses it has."""

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        self._networks = tuple(_network(entry) for entry in allowed if _is_network(entry))
        self._hosts = frozenset(_host(entry) for entry in allowed if not _is_network(entry))

    def permits(self, host: str, address: str) -> bool:
        """Whether `host` may be asked at this address, which is one of its own."""
        try:
            found = ip_address(address)
        except ValueError:
            return False
        if host.lower().rstrip(".") in self._hosts or any(found in network for network in self._networks):
            return True
        return _is_public(found)

    def permits_name(self, host: str) -> bool:
        """False for a host that is written as an address which may not be asked; other names have to be looked up."""
        try:
            ip_address(host)
        except ValueError:
            return True
        return self.permits(host, host)

    async def addresses_of(self, host: str, port: int, resolver: Resolver) -> Sequence[str]:
        """The addresses at which `host` is asked, looked up once: whoever connects must use these and no others.

        One that is not permitted spoils them all: a host that has both kinds is up to something.
        """
        try:
            found = await resolver(host, port)
        except UnicodeError as error:
            raise DocumentUnreadable(f"{host} is no name of a host: check the address.", reason="refused") from error
        except OSError as error:
            raise SourceUnavailable(f"The address of {host} cannot be found: check its name.") from error
        if not found:
            raise SourceUnavailable(f"The address of {host} cannot be found: check its name.")
        if not all(self.permits(host, address) for address in found):
            raise DocumentUnreadable(refusal(host), reason="refused")
        return found


def refusal(host: str) -> str:
    return (
        f"{host} is not a public address: files are fetched from public addresses only, and from those that the"
        " operator of this server has allowed."
    )


async def system_resolver(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and (address.scope_id or address not in _UNICAST):
        return False
    if address.is_multicast or not address.is_global:
        return False
    return not any(address in network for network in _NOT_FOR_EVERYBODY)


def _is_network(entry: str) -> bool:
    return "/" in entry or ":" in entry or entry.replace(".", "").isdigit()


def _network(entry: str) -> Network:
    try:
        return ip_network(entry)
    except ValueError as error:
        raise InvalidInput(f"'{entry}' is no network: {error}", field="allowed_networks") from error


def _host(entry: str) -> str:
    """As it stands in a request: names in other scripts are encoded."""
    wrong = f"'{entry}' is neither a network such as 10.1.0.0/16 nor the name of a host."
    try:
        host = httpx.URL(scheme="http", host=entry).raw_host.decode("ascii").lower().rstrip(".")
    except httpx.InvalidURL as error:
        raise InvalidInput(wrong, field="allowed_networks") from error
    if not _HOST.fullmatch(host):
        raise InvalidInput(wrong, field="allowed_networks")
    return host
