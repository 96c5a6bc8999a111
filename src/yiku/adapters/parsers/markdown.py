"""Which lines of a Markdown file are headings, as CommonMark has it?

The text is left as it is, so that its lines are those that the author sees; only the blocks are asked of the parser,
and of the inline markup only that of titles. Headings inside quotes and list items are not sections of the document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from yiku.adapters.parsers.decoding import decode
from yiku.adapters.parsers.normalised import as_lines, on_one_line, says_something
from yiku.adapters.parsers.plain_text import notices_of
from yiku.model.parsed import Heading, ParsedDocument

_BLOCKS = MarkdownIt("commonmark").disable("inline")
_BLOCKS_AFTER_FRONT_MATTER = MarkdownIt("commonmark").disable("inline").use(front_matter_plugin)
_INLINE = MarkdownIt("commonmark")
_A_KEY = re.compile(r"[\w-]+\s*:(?:\s.*)?")
_TITLE = re.compile(r"^title\s*:\s*(.+)$", re.M | re.I)
_TITLE_CHARACTERS_MAX = 1_000
"""Of a heading that is read for its markup: a megabyte behind one # is no title."""


def read(content: bytes, name: str) -> ParsedDocument:
    decoded = decode(content)
    text = says_something(as_lines(decoded.text), otherwise=f"{name} is empty: there is nothing to read in it.")
    tokens = _tokens(text)
    headings = _headings(tokens)
    return ParsedDocument(
        format="markdown",
        text=text,
        title=_title(tokens, headings),
        headings=headings,
        encoding=decoded.encoding,
        notices=notices_of(decoded),
    )


def _tokens(text: str) -> list[Token]:
    """Two rules with prose between them are no front matter, although they look like it."""
    tokens = _BLOCKS_AFTER_FRONT_MATTER.parse(text)
    block = _front_matter(tokens)
    if block is None:
        return tokens
    keys = [line for line in block.split("\n") if line.strip() and not line.startswith("#")]
    return tokens if keys and _A_KEY.fullmatch(keys[0]) else _BLOCKS.parse(text)


def _front_matter(tokens: Sequence[Token]) -> str | None:
    return next((token.content for token in tokens if token.type == "front_matter"), None)


def _headings(tokens: Sequence[Token]) -> tuple[Heading, ...]:
    """A # with nothing behind it names no section."""
    found = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map is not None:
            title = _without_markup(inline.content)
            if title:
                found.append(Heading(opening.map[0] + 1, int(opening.tag[1:]), title))
    return tuple(found)


def _without_markup(content: str) -> str:
    said = []
    for token in _INLINE.parseInline(content[:_TITLE_CHARACTERS_MAX])[0].children or []:
        if token.type in {"text", "code_inline", "image"}:
            said.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            said.append(" ")
    return on_one_line("".join(said))


def _title(tokens: Sequence[Token], headings: Sequence[Heading]) -> str | None:
    """That of the front matter; else the first heading, if it is of the first level."""
    named = _TITLE.search(_front_matter(tokens) or "")
    if named and (title := on_one_line(named[1].strip().strip("\"'"))):
        return title
    return headings[0].title if headings and headings[0].level == 1 else None
