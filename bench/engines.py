"""Which engines are measured, and how does a measurement get an empty place on each?"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.postgres_server import NoPostgres, fresh_database, running_postgres
from yiku.adapters.sqlite import open_sqlite
from yiku.model.limits import Limits
from yiku.ports import Clock, Storage

SQLITE, POSTGRES = "sqlite", "postgres"
CACHE_BYTES = 512 * 1024 * 1024
"""What a server has unless it is told otherwise."""
ENGINES = (SQLITE, POSTGRES)


@dataclass(frozen=True, slots=True)
class Place:
    """An empty folder, and for PostgreSQL an empty database."""

    engine: str
    folder: Path
    database_url: str | None = None

    @property
    def settings(self) -> dict[str, str]:
        """What makes `yiku serve` keep its data here, beside the folder."""
        return {} if self.database_url is None else {"database_url": self.database_url}

    async def open(self, clock: Clock, limits: Limits, *, cache_bytes: int = CACHE_BYTES) -> Storage:
        if self.database_url is None:
            return await open_sqlite(self.folder, clock=clock, limits=limits, cache_bytes=cache_bytes)
        # SQLite alone can be measured without the packages of the other.
        from yiku.adapters.postgres import open_postgres

        return await open_postgres(self.database_url, clock=clock, limits=limits, cache_bytes=cache_bytes)


def add_server_option(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "--database-url", metavar="URL", help="a PostgreSQL server to make databases on; without one, one is started"
    )


def add_engine_options(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument("--engine", choices=ENGINES, default=SQLITE)
    add_server_option(arguments)


@contextmanager
def postgres_server(given: str | None) -> Iterator[str | None]:
    """The URL of the given server or of one of our own; None, and a word why, where none can be had."""
    with ExitStack() as stack:
        try:
            url = given or stack.enter_context(running_postgres())
        except NoPostgres as reason:
            print(f"PostgreSQL cannot be run here: {reason}", flush=True)
            url = None
        yield url


@contextmanager
def places(server_url: str | None) -> Iterator[list[Place]]:
    """An empty one of each engine that can be had."""
    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in ENGINES]
        found = [Place(SQLITE, folders[0])]
        if server_url is not None:
            found.append(Place(POSTGRES, folders[1], stack.enter_context(fresh_database(server_url))))
        yield found


@contextmanager
def chosen_place(engine: str, server_url: str | None) -> Iterator[Place]:
    """An empty one of the engine that was asked for; without it there is nothing to do."""
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server(server_url)) if engine == POSTGRES else None
        for place in stack.enter_context(places(server)):
            if place.engine == engine:
                yield place
                return
        sys.exit(1)
