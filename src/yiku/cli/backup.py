"""`yiku backup`: one file with everything, taken while the server runs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

from yiku.backends import ORIGINALS_FOLDER, SystemClock, copy_database
from yiku.cli.new_file import new_file
from yiku.cli.progress import Progress
from yiku.cli.store import database_file, require_store
from yiku.model.errors import InvalidInput
from yiku.settings import Settings


async def backup(settings: Settings, target: Path, *, quiet: bool) -> int:
    """Into a new file; in a folder it gets a name with the time."""
    if settings.database_url is not None:
        raise InvalidInput(
            "The data is in PostgreSQL, whose own tools make its backups. A copy of the database as it is now:\n"
            f'  pg_dump --format=custom --file={target} "$YIKU_DATABASE_URL"\n'
            "of the whole server, to go back to any moment: pg_basebackup and WAL archiving"
        )
    await require_store(settings)
    target = _named(target)
    with new_file(target) as part:
        await follow(copy_database(database_file(settings), part), Progress(quiet=quiet))
    print(target)
    if settings.knowledge == "on" and settings.originals == "folder":
        kept = settings.data_dir / ORIGINALS_FOLDER
        print(f"The files of documents are not in it: copy {kept} too, after this.", file=sys.stderr)
    return 0


def _named(target: Path) -> Path:
    return target / f"yiku-{SystemClock().now():%Y%m%d-%H%M%S}.db" if target.is_dir() else target


async def follow(copying: Iterator[tuple[int, int]], progress: Progress) -> None:
    for done, pages in copying:
        progress.show(f"{100 * done // max(pages, 1)} %")
        await asyncio.sleep(0)  # Here a Ctrl-C takes effect.
    progress.clear()
