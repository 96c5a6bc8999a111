"""Commits that wait are applied together: one transaction, one flush and one thread for those of many users."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog

from yiku.adapters.postgres.changes import Busy, Commit, Outcome, apply_commits
from yiku.adapters.postgres.connections import Connection
from yiku.adapters.postgres.threads import Threads
from yiku.engine.records import prepared
from yiku.model.errors import StorageUnavailable, YikuError
from yiku.model.limits import Limits
from yiku.model.records import Changes
from yiku.model.scopes import Partition

log = structlog.get_logger()

_WAITING_MAX = 4_096
"""Commits that may wait; beyond it they are refused at once instead of piling up."""
_GROUP_MAX = 64
"""Commits of one transaction: enough that the trips no longer count, few enough that none waits long."""
_MISTAKES = (TypeError, ValueError, ArithmeticError)
"""Of whoever made the changes; they must not end the work of all others."""


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    changes: Changes
    answer: asyncio.Future[None]


class Committer:
    """Commits of one partition are applied in the order in which they came, never two at once.

    One group at a time: what comes while it is under way becomes the next. Two at once were smaller, and took longer
    (p95 30 ms, not 21).
    """

    def __init__(self, threads: Threads, limits: Limits, now: Callable[[], int]) -> None:
        self._threads = threads
        self._limits = limits
        self._now = now
        self._waiting: deque[_Waiting] = deque()
        self._grouping = False
        self._busy: set[Partition] = set()
        """Partitions to which a commit is being applied alone."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def commit(self, changes: Changes) -> None:
        """Applied when this returns; refused or unavailable, with nothing changed, when it raises."""
        if len(self._waiting) >= _WAITING_MAX:
            raise StorageUnavailable("The database cannot keep up with the changes that wait: try again.")
        waiting = _Waiting(changes, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._start_group()
        try:
            async with asyncio.timeout(self._limits.storage_deadline_s):
                await waiting.answer
        except TimeoutError as error:
            raise StorageUnavailable(
                f"The store did not confirm the change within {self._limits.storage_deadline_s:g} seconds;"
                " it may still be applied."
            ) from error

    def _start_group(self) -> None:
        if not self._grouping and (group := self._next_group()):
            self._grouping = True
            self._start(self._run_group(group))

    def _next_group(self) -> list[_Waiting]:
        """The oldest whose partitions are free. Those of whoever gave up are left out."""
        group: list[_Waiting] = []
        later: deque[_Waiting] = deque()
        while self._waiting and len(group) < _GROUP_MAX:
            waiting = self._waiting.popleft()
            if waiting.changes.partition in self._busy:
                later.append(waiting)
            elif not waiting.answer.done():
                group.append(waiting)
        self._waiting.extendleft(reversed(later))
        return group

    async def _run_group(self, group: Sequence[_Waiting]) -> None:
        outcomes: list[Outcome] = [_unforeseen()] * len(group)
        try:
            outcomes = await self._apply(group, alone=False)
        except StorageUnavailable as error:
            outcomes = [error] * len(group)
        except (YikuError, *_MISTAKES):
            # One of them holds what the database cannot; which one shows when each is applied by itself.
            outcomes = [Busy()] * len(group)
        finally:
            self._end_group(group, outcomes)

    def _end_group(self, group: Sequence[_Waiting], outcomes: Sequence[Outcome]) -> None:
        by_itself = [waiting for waiting, outcome in zip(group, outcomes, strict=True) if isinstance(outcome, Busy)]
        partitions = {waiting.changes.partition for waiting in by_itself}
        self._busy |= partitions
        for waiting, outcome in zip(group, outcomes, strict=True):
            _settle(waiting, outcome)
        for partition in partitions:
            self._start(self._run_alone([w for w in by_itself if w.changes.partition == partition]))
        self._grouping = False
        self._start_group()

    async def _run_alone(self, of_one_partition: Sequence[_Waiting]) -> None:
        """One after the other, waiting for other servers where they are in the way."""
        try:
            for waiting in of_one_partition:
                if not waiting.answer.done():
                    try:
                        [outcome] = await self._apply([waiting], alone=True)
                        _settle(waiting, outcome)
                    except (YikuError, *_MISTAKES) as error:
                        _settle(waiting, error)
        finally:
            for waiting in of_one_partition:
                _settle(waiting, _unforeseen())
            self._busy.discard(of_one_partition[0].changes.partition)
            self._start_group()

    async def _apply(self, group: Sequence[_Waiting], *, alone: bool) -> list[Outcome]:
        all_changes = [waiting.changes for waiting in group]
        return await self._threads.run(partial(_apply, all_changes, self._limits, self._now, alone))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("commits_failed", exc_info=error)


def _apply(
    all_changes: Sequence[Changes], limits: Limits, now: Callable[[], int], alone: bool, connection: Connection
) -> list[Outcome]:
    commits = [Commit(changes, prepared(changes.puts)) for changes in all_changes]
    return apply_commits(connection, commits, limits, now=now(), alone=alone)


def _settle(waiting: _Waiting, outcome: Exception | None) -> None:
    if waiting.answer.done() or isinstance(outcome, Busy):
        return
    if outcome is None:
        waiting.answer.set_result(None)
    else:
        waiting.answer.set_exception(outcome)


def _unforeseen() -> StorageUnavailable:
    """Whatever went wrong, nobody is left waiting, and the commits after it go on."""
    return StorageUnavailable("The store failed in a way that is not known here: the log has more.")
