"""How does a test run a PostgreSQL server of its own, and kill it?"""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from subprocess import PIPE, STDOUT, Popen
from typing import IO, Literal
from urllib.parse import urlencode

from tests.postgres.home import Home, new_home

DEADLINE_S = 60
PORT = "5432"
READY = "database system is ready to accept connections"

SETTINGS = {
    "listen_addresses": "",
    "port": PORT,
    "max_connections": "200",
    # Checkpoints when asked only: those in between make one test slow and the next one not.
    "checkpoint_timeout": "1h",
    "log_checkpoints": "off",
    # Below the data, where they are deleted with it, also after a kill.
    "dynamic_shared_memory_type": "mmap",
}
"""What differs from the defaults. Durability does not: each commit is flushed to disk."""

GUARD = 'read _; "$0" stop -D "$1" -m immediate; rm -rf "$1" "$2"'
"""Ends with our end of the pipe, however we end: a killed test run leaves no server and no files behind."""

SIGNALS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}


class Server:
    """One server. Every call blocks until what it names is done."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._process: Popen[str] | None = None
        self._reader: threading.Thread | None = None

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?{urlencode({'host': self._home.folder, 'port': PORT})}"

    def start(self) -> None:
        settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        self._process = self._home.spawn(
            self._home.programs / "postgres", "-D", self._home.data, "-k", self._home.folder, *settings, stderr=PIPE
        )
        assert self._process.stderr is not None
        ready: Future[None] = Future()
        self._reader = threading.Thread(target=_read_log, args=(self._process.stderr, ready), daemon=True)
        self._reader.start()
        ready.result(DEADLINE_S)

    def kill(self) -> None:
        """SIGKILL for the parent of all server processes, as when the machine runs out of memory."""
        self._end(signal.SIGKILL)

    def stop(self, mode: Literal["smart", "fast", "immediate"] = "fast") -> None:
        """The three ways of a shutdown: when all clients have left, without them, without a checkpoint."""
        self._end(SIGNALS[mode])

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self.wait()

    def wait(self) -> None:
        """Until every process of the server is gone; before that, it refuses to start again."""
        if self._process is None or self._reader is None:
            return
        self._process.wait(DEADLINE_S)
        self._reader.join(DEADLINE_S)


def _read_log(log: IO[str], ready: Future[None]) -> None:
    """Until the log ends, which is when the last process that could write to it has ended."""
    lines: deque[str] = deque(maxlen=50)
    with log:
        for line in log:
            lines.append(line)
            # It is said again after the server has lost one of its processes.
            if READY in line and not ready.done():
                ready.set_result(None)
    if not ready.done():
        ready.set_exception(RuntimeError("PostgreSQL did not start:\n" + "".join(lines)))


@contextmanager
def running_server() -> Iterator[Server]:
    """A new server, started; stopped and deleted at the end, even if it is killed by then, or we are."""
    with new_home() as home:
        server = Server(home)
        try:
            with _guarded(home):
                _make_cluster(home)
                server.start()
                yield server
        finally:
            server.wait()


@contextmanager
def _guarded(home: Home) -> Iterator[None]:
    guard = home.spawn("sh", "-c", GUARD, home.programs / "pg_ctl", home.data, home.folder, stdin=PIPE)
    try:
        yield
    finally:
        guard.communicate(timeout=DEADLINE_S)


def _make_cluster(home: Home) -> None:
    initdb = home.spawn(
        home.programs / "initdb", "-D", home.data, "--username=postgres", "--auth=trust", "--encoding=UTF8",
        "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-sync", "--no-instructions",
        stdout=PIPE, stderr=STDOUT,
    )  # fmt: skip
    said, _ = initdb.communicate(timeout=DEADLINE_S)
    if initdb.returncode != 0:
        raise RuntimeError(f"initdb failed:\n{said}")
