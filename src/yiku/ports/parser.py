"""The parser port: what is written in a file."""

from __future__ import annotations

from typing import Protocol

from yiku.model.parsed import ParsedDocument


class Parser(Protocol):
    """**Somebody else's bytes.** A file may be broken, hostile or huge: parsing happens in a process of its own, with
    bounds on memory, processor and wall-clock time, and can take down nothing else. Formats are told by content; the
    name only helps where content does not tell (CSV, Markdown, JSONL).
    """

    async def parse(self, content: bytes, *, name: str) -> ParsedDocument:
        """What is written in the file.

        Raises `DocumentUnreadable` when it yields no text, with a reason that a person can act on; never anything
        else but `CancelledError`. Cancelling kills the process.
        """
        ...

    async def close(self) -> None:
        """Kill what still runs. Calling it twice is fine."""
        ...
