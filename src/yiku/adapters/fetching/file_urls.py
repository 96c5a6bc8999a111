"""How are files read that stand on this machine, when the address may come from a stranger?

Only below one folder that the operator has named, and only regular files. A link inside the folder may lead to another
place inside it. The way is walked from folder to folder without following links, so that nobody can swap one for a link
between the look at a path and its use.
"""

from __future__ import annotations

import asyncio
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote_to_bytes

from yiku.adapters.fetching.bounds import FetchBounds
from yiku.adapters.fetching.file_names import UNNAMED, plain_name
from yiku.adapters.fetching.urls import refused
from yiku.adapters.fetching.weather import deadline
from yiku.model.errors import DocumentUnreadable, SourceUnavailable
from yiku.ports.fetcher import Fetched

_OWN_HOSTS = ("", "localhost")
_MISSING = frozenset({errno.ENOENT, errno.ENOTDIR})
_REFUSED = frozenset({errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO, errno.EISDIR})


class AllowedFolder:
    """`folder` is None where no file of this machine may be read."""

    def __init__(self, folder: Path | None, bounds: FetchBounds) -> None:
        self._folder = folder
        self._bounds = bounds

    def check(self, url: str) -> Path:
        """The path that a `file://` URL names, or `InvalidInput`. The disk is not asked."""
        if self._folder is None:
            raise refused("is of this server's own disk, from which nothing is read: upload the file")
        host, slash, rest = url.partition("://")[2].partition("/")
        if host.lower() not in _OWN_HOSTS:
            raise refused("is of a file on another machine: write file:/// and the path")
        path = unquote_to_bytes(slash + rest)
        if not slash or "?" in rest or "#" in rest or b"\0" in path:
            raise refused("names no file: write file:/// and the path, with ? and # as %3F and %23")
        return Path(os.fsdecode(path))

    async def fetch(self, url: str) -> Fetched:
        path = self.check(url)
        # A disk elsewhere on the network may be slow or gone.
        async with deadline(self._bounds.total_s, "The file was not read"):
            content = await asyncio.to_thread(self._read, path)
        return Fetched(content, plain_name(path.name) or UNNAMED)

    def _read(self, path: Path) -> bytes:
        assert self._folder is not None
        with _disk_errors():
            folder = self._folder.resolve(strict=True)
            way = Path(os.path.realpath(path))
            if not way.is_relative_to(folder) or way == folder:
                # The same words for what does not exist: nobody is told what stands elsewhere on this disk.
                raise DocumentUnreadable(
                    "The file lies outside the folder that the operator of this server has allowed.", reason="refused"
                )
            with _opened(folder, way.relative_to(folder).parts) as descriptor:
                return self._content(descriptor)

    def _content(self, descriptor: int) -> bytes:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise DocumentUnreadable("The address is of something that is no file: name a file.", reason="refused")
        if found.st_size > self._bounds.bytes_max:
            raise self._bounds.too_large()
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(self._bounds.bytes_max + 1)
        if len(content) > self._bounds.bytes_max:  # It grows while it is read.
            raise self._bounds.too_large()
        return content


@contextmanager
def _opened(folder: Path, parts: tuple[str, ...]) -> Iterator[int]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for number, part in enumerate(parts, 1):
            # A pipe with nobody at its other end would never be opened.
            flags = os.O_NONBLOCK if number == len(parts) else os.O_DIRECTORY
            inner = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | flags, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _MISSING:
            raise DocumentUnreadable("There is no such file: check the address.", reason="missing") from error
        if error.errno in _REFUSED:
            raise DocumentUnreadable("The file may not be read by this server.", reason="refused") from error
        raise SourceUnavailable(f"The file cannot be read: {error.strerror}.") from error
