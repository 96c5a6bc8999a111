"""Where do tags begin and end in HTML as it is really written?

The parser of the standard library needs minutes for half a megabyte of unfinished comments, so this is our own: one
pass, and whatever is not finished goes on to the end of the page, as it does in browsers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = re.compile(r"""[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""")
_END_OF_TAG = re.compile(r"[\s/=]*>")
_RAW = {name: re.compile(rf"</{name}[\s/>]", re.I) for name in ("script", "style", "textarea", "title", "iframe")}
"""What stands in these elements is no markup, until the element ends."""


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Start:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    closed: bool = False
    """Whether it says itself that nothing is in it: `<script src="a"/>` in XHTML."""


@dataclass(frozen=True, slots=True)
class End:
    tag: str


Token = Text | Start | End


def tokens(markup: str) -> Iterator[Token]:
    """`<` that begins no tag is text; comments and declarations are left out."""
    at = written = 0
    while (at := markup.find("<", at)) >= 0:
        after = _after_remark(markup, at)
        tag = None if after else _TAG.match(markup, at)
        if after is None and tag is None:
            at += 1
            continue
        if at > written:
            yield Text(unescape(markup[written:at]))
        if tag is not None:
            attributes, after = _attributes(markup, tag.end())
            name = tag[2].lower()
            closed = markup[after - 2 : after] == "/>"
            yield End(name) if tag[1] else Start(name, attributes, closed)
            if name in _RAW and not tag[1] and not closed:
                text, after = _raw(markup, after, name)
                yield Text(text)
        assert after is not None
        at = written = after
    if written < len(markup):
        yield Text(unescape(markup[written:]))


def _after_remark(markup: str, at: int) -> int | None:
    """The place behind a comment, a declaration, a processing instruction; None where none of them begins."""
    if markup.startswith("<!--", at):
        return _behind(markup, "-->", at + 2)
    if markup.startswith("<![CDATA[", at):
        return at + len("<![CDATA[")
    if markup.startswith(("<!", "<?"), at):
        return _behind(markup, ">", at)
    return None


def _behind(markup: str, end: str, at: int) -> int:
    found = markup.find(end, at)
    return len(markup) if found < 0 else found + len(end)


def _attributes(markup: str, at: int) -> tuple[dict[str, str], int]:
    """The attributes, the first of each name, and the place behind the tag."""
    found: dict[str, str] = {}
    while not (end := _END_OF_TAG.match(markup, at)):
        attribute = _ATTRIBUTE.match(markup, at)
        if attribute is None:
            return found, len(markup)
        found.setdefault(attribute[1].lower(), unescape((attribute[2] or "").strip("\"'")))
        at = attribute.end()
    return found, end.end()


def _raw(markup: str, at: int, name: str) -> tuple[str, int]:
    end = _RAW[name].search(markup, at)
    stop = end.start() if end else len(markup)
    text = markup[at:stop]
    return (unescape(text) if name in {"title", "textarea"} else text), stop
