"""Who parses, and what becomes of it when that goes wrong? A fresh process for each file (ports/parser.py).

A fresh one costs 0.1 s, and carries nothing from one person's file to another's.
"""

from __future__ import annotations

import asyncio

from yiku.adapters.confined import Bounds, ConfinedFailure, Ending, run_confined
from yiku.adapters.parsers import framing
from yiku.adapters.parsers.framing import Malformed, Question
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument

_CHILD = "yiku.adapters.parsers.child"
_MEGABYTE = 1024 * 1024
_ANSWER_BYTES_MAX = 400 * _MEGABYTE
"""The members of an archive may be 200 MB, the text and the cells of a sheet each as much as they need."""
_OCR_MEMORY_BYTES = 1024 * _MEGABYTE
"""What the models take beyond what a reader may."""
_START_S = 5.0
"""For the interpreter and its imports, before the child counts its own time."""
_CORES = 2
"""Native code may work in as many threads; processor time counts all of them."""

_ENDINGS = {
    Ending.TOO_SLOW: (
        "too_slow",
        "Reading this file took longer than the {seconds:g} seconds that are allowed: split it, or raise the limit.",
    ),
    Ending.OUT_OF_MEMORY: (
        "too_large",
        "Reading this file takes more than the {megabytes} MB of memory allowed: split it, or raise the limit.",
    ),
    Ending.ANSWER_TOO_LARGE: (
        "too_large",
        "What is in this file is larger than can be taken in at once: split it into several files.",
    ),
    Ending.CRASHED: (
        "corrupt",
        "This file could not be read, it seems to be damaged: open it where it was made and save it again.",
    ),
}


class ChildParser:
    """`timeout_s` is for reading; recognising text in images may take `ocr_timeout_s` beyond it. With `ocr=False`
    scans are refused even where the extra is installed. At most `processes` files are read at once, the others wait.

    What is being read when the parser is closed ends as if it had been cancelled: that says nothing of the file.
    """

    def __init__(
        self,
        *,
        processes: int = 1,
        timeout_s: float = 60.0,
        memory_bytes: int = 2048 * _MEGABYTE,
        ocr: bool = True,
        ocr_timeout_s: float = 300.0,
    ) -> None:
        self._slots = asyncio.Semaphore(processes)
        self._timeout_s = timeout_s
        self._ocr = ocr
        self._ocr_timeout_s = ocr_timeout_s if ocr else 0.0
        self._memory_bytes = memory_bytes
        self._running: set[asyncio.Task[bytes]] = set()
        self._is_closed = False

    async def parse(self, content: bytes, *, name: str) -> ParsedDocument:
        async with self._slots:
            try:
                return await self._asked(content, name, layout=True)
            except ConfinedFailure as first:
                if first.ending is not Ending.CRASHED or b"%PDF-" not in content[:1024]:
                    raise self._unreadable(first) from first
            # The text of a PDF can often be read where its layout cannot.
            try:
                return await self._asked(content, name, layout=False)
            except ConfinedFailure as second:
                raise self._unreadable(second) from second

    async def close(self) -> None:
        self._is_closed = True
        running = tuple(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _asked(self, content: bytes, name: str, *, layout: bool) -> ParsedDocument:
        question = Question(
            content=content,
            name=name,
            ocr=self._ocr,
            seconds=self._timeout_s,
            ocr_seconds=self._ocr_timeout_s,
            layout=layout,
        )
        data = await self._run(framing.question_bytes(question))
        try:
            # Not on the event loop: the rows of a large sheet take seconds to check.
            return await asyncio.to_thread(framing.document_of, data)
        except Malformed as error:
            raise ConfinedFailure(Ending.CRASHED, said=str(error)) from error

    async def _run(self, question: bytes) -> bytes:
        """In a task of its own, which `close` can end without cancelling whoever waits for it."""
        if self._is_closed:
            raise asyncio.CancelledError
        wall_s = _START_S + self._timeout_s + self._ocr_timeout_s
        bounds = Bounds(
            wall_s=wall_s,
            cpu_s=int(wall_s * _CORES),
            memory_bytes=self._memory_bytes + (_OCR_MEMORY_BYTES if self._ocr else 0),
            answer_bytes_max=_ANSWER_BYTES_MAX,
        )
        task = asyncio.create_task(run_confined(_CHILD, question, bounds=bounds))
        self._running.add(task)
        try:
            return await task
        finally:
            self._running.discard(task)

    def _unreadable(self, failure: ConfinedFailure) -> DocumentUnreadable:
        reason, message = _ENDINGS[failure.ending]
        seconds, megabytes = self._timeout_s, self._memory_bytes // _MEGABYTE
        return DocumentUnreadable(message.format(seconds=seconds, megabytes=megabytes), reason=reason)
