"""Which addresses may be asked, in whatever way they are written?"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.fetching.conftest import SMALL
from tests.adapters.fetching.wild_server import Names
from yiku.adapters.fetching import GuardedFetcher
from yiku.adapters.fetching.addresses import AddressGuard, system_resolver
from yiku.model.errors import DocumentUnreadable, InvalidInput

PUBLIC = ["8.8.8.8", "47.88.1.1", "223.5.5.5", "2001:4860:4860::8888", "2400:3200::1", "2606:4700::1111"]
NOT_PUBLIC = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",
    "169.254.169.254", "172.16.0.1", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1",
    "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "2606:4700::1111%eth0", "fec0::1",
    "ff02::1", "ff0e::1", "no address", "",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_may_be_asked(address: str) -> None:
    assert AddressGuard().permits("any.example", address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_no_other_address_may(address: str) -> None:
    assert not AddressGuard().permits("any.example", address)


@given(st.integers(0, 2**32 - 1))
def test_an_ipv4_address_inside_an_ipv6_one_is_never_a_way_round(number: int) -> None:
    for network in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/96"):
        assert not AddressGuard().permits("any.example", str(IPv6Address(int(IPv6Network(network)[0]) + number)))
    assert not AddressGuard().permits("any.example", str(IPv6Address((0x2002 << 112) + (number << 80))))


@given(st.ip_addresses(v=4, network="10.0.0.0/8") | st.ip_addresses(v=4, network="127.0.0.0/8"))
def test_only_what_lies_in_an_allowed_network_is_allowed_as_well(address: IPv4Address) -> None:
    guard = AddressGuard(["10.1.0.0/16", "fd00:1::/32"])
    assert guard.permits("any.example", str(address)) == str(address).startswith("10.1.")
    assert guard.permits("any.example", "fd00:1::5")
    assert not guard.permits("any.example", "fd00:2::5")


def test_an_allowed_host_may_have_any_address_and_no_other_host_may() -> None:
    guard = AddressGuard(["Wiki.Intranet", "内网.example"])
    assert guard.permits("wiki.intranet", "10.0.0.1")
    assert guard.permits("WIKI.intranet.", "10.0.0.1")
    assert guard.permits("内网.example".encode("idna").decode(), "10.0.0.1")
    assert not guard.permits("evil.wiki.intranet", "10.0.0.1")
    assert not guard.permits("wiki.intranet.example", "10.0.0.1")


@pytest.mark.parametrize(
    "entry", ["10.0.0.1/8", "10.0.0.0/40", "300.1.1.1", "2130706433", "", "*", "http://intranet/", "a b"]
)
def test_what_is_neither_a_network_nor_a_host_is_refused_at_the_start(entry: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        GuardedFetcher(allowed_networks=[entry])
    assert refused.value.field == "allowed_networks"


@pytest.mark.parametrize(
    "written", ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "017700000001", "[::1]", "localhost"]
)
async def test_our_own_machine_is_refused_however_it_is_written(written: str) -> None:
    fetcher = GuardedFetcher(bounds=SMALL)
    with pytest.raises(DocumentUnreadable) as refused:
        await fetcher.fetch(f"http://{written}/")
    assert refused.value.reason == "refused"


async def test_one_private_address_among_public_ones_spoils_them_all() -> None:
    names = Names(both_example=[["8.8.8.8", "127.0.0.1"]])
    with pytest.raises(DocumentUnreadable, match=r"both\.example is not a public address"):
        await GuardedFetcher(resolver=names, bounds=SMALL).fetch("http://both.example/")


async def test_the_resolver_of_the_system_gives_addresses_once_each() -> None:
    found = await system_resolver("127.0.0.1", 80)
    assert found == ["127.0.0.1"]
    with pytest.raises(socket.gaierror):
        await system_resolver("no-such-name.invalid", 80)
