"""How is code run over somebody else's bytes? In a process of its own, that cannot take much and is killed in time.

A module that wants this has `def answer(question: bytes) -> bytes`; `confined_child` sets the bounds and calls it in a
fresh process. Nothing of ours is inherited: no environment, no open files. What comes back was made by a process that
has read hostile bytes: it is data to be checked, never a pickle.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from yiku.adapters.confined_child import OUT_OF_MEMORY_STATUS

_CHUNK = 256 * 1024
_SAID_BYTES_MAX = 4 * 1024
_BURIAL_S = 5.0
_ALLOCATION_FAILED = (b"alloc", b"out of memory", b"MemoryError")
"""C++ and Rust abort when there is no memory, and say so."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """What one run may take. `file_bytes_max` is the size of any one file it writes: 0 for those that need none."""

    wall_s: float
    cpu_s: int
    memory_bytes: int
    answer_bytes_max: int
    file_bytes_max: int = 0


class Ending(Enum):
    """How a run failed."""

    TOO_SLOW = "too_slow"
    OUT_OF_MEMORY = "out_of_memory"
    ANSWER_TOO_LARGE = "answer_too_large"
    CRASHED = "crashed"


class ConfinedFailure(Exception):
    """The process gave no answer. `said` is the end of what it wrote to stderr: for a log, not for whoever asked."""

    def __init__(self, ending: Ending, *, said: str = "") -> None:
        self.ending = ending
        self.said = said
        super().__init__(f"The confined process gave no answer: {ending.value}")


async def run_confined(module: str, question: bytes, *, bounds: Bounds) -> bytes:
    """What `answer(question)` of the module returns. Raises `ConfinedFailure`. Cancelling kills the process."""
    process = await asyncio.create_subprocess_exec(
        *_command(module, bounds),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_environment(),
        cwd=tempfile.gettempdir(),
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(bounds.wall_s):
            answer, said = await _conversation(process, question, bounds.answer_bytes_max)
            status = await process.wait()
    except TimeoutError as error:
        raise ConfinedFailure(Ending.TOO_SLOW) from error
    finally:
        _kill(process)
        await _bury(process)
    if answer is None:
        raise ConfinedFailure(Ending.ANSWER_TOO_LARGE)
    if status != 0:
        raise ConfinedFailure(_ending(status, said), said=said.decode("utf-8", "replace"))
    return answer


def _command(module: str, bounds: Bounds) -> list[str]:
    numbers = (bounds.wall_s, bounds.cpu_s, bounds.memory_bytes, bounds.file_bytes_max)
    # -P: the folder it runs in is no place for modules; -s: neither is somebody's home.
    return [sys.executable, "-P", "-s", "-m", "yiku.adapters.confined_child", module, *map(str, numbers)]


def _environment() -> dict[str, str]:
    """Modules are found where we find them. One thread each for numeric libraries: their stacks count as memory."""
    return {
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONUTF8": "1",
        "LANG": "C.UTF-8",
        "TMPDIR": tempfile.gettempdir(),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


async def _conversation(
    process: asyncio.subprocess.Process, question: bytes, answer_bytes_max: int
) -> tuple[bytes | None, bytes]:
    """All pipes at once, else each side waits for the other to read. The answer is None when it was too large."""
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    async with asyncio.TaskGroup() as pipes:
        pipes.create_task(_feed(process.stdin, question))
        answer = pipes.create_task(_bounded(process.stdout, answer_bytes_max, lambda: _kill(process)))
        said = pipes.create_task(_tail(process.stderr))
    return answer.result(), said.result()


async def _feed(stream: asyncio.StreamWriter, question: bytes) -> None:
    view = memoryview(question)
    # A process that dies before it has read everything is judged by its status.
    with suppress(ConnectionError):
        for start in range(0, len(view), _CHUNK):
            stream.write(view[start : start + _CHUNK])
            await stream.drain()
    with suppress(ConnectionError):
        stream.close()
        await stream.wait_closed()


async def _bounded(stream: asyncio.StreamReader, bytes_max: int, when_too_much: Callable[[], None]) -> bytes | None:
    chunks: list[bytes] = []
    size = 0
    while chunk := await stream.read(_CHUNK):
        size += len(chunk)
        if size <= bytes_max:
            chunks.append(chunk)
        else:
            chunks.clear()
            when_too_much()
    return b"".join(chunks) if size <= bytes_max else None


async def _tail(stream: asyncio.StreamReader) -> bytes:
    said = b""
    while chunk := await stream.read(_CHUNK):
        said = (said + chunk)[-_SAID_BYTES_MAX:]
    return said


def _kill(process: asyncio.subprocess.Process) -> None:
    """The process and whatever it started; also after it ended by itself, for what it left behind."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


async def _bury(process: asyncio.subprocess.Process) -> None:
    """Read what is left in the pipes, for a transport that is not drained never closes; but not for whoever got away
    from the group and still holds them."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_BURIAL_S):
            await process.communicate()


def _ending(status: int, said: bytes) -> Ending:
    if -status in (signal.SIGXCPU, signal.SIGALRM):
        return Ending.TOO_SLOW
    # A SIGKILL that is not ours is the kernel's, when the machine runs out of memory.
    if status in (OUT_OF_MEMORY_STATUS, -signal.SIGKILL):
        return Ending.OUT_OF_MEMORY
    if status == -signal.SIGABRT and any(words in said for words in _ALLOCATION_FAILED):
        return Ending.OUT_OF_MEMORY
    return Ending.CRASHED
