"""Originals as files: cheaper than records for many large ones, where one machine, or a shared disk, keeps them.

Names are hashes with a readable beginning, so that no id, however odd, is a path, too long, or the same as another on a
disk that ignores case. A file appears under its name once all of it is on disk.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from yiku.model.errors import Conflict, StorageUnavailable, TooLarge
from yiku.model.scopes import Partition

_READABLE_CHARACTERS = 80
_TRIES = 5
"""Against somebody who deletes the same original, or its folder, at the same moment."""
_PART = re.compile(r"\.[0-9a-f]{16}\.part$")


class FolderObjects:
    def __init__(self, folder: Path, *, bytes_max: int = 100 * 1024 * 1024) -> None:
        self._folder = folder
        self._bytes_max = bytes_max

    async def put(self, partition: Partition, id: str, content: bytes) -> None:
        if len(content) > self._bytes_max:
            raise TooLarge(f"The file is larger than {self._bytes_max} bytes, the most that is kept.", field="content")
        await asyncio.to_thread(self._put, self._path(partition, id), content)

    async def get(self, partition: Partition, id: str) -> bytes | None:
        return await asyncio.to_thread(_read, self._path(partition, id))

    async def delete(self, partition: Partition, ids: Sequence[str]) -> None:
        await asyncio.to_thread(_delete, self._folder_of(partition), frozenset(map(_name, ids)))

    async def drop(self, partition: Partition) -> None:
        await asyncio.to_thread(_drop, self._folder_of(partition))

    def _folder_of(self, partition: Partition) -> Path:
        return self._folder / _name(partition.workspace) / _name(partition.owner)

    def _path(self, partition: Partition, id: str) -> Path:
        return self._folder_of(partition) / _name(id)

    def _put(self, path: Path, content: bytes) -> None:
        for _ in range(_TRIES):
            try:
                with _disk_errors():
                    self._make_folder(path.parent)
                    _write(path, content)
            except FileNotFoundError:
                continue
            return
        raise Conflict("The original is deleted by somebody else at this moment: try again.")

    def _make_folder(self, folder: Path) -> None:
        """With every folder above it, each of them on disk before anything is put into it."""
        if folder.is_dir():
            return
        self._make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        _flush(folder.parent)


def _name(text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    return f"{quote(raw, safe='')[:_READABLE_CHARACTERS]}-{hashlib.sha256(raw).hexdigest()[:40]}"


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    _flush(path.parent)


def _read(path: Path) -> bytes | None:
    with _disk_errors():
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None


def _delete(folder: Path, names: frozenset[str]) -> None:
    # Whoever else deletes at this moment may be faster.
    with _disk_errors(), suppress(FileNotFoundError):
        # One look at the folder, however many are deleted: puts that were killed have left parts of unknown names.
        for file in folder.iterdir():
            if _PART.sub("", file.name) in names:
                file.unlink(missing_ok=True)
        _flush(folder)


def _drop(folder: Path) -> None:
    with _disk_errors(), suppress(FileNotFoundError):
        # Away at once, then piece by piece. What a killed process has left half deleted has the same beginning.
        if folder.is_dir():
            folder.rename(folder.with_name(f"{folder.name}.{secrets.token_hex(8)}.dropped"))
            _flush(folder.parent)
        for dropped in folder.parent.glob(f"{folder.name}.*.dropped"):
            shutil.rmtree(dropped)


def _flush(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _disk_errors() -> Iterator[None]:
    """What the disk says, for people. That something was not there is for whoever asked."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StorageUnavailable(f"The folder of originals cannot be used: {error.strerror}.") from error
