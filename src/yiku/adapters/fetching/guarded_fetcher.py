"""Which kind of address is it, and who fetches from there?"""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from pathlib import Path

import httpx

from yiku.adapters.fetching.addresses import AddressGuard, Resolver, system_resolver
from yiku.adapters.fetching.bounds import FetchBounds
from yiku.adapters.fetching.file_urls import AllowedFolder
from yiku.adapters.fetching.urls import (
    OBJECT_SCHEMES,
    WEB_SCHEMES,
    checked_template,
    object_url,
    refused,
    scheme_of,
    web_url,
)
from yiku.adapters.fetching.web import Web
from yiku.model.errors import DocumentUnreadable, InvalidInput, SourceUnavailable
from yiku.ports.fetcher import Fetched

_DEFAULT_BOUNDS = FetchBounds()


class GuardedFetcher:
    """`allowed_networks` are networks and hosts that may be asked though they are not public, `allowed_folder` is the
    only one from which `file://` addresses are read, and `object_store_url` says where `oss://bucket/key` and
    `s3://bucket/key` are asked for. Without them nothing of the kind is. `tls` says whose certificates are believed.
    """

    def __init__(
        self,
        *,
        allowed_networks: Sequence[str] = (),
        allowed_folder: Path | None = None,
        object_store_url: str | None = None,
        bounds: FetchBounds = _DEFAULT_BOUNDS,
        resolver: Resolver = system_resolver,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._web = Web(AddressGuard(allowed_networks), resolver, tls or httpx.create_ssl_context(), bounds)
        self._folder = AllowedFolder(allowed_folder, bounds)
        self._template = checked_template(object_store_url)
        self._closed = False

    def check(self, url: str) -> None:
        if scheme_of(url) == "file":
            self._folder.check(url)
        else:
            self._web.check(self._web_url(url))

    async def fetch(self, url: str) -> Fetched:
        if self._closed:
            raise SourceUnavailable("No files are fetched any more: the server is stopping.")
        try:
            self.check(url)
        except InvalidInput as error:
            raise DocumentUnreadable(error.message, reason="refused") from error
        if scheme_of(url) == "file":
            return await self._folder.fetch(url)
        return await self._web.fetch(self._web_url(url))

    async def close(self) -> None:
        """Nothing stays open between two fetches; those that run end by their own deadlines or are cancelled."""
        self._closed = True

    def _web_url(self, url: str) -> httpx.URL:
        scheme = scheme_of(url)
        if scheme in OBJECT_SCHEMES:
            return object_url(url, self._template)
        if scheme in WEB_SCHEMES:
            return web_url(url)
        raise refused("must start with http:// or https://")
