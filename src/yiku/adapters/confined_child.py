"""The other side of `confined`: a fresh process that binds itself, then answers one question and ends.

Called as `python -m yiku.adapters.confined_child <module> <wall_s> <cpu_s> <memory_bytes> <file_bytes_max>`. Our own
modules are loaded first, as nothing hostile has been read by then; the question is read when the bounds hold.
"""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys
from contextlib import suppress

from yiku.adapters.orphans import end_with_the_parent

OUT_OF_MEMORY_STATUS = 71
"""How it ends when Python itself could get no more memory."""
_GRACE_S = 2.0
"""The parent kills first; the alarm is for a process whose parent is gone."""


def main() -> None:
    module, wall_s, cpu_s, memory_bytes, file_bytes_max = sys.argv[1:]
    end_with_the_parent()
    # What libraries print must not end up in the answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answer = importlib.import_module(module).answer
    _bind(float(wall_s), int(cpu_s), int(memory_bytes), int(file_bytes_max))
    try:
        answers.write(answer(sys.stdin.buffer.read()))
        answers.flush()
    except MemoryError:
        os._exit(OUT_OF_MEMORY_STATUS)
    # Without the farewell of the interpreter: threads of libraries would be waited for.
    os._exit(0)


def _bind(wall_s: float, cpu_s: int, memory_bytes: int, file_bytes_max: int) -> None:
    signal.setitimer(signal.ITIMER_REAL, wall_s + _GRACE_S)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, cpu_s, after=1)
    _limit(resource.RLIMIT_FSIZE, file_bytes_max)
    # macOS knows this limit but refuses to set it.
    with suppress(ValueError, OSError):
        _limit(resource.RLIMIT_AS, memory_bytes)


def _limit(kind: int, wanted: int, *, after: int = 0) -> None:
    """Never above what is set already: that would be refused. The soft limit is a signal, `after` it comes the end."""
    hard = resource.getrlimit(kind)[1]
    ceiling = wanted + after if hard == resource.RLIM_INFINITY else min(wanted + after, hard)
    resource.setrlimit(kind, (min(wanted, ceiling), ceiling))


if __name__ == "__main__":
    main()
