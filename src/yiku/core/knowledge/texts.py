"""The text of a revision, kept in parts of whole lines, so that reading a page of a long book reads little of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from yiku.core.knowledge.records import TEXT, part_id
from yiku.model.knowledge import Revision
from yiku.model.scopes import Partition
from yiku.ports import Ports

PART_CHARACTERS = 100_000
"""Some 300 KB of UTF-8 at most, unless one line is longer: small enough for one commit, large enough for one grep."""


@dataclass(frozen=True, slots=True)
class Part:
    """`text` are whole lines with their line ends; the parts of a text, one after the other, are the text."""

    first_line: int
    start: int
    text: str


def parts_of(text: str) -> list[Part]:
    parts: list[Part] = []
    start, line = 0, 1
    while start < len(text):
        end = text.find("\n", start + PART_CHARACTERS - 1) + 1 or len(text)
        part = Part(line, start, text[start:end])
        parts.append(part)
        start, line = end, line + part.text.count("\n")
    return parts


async def read_parts(ports: Ports, partition: Partition, revision: Revision, first: int = 0) -> AsyncIterator[Part]:
    """The parts from number `first` on, one at a time in memory."""
    for number in range(first, len(revision.part_lines)):
        (part,) = await _parts(ports, partition, revision, [number])
        yield part


async def whole_text(ports: Ports, partition: Partition, revision: Revision, *, characters_max: int) -> str:
    """The beginning of the text, of at most so many characters."""
    last = max(bisect_right(revision.part_starts, max(characters_max - 1, 0)), 1)
    parts = await _parts(ports, partition, revision, range(min(last, len(revision.part_starts))))
    return "".join(part.text for part in parts)[:characters_max]


async def texts_of(
    ports: Ports, partition: Partition, revision: Revision, ranges: Sequence[tuple[int, int]]
) -> list[str]:
    """The text from one character to before another, of each range; in one trip."""
    numbers = {number for start, end in ranges for number in _numbers(revision, start, end)}
    parts = {part.start: part for part in await _parts(ports, partition, revision, sorted(numbers))}
    return [_cut(parts, revision, start, end) for start, end in ranges]


def _cut(parts: dict[int, Part], revision: Revision, start: int, end: int) -> str:
    pieces = []
    for number in _numbers(revision, start, end):
        part = parts.get(revision.part_starts[number])
        if part is not None:
            pieces.append(part.text[max(start - part.start, 0) : max(end - part.start, 0)])
    return "".join(pieces)


def _numbers(revision: Revision, start: int, end: int) -> range:
    """Of the parts that a range touches."""
    return range(_number(revision, start), _number(revision, max(end - 1, start)) + 1)


def _number(revision: Revision, character: int) -> int:
    """Of the part that a character stands in."""
    return max(bisect_right(revision.part_starts, character) - 1, 0)


async def _parts(ports: Ports, partition: Partition, revision: Revision, numbers: Sequence[int]) -> list[Part]:
    ids = {part_id(revision.id, number): number for number in numbers if number < len(revision.part_starts)}
    records = await ports.storage.get(partition, TEXT, list(ids))
    return [
        Part(revision.part_lines[ids[record.id]], revision.part_starts[ids[record.id]], record.body["text"])
        for record in records
    ]
