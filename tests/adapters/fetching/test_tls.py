"""Whose certificate counts, and can a secure address end up at an open one?"""

from __future__ import annotations

import asyncio
import shutil
import ssl
from pathlib import Path

import pytest

from tests.adapters.fetching.asking import reason, unavailable, url_of
from tests.adapters.fetching.conftest import LOOPBACK, SMALL
from tests.adapters.fetching.wild_server import Names, WildServer, wild_server
from yiku.adapters.fetching import GuardedFetcher


class Certified:
    """A certificate for `files.example` alone: what a server needs to show it, and a client to believe it."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self.shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.shown.load_cert_chain(certificate, key)
        self.named: list[str | None] = []
        self.shown.sni_callback = lambda socket, name, context: self.named.append(name)
        self.believed = ssl.create_default_context(cafile=str(certificate))


@pytest.fixture
async def certified(tmp_path: Path) -> Certified:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: no certificate to try")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    making = await asyncio.create_subprocess_exec(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=files.example",
        "-addext", "subjectAltName=DNS:files.example", "-keyout", str(key), "-out", str(certificate),
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert await making.wait() == 0
    return Certified(certificate, key)


async def test_a_certificate_is_held_against_the_name_and_not_the_address(certified: Certified) -> None:
    names = Names(files_example=[[LOOPBACK]], other_example=[[LOOPBACK]])
    fetcher = GuardedFetcher(allowed_networks=[LOOPBACK], resolver=names, tls=certified.believed, bounds=SMALL)
    async with wild_server(tls=certified.shown) as wild:
        wild.answers("/a.pdf", b"file")
        assert (await fetcher.fetch(f"https://files.example:{wild.port}/a.pdf")).content == b"file"
        error = await unavailable(fetcher, f"https://other.example:{wild.port}/a.pdf")
        assert "certificate" in error.message
        assert (await fetcher.fetch(f"https://files.example.:{wild.port}/a.pdf")).content == b"file"
        assert certified.named == ["files.example", "other.example", "files.example"]
        assert len(wild.heads) == 2
        unbelieving = GuardedFetcher(allowed_networks=[LOOPBACK], resolver=names, bounds=SMALL)
        assert "certificate" in (await unavailable(unbelieving, f"https://files.example:{wild.port}/a.pdf")).message


async def test_https_never_falls_back_to_http(certified: Certified, wild: WildServer, names: Names) -> None:
    fetcher = GuardedFetcher(allowed_networks=[LOOPBACK], resolver=names, tls=certified.believed, bounds=SMALL)
    async with wild_server(tls=certified.shown) as secure:
        wild.answers("/b.pdf", b"plain")
        wild.redirects("/a.pdf", f"https://files.example:{secure.port}/c.pdf")
        secure.answers("/c.pdf", b"file")
        secure.redirects("/a.pdf", url_of(wild, "/b.pdf"))
        assert await reason(fetcher, f"https://files.example:{secure.port}/a.pdf") == "refused"
        assert wild.connections == 0
        assert (await fetcher.fetch(url_of(wild))).content == b"file"
