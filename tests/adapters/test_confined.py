"""Code that runs over somebody else's bytes can harm nobody but itself."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvloop

from yiku.adapters.confined import Bounds, ConfinedFailure, Ending, run_confined

BEHAVIOURS = "tests.adapters.confined_behaviours"
BOUNDS = Bounds(wall_s=30, cpu_s=20, memory_bytes=1024**3, answer_bytes_max=10_000_000)


async def run(question: bytes, bounds: Bounds = BOUNDS) -> bytes:
    return await run_confined(BEHAVIOURS, question, bounds=bounds)


async def failure(question: bytes, bounds: Bounds = BOUNDS) -> ConfinedFailure:
    with pytest.raises(ConfinedFailure) as raised:
        await run(question, bounds)
    return raised.value


class Told:
    """A process that says through a named pipe who it is; opening the pipe waits until both ends are there."""

    def __init__(self, folder: Path) -> None:
        self._pipe = folder / "pid"
        os.mkfifo(self._pipe)

    def asked(self, behaviour: bytes) -> bytes:
        return behaviour + b" " + os.fsencode(self._pipe)

    async def descriptor(self) -> int:
        return os.pidfd_open(int(await asyncio.to_thread(self._pipe.read_text)))


async def has_ended(descriptor: int) -> bool:
    """Waits for it: a signal takes effect a moment later."""
    ended, _, _ = await asyncio.to_thread(select.select, [descriptor], [], [], 20)
    os.close(descriptor)
    return bool(ended)


async def test_megabytes_go_through_both_pipes_at_once() -> None:
    question = bytes(range(256)) * 20_000
    assert await run(b"echo " + question) == question


async def test_what_libraries_print_is_not_part_of_the_answer() -> None:
    assert await run(b"print the answer") == b"the answer"


async def test_no_setting_and_no_key_of_ours_is_seen() -> None:
    os.environ["YIKU_TEST_SECRET"] = "s3cret"  # as an operator would set it; no process of ours may hand it on
    try:
        names = (await run(b"environment ")).decode().split("\n")
    finally:
        del os.environ["YIKU_TEST_SECRET"]
    assert "PYTHONPATH" in names
    assert "YIKU_TEST_SECRET" not in names
    assert "HOME" not in names


async def test_it_does_not_run_where_the_server_runs() -> None:
    assert (await run(b"folder ")).decode() != str(Path.cwd())


async def test_one_that_never_ends_is_killed() -> None:
    assert (await failure(b"wait ", replace(BOUNDS, wall_s=0.5))).ending is Ending.TOO_SLOW


async def test_one_that_only_computes_runs_out_of_processor_time() -> None:
    assert (await failure(b"turn ", replace(BOUNDS, cpu_s=1))).ending is Ending.TOO_SLOW


async def test_one_that_wants_too_much_memory_is_told_from_a_crash() -> None:
    assert (await failure(b"grow ")).ending is Ending.OUT_OF_MEMORY


async def test_a_crash_is_a_crash() -> None:
    assert (await failure(b"die ")).ending is Ending.CRASHED


async def test_only_the_end_of_long_complaints_is_kept() -> None:
    failed = await failure(b"complain ")
    assert failed.ending is Ending.CRASHED
    assert failed.said.endswith("the end")
    assert len(failed.said) < 10_000


async def test_an_answer_over_the_bound_is_no_answer() -> None:
    assert (await failure(b"fill 2000001", replace(BOUNDS, answer_bytes_max=2_000_000))).ending is (
        Ending.ANSWER_TOO_LARGE
    )
    assert len(await run(b"fill 2000000", replace(BOUNDS, answer_bytes_max=2_000_000))) == 2_000_000


async def test_no_file_is_written_unless_that_was_allowed() -> None:
    assert (await failure(b"write something")).ending is Ending.CRASHED
    assert await run(b"write something", replace(BOUNDS, file_bytes_max=100_000)) == b"written"


async def test_a_module_that_is_not_there_is_a_crash_that_says_so() -> None:
    with pytest.raises(ConfinedFailure) as raised:
        await run_confined("yiku.nowhere", b"", bounds=BOUNDS)
    assert "yiku.nowhere" in raised.value.said


async def leaving_something_behind(folder: Path) -> None:
    told = Told(folder)
    task = asyncio.create_task(failure(told.asked(b"leave"), replace(BOUNDS, wall_s=1)))
    left = await told.descriptor()
    # It holds the pipe that the answer is read from, so there is no end of it.
    assert (await task).ending is Ending.TOO_SLOW
    assert await has_ended(left)


async def cancelling(folder: Path) -> None:
    told = Told(folder)
    task = asyncio.create_task(run(told.asked(b"tell")))
    waiting = await told.descriptor()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await has_ended(waiting)


async def answering(folder: Path) -> None:
    assert await run(b"echo " + b"x" * 3_000_000) == b"x" * 3_000_000
    assert (await failure(b"die ")).ending is Ending.CRASHED
    assert (await failure(b"fill 5000000", replace(BOUNDS, answer_bytes_max=100))).ending is Ending.ANSWER_TOO_LARGE


async def test_what_a_process_leaves_behind_is_killed_with_it(tmp_path: Path) -> None:
    await leaving_something_behind(tmp_path)


async def test_cancelling_kills_the_process(tmp_path: Path) -> None:
    await cancelling(tmp_path)


@pytest.mark.parametrize("story", [answering, leaving_something_behind, cancelling])
def test_it_is_the_same_on_the_loop_that_the_server_runs_on(
    story: Callable[[Path], Coroutine[Any, Any, None]], tmp_path: Path
) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(story(tmp_path))
