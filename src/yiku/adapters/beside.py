"""Where does our own work go that would take the processor from all else here? Into a process beside this one.

For code and data that we trust as we do our own; what others' libraries do to others' bytes is `confined`.
"""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Generic, ParamSpec, TypeVar

from yiku.adapters.orphans import end_with_the_parent
from yiku.model.errors import Unavailable

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def beside(function: Callable[P, T], *, processes: int = 1) -> Iterator[Callable[P, Awaitable[T]]]:
    """The function, run in processes beside this one: the first call, and those until one is up, in a thread of ours.

    Little work is not worth a process, and work that is worth one need not wait for it. Arguments and answers are
    pickled; an exception of the function comes back as it is. When the process dies, calls end with `Unavailable`.
    """
    # Spawned: a fork would have our locks, but not the threads that hold them.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_begin) as pool:
        process = _Beside(function, pool)
        yield process.call


class _Beside(Generic[P, T]):
    def __init__(self, function: Callable[P, T], pool: ProcessPoolExecutor) -> None:
        self._function = function
        self._pool = pool
        self._calls = 0
        self._up: Future[None] | None = None

    async def call(self, *arguments: P.args, **named: P.kwargs) -> T:
        self._calls += 1
        try:
            if not self._is_up():
                return await asyncio.to_thread(self._function, *arguments, **named)
            return await asyncio.wrap_future(self._pool.submit(self._function, *arguments, **named))
        except BrokenProcessPool as error:
            raise Unavailable("A process that helps this one was ended from outside: try again.") from error

    def _is_up(self) -> bool:
        if self._up is None and self._calls > 1:
            self._up = self._pool.submit(_nothing)
        return self._up is not None and self._up.done()


def _nothing() -> None:
    """What a process can only have done once it is up."""


def collect_seldom() -> None:
    """For a process that moves many small objects, which live for a moment: to look for circles among them took a tenth
    of its time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _begin() -> None:
    # Ctrl-C goes to both: whoever started us tells us when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    end_with_the_parent()
