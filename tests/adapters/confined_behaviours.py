"""What a confined process may be asked to do wrong: the first word of the question says it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path


def answer(question: bytes) -> bytes:
    name, _, rest = question.partition(b" ")
    return _BEHAVIOURS[name](rest)


def _wait(rest: bytes) -> bytes:
    threading.Event().wait()
    return rest


def _turn(rest: bytes) -> bytes:
    while True:
        pass


def _grow(rest: bytes) -> bytes:
    return bytes(4 * 1024**3)


def _print(rest: bytes) -> bytes:
    print("a library says hello")
    os.write(1, b"and another\n")
    return rest


def _complain(rest: bytes) -> bytes:
    sys.stderr.write("x" * 1_000_000 + "the end")
    raise SystemExit(3)


def _write(rest: bytes) -> bytes:
    with tempfile.TemporaryFile() as file:
        file.write(rest * 1000)
    return b"written"


def _tell(rest: bytes) -> bytes:
    """Who this is, through a named pipe; then it waits."""
    Path(os.fsdecode(rest)).write_text(str(os.getpid()))
    return _wait(rest)


def _leave(rest: bytes) -> bytes:
    """A process of its own that outlives this one."""
    if os.fork() == 0:
        return _tell(rest)
    return b"left"


_BEHAVIOURS: dict[bytes, Callable[[bytes], bytes]] = {
    b"echo": lambda rest: rest,
    b"fill": lambda rest: b"x" * int(rest),
    b"environment": lambda rest: "\n".join(os.environ).encode(),
    b"folder": lambda rest: str(Path.cwd()).encode(),
    b"die": lambda rest: os.kill(os.getpid(), signal.SIGSEGV) or b"",
    b"wait": _wait,
    b"tell": _tell,
    b"turn": _turn,
    b"grow": _grow,
    b"print": _print,
    b"complain": _complain,
    b"write": _write,
    b"leave": _leave,
}
