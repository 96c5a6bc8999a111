"""Does work go to another process and come back, and what is said when that process dies?"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable

import pytest

from yiku.adapters.beside import beside
from yiku.model.errors import InvalidInput, Unavailable


def told(text: str, *, times: int = 1) -> tuple[int, str]:
    return os.getpid(), text * times


def refused(reason: str) -> None:
    raise InvalidInput(reason, field="line")


def killed_unless_in(home: int) -> int:
    if os.getpid() != home:
        os.kill(os.getpid(), signal.SIGKILL)
    return home


async def process_of(call: Callable[[str], Awaitable[tuple[int, str]]]) -> int:
    """The other process, as soon as it is up; the time limit of the test ends the waiting."""
    while (process := (await call(""))[0]) == os.getpid():
        pass
    return process


async def test_the_first_call_runs_here_and_later_ones_in_one_process_beside_this() -> None:
    with beside(told) as call:
        assert await call("茶 and tea ", times=2) == (os.getpid(), "茶 and tea 茶 and tea ")
        process = await process_of(call)
        assert await call("茶 and tea ", times=2) == (process, "茶 and tea 茶 and tea ")
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


async def test_several_processes_share_the_calls() -> None:
    with beside(told, processes=2) as call:
        seen: set[int] = set()
        while len(seen - {os.getpid()}) < 2:
            seen |= {process for process, _ in await asyncio.gather(*(call("") for _ in range(8)))}
    assert len(seen - {os.getpid()}) == 2


async def test_an_error_comes_back_as_it_is() -> None:
    with beside(refused) as call:
        for _ in range(20):
            with pytest.raises(InvalidInput) as error:
                await call("不对")
            assert (error.value.message, error.value.field) == ("不对", "line")


async def test_a_process_that_dies_is_told_apart_from_an_answer() -> None:
    with beside(killed_unless_in) as call:
        with pytest.raises(Unavailable, match="ended from outside"):
            while True:
                assert await call(os.getpid()) == os.getpid()
        with pytest.raises(Unavailable, match="ended from outside"):
            await call(os.getpid())
