"""A file appears under its name when it is whole and on disk, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from yiku.model.errors import InvalidInput, StorageUnavailable


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """The name under which the body writes; `path` must not exist yet. Only its owner can read it."""
    if path.exists():
        raise InvalidInput(f"{path} exists already: name a new file, or move that one away")
    part = path.with_name(path.name + ".part")
    with disk_errors(path):
        # Left over by one that was killed, or a link that somebody has laid there to have another file overwritten.
        part.unlink(missing_ok=True)
        # Made here, so that it is nobody else's to read from the first byte on.
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        try:
            yield part
            _flush(part)
            part.rename(path)
            _flush(path.parent)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def disk_errors(path: Path | str) -> Iterator[None]:
    """What the disk says, for people."""
    try:
        yield
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be written: {error.strerror}") from error


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
