"""Copy a database file while it is written to, and tell whether a copy can be relied on."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from yiku.adapters.sqlite.check import check_store
from yiku.adapters.sqlite.connections import open_connection, transaction, translated_errors, value_of
from yiku.adapters.sqlite.migrations import migrate
from yiku.model.errors import InvalidInput, StorageUnavailable
from yiku.model.records import Health

_PAGES_AT_ONCE = 1_000
"""4 MB: some milliseconds between two looks at whether to go on."""


def copy_database(source: Path, target: Path) -> Generator[tuple[int, int]]:
    """Copy the state that `source` has now into the empty file `target`; yields pages done and pages in all.

    Writers go on meanwhile and are not waited for: the copy reads one snapshot. Their log cannot be taken back into
    the file while it lasts. The copy is one file with no log beside it, but not flushed: that is for whoever names it.
    """
    with (
        translated_errors(),
        _blamed_on(source),
        closing(open_connection(source, read_only=True)) as origin,
        closing(apsw.Connection(str(target))) as copy,
        # Pins the snapshot. Without it every foreign commit would make the copy start over.
        transaction(origin, "DEFERRED"),
    ):
        value_of(origin, "SELECT count(*) FROM sqlite_schema")
        # A copy that is not finished is thrown away, so it needs no way back.
        copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF").fetchall()
        with copy.backup("main", origin, "main") as backup:
            while not backup.done:
                backup.step(_PAGES_AT_ONCE)
                yield backup.page_count - backup.remaining, backup.page_count
        # The original says of itself that it has a log.
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()


@contextmanager
def _blamed_on(file: Path) -> Iterator[None]:
    """It need not be the store's own."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise StorageUnavailable(f"The file {file} is no database, or it is damaged.") from error


def verified_copy(target: Path) -> Health:
    """Bring a copy to the present format and check it in full.

    Raises `InvalidInput` when it is no store of ours, `StorageUnavailable` when it is of a newer Yiku.
    """
    with (
        translated_errors(),
        _blamed_on(target),
        closing(apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READWRITE)) as copy,
    ):
        if value_of(copy, "PRAGMA user_version") == 0:
            raise InvalidInput("The file is no backup of a Yiku store")
        migrate(copy)
        return check_store(copy, target)
