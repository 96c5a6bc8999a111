"""`yiku restore`: a backup becomes the store of an empty data folder."""

from __future__ import annotations

from pathlib import Path

from yiku.backends import copy_database, verified_copy
from yiku.cli.backup import follow
from yiku.cli.new_file import disk_errors, new_file
from yiku.cli.progress import Progress
from yiku.cli.store import database_file
from yiku.model.errors import InvalidInput, StorageUnavailable
from yiku.model.records import Health
from yiku.settings import Settings


async def restore(settings: Settings, source: Path, *, quiet: bool) -> int:
    """Copied, brought to the present format and checked in full before it gets its name."""
    if settings.database_url is not None:
        raise InvalidInput(
            "The data is in PostgreSQL, whose own tools restore it. A dump into an empty database:\n"
            f'  pg_restore --no-owner --dbname="$YIKU_DATABASE_URL" {source}'
        )
    target = database_file(settings)
    _prepare(source, target)
    with new_file(target) as part:
        await follow(copy_database(source, part), Progress(quiet=quiet))
        health = verified_copy(part)
        if health.problems:
            raise StorageUnavailable(f"The backup is damaged and was not restored: {' '.join(health.problems)}")
    _report(target, health)
    return 0


def _prepare(source: Path, target: Path) -> None:
    if not source.is_file():
        raise InvalidInput(f"There is no file {source}")
    # A log without its file is just as much in the way: SQLite would play it into the restored one.
    for file in (target, target.with_name(f"{target.name}-wal"), target.with_name(f"{target.name}-shm")):
        if file.exists():
            raise InvalidInput(
                f"There is a store in {target.parent} ({file.name}): stop its server and move the folder away, or name"
                " another with YIKU_DATA_DIR"
            )
    with disk_errors(target):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def _report(target: Path, health: Health) -> None:
    for name, value in health.details.items():
        print(f"{name}: {value}")
    print(f"Restored and checked: {target}")
