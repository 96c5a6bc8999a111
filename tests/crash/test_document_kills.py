"""Is every document whole, and nothing left over, wherever in its reading in the process was killed?"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from contextlib import suppress

import pytest

from tests.crash import reading
from tests.crash.reading import DIED_ACTING, DIED_WORKING, DONE, LaterClock, act, opened, prepare
from tests.documents import ADMIN, ingest_all, new_base
from tests.wholeness import assert_documents_are_whole, assert_nothing_is_left, assert_nothing_waits
from yiku.core.knowledge.bases import list_bases
from yiku.model.errors import NotFound
from yiku.ports import Ports

EVERYTHING = 10**5
STRIDE = int(os.environ.get("YIKU_STAGE_STRIDE", "5"))
"""With 1 at every commit; with more, now and then."""
STAGES_MIN = {"a base deleted": 2}

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.crash.reading"])
"""Each of many processes begins with everything imported."""


def _killed_at(place: str, scene: str, base: str, fatal: int) -> int:
    """How the process ended that was to die at this change."""
    process = _FORKS.Process(target=reading.live, args=(place, scene, base, fatal))
    process.start()
    process.join()
    assert process.exitcode in (DONE, DIED_ACTING, DIED_WORKING)
    return process.exitcode


async def _assert_is_good(ports: Ports, scene: str, base: str) -> None:
    if scene == "a base deleted":
        assert base not in [summary.base.id for summary in (await list_bases(ports, ADMIN, page_size=1000)).bases]
        await new_base(ports, base)
    await assert_nothing_waits(ports, base)
    if scene in ("a deletion", "a base deleted"):
        await assert_nothing_is_left(ports, base)
    else:
        await assert_documents_are_whole(ports, base)


async def _go_on(place: str, scene: str, base: str, code: int) -> None:
    """As the next start does; whoever got no answer asks again."""
    async with opened(place, LaterClock()) as ports:
        if code == DIED_ACTING:
            with suppress(NotFound):  # It was deleted before the answer.
                await act(ports, scene, base)
        await ingest_all(ports)
        await _assert_is_good(ports, scene, base)


async def _prepared(place: str, scene: str, base: str) -> None:
    async with opened(place, LaterClock()) as ports:
        await prepare(ports, scene, base)


@pytest.mark.parametrize("scene", reading.SCENES)
@pytest.mark.timeout(300)
def test_a_process_that_is_killed_at_any_commit_leaves_documents_whole(place: str, scene: str) -> None:
    code, fatal = DIED_ACTING, 1 - STRIDE
    while code != DONE:
        fatal += STRIDE
        base = f"kb-{fatal}"
        asyncio.run(_prepared(place, scene, base))
        code = _killed_at(place, scene, base, fatal)
        asyncio.run(_go_on(place, scene, base, code))
    assert fatal > STAGES_MIN.get(scene, 5)
