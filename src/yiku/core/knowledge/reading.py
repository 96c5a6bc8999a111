"""Look through the text of a document line by line: find a pattern in it, and read on from a line."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from dataclasses import dataclass

from yiku.core.knowledge.contents import require_current
from yiku.core.knowledge.grep_lines import Grep, GrepResult, LinesRead, read_lines
from yiku.core.knowledge.texts import read_parts
from yiku.model.errors import InvalidInput
from yiku.model.principal import Principal
from yiku.ports import Ports

READ_CHARACTERS_MAX = 100_000
"""Of one answer, whatever the number of lines: some files have one line."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GrepDocument:
    """`context` are lines before and after each match; at most `limit` matches are shown."""

    pattern: str
    context: int = 0
    ignore_case: bool = False
    literal: bool = False
    limit: int = 100


async def grep_document(
    ports: Ports, principal: Principal, base_id: str, document_id: str, query: GrepDocument
) -> GrepResult:
    """The lines of the current revision in which the pattern stands, by their numbers from 1.

    Raises `InvalidInput` (field `pattern`) for a pattern that cannot be searched for in linear time.
    """
    principal.require("knowledge:read")
    pattern = ports.for_documents.patterns.compile(query.pattern, ignore_case=query.ignore_case, literal=query.literal)
    partition, _, revision = await require_current(ports, principal, base_id, document_id)
    search = Grep(pattern, context=query.context, limit=query.limit)
    async for part in read_parts(ports, partition, revision):
        await asyncio.to_thread(search.take, part.first_line, part.text)
        if search.is_done:
            break
    return search.result()


async def read_document_lines(
    ports: Ports, principal: Principal, base_id: str, document_id: str, *, offset: int, limit: int
) -> LinesRead:
    """At most `limit` lines of the current revision from line number `offset` on. Past the end there are none."""
    principal.require("knowledge:read")
    if offset < 1:
        raise InvalidInput("offset is the number of a line: the first is 1", field="offset")
    if limit < 1:
        raise InvalidInput("limit must be at least 1", field="limit")
    partition, _, revision = await require_current(ports, principal, base_id, document_id)
    first = max(bisect_right(revision.part_lines, offset) - 1, 0)
    parts, characters = [], 0
    async for part in read_parts(ports, partition, revision, first):
        parts.append((part.first_line, part.text))
        last_line = part.first_line + part.text.count("\n")
        # Of the part in which the line stands nobody knows yet how much is wanted.
        characters += len(part.text) if part.first_line > offset else 0
        if last_line >= offset + limit or characters > READ_CHARACTERS_MAX:
            break
    return read_lines(parts, offset=offset, limit=limit, characters_max=READ_CHARACTERS_MAX, total_lines=revision.lines)
