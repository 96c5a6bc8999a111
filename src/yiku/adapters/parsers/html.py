"""What does a web page say, without the page around it?

Headings, paragraphs, lists, code and tables stay; scripts, styles, navigation and the addresses of links do not. The
converter is our own: it decides on which line a heading stands, gives every merged cell to each of its places, and
reads EPUB chapters and letters too.
"""

from __future__ import annotations

from yiku.adapters.parsers.composition import Composition
from yiku.adapters.parsers.decoding import declared_encoding, decode
from yiku.adapters.parsers.html_tables import Grid
from yiku.adapters.parsers.html_tokens import End, Start, Text, tokens
from yiku.adapters.parsers.normalised import on_one_line, says_something
from yiku.adapters.parsers.plain_text import notices_of
from yiku.model.parsed import ParsedDocument

_LEFT_OUT = frozenset({"script", "style", "nav", "template", "noscript", "head", "svg", "select", "button", "iframe"})
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "footer",
        "aside",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "blockquote",
        "figure",
        "figcaption",
        "address",
        "form",
        "fieldset",
        "details",
        "summary",
        "hr",
        "body",
        "center",
        "caption",
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HIDDEN = ("display:none", "visibility:hidden")
_CLOSED_BY_OTHERS = frozenset(["p", "li", "dt", "dd", "td", "th", "tr", "option"])
"""Elements that need no end tag: to look for it would leave out the rest of the page."""
_OF_A_HEAD = frozenset(["title", "meta", "link", "base", "script", "style", "noscript", "template"])
_INDENTS_MAX = 8
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)


def read(content: bytes, name: str) -> ParsedDocument:
    decoded = decode(content, hint=declared_encoding(content))
    page = Composition()
    title = write_page(decoded.text, page)
    return ParsedDocument(
        format="html",
        text=says_something(page.text, otherwise=f"{name} has no text outside of scripts and navigation."),
        title=title or next((heading.title for heading in page.headings), None),
        headings=page.headings,
        encoding=decoded.encoding,
        notices=notices_of(decoded),
    )


def write_page(markup: str, composition: Composition) -> str | None:
    """Write what the page says, and return its title, None where it has none."""
    reader = _PageReader(composition)
    for token in tokens(markup):
        match token:
            case Text(text):
                reader.text(text)
            case Start():
                reader.start(token)
            case End(tag):
                reader.end(tag)
    reader.finish()
    return on_one_line(reader.title) or None


class _PageReader:
    """Text gathers until a block ends. Inside a table it gathers in a cell; the outermost table is written whole."""

    def __init__(self, composition: Composition) -> None:
        self.title = ""
        self._composition = composition
        self._gathered: list[str] = []
        self._heading: int | None = None
        self._left_out: list[str] = []
        """Open elements whose text does not count, the outermost first."""
        self._lists: list[int | None] = []
        """Of each open list the number of its next item; None where it has no numbers."""
        self._item = ""
        self._goes_on_below = False
        self._preformatted = False
        self._tables: list[Grid] = []
        self._in_title = False

    def start(self, token: Start) -> None:
        tag = token.tag
        if tag == "title" and not self.title and "svg" not in self._left_out:
            self._in_title = True
            return
        if self._left_out[:1] == ["head"] and tag not in _OF_A_HEAD:
            # Neither the end of a head nor the beginning of a body has to be written.
            self._left_out.clear()
        if self._left_out:
            if tag == self._left_out[0] and not token.closed:
                self._left_out.append(tag)
        elif not _is_left_out(token):
            self._open(tag, token.attributes)
        elif not token.closed:
            self._left_out.append(tag)

    def end(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif self._left_out:
            if tag == self._left_out[-1]:
                self._left_out.pop()
        else:
            self._close(tag)

    def text(self, text: str) -> None:
        if self._in_title:
            self.title += text
        elif not self._left_out:
            self._gathered.append(text)

    def finish(self) -> None:
        """What a page that breaks off has left open is written all the same."""
        while self._tables:
            self._end_table()
        self._end_block()

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "br":
            self._gathered.append("\n" if self._preformatted else "\v")
        elif tag == "img":
            self._gathered.append(f" {attributes.get('alt', '')} ")
        elif tag == "table":
            self._begin_table()
        elif self._tables:
            self._open_in_table(tag, attributes)
        elif tag in _HEADINGS:
            self._end_block()
            self._heading = _HEADINGS[tag]
        elif tag == "pre":
            self._end_block()
            self._preformatted = True
        elif tag == "li":
            self._begin_item()
        elif tag in _BLOCKS:
            self._end_block()
            if tag in {"ul", "ol"}:
                self._lists.append(1 if tag == "ol" else None)

    def _close(self, tag: str) -> None:
        if self._tables:
            self._close_in_table(tag)
        elif tag in _HEADINGS or tag in _BLOCKS or tag in {"pre", "li"}:
            self._end_block()
            if tag in {"ul", "ol"} and self._lists:
                self._lists.pop()
                self._goes_on_below = bool(self._lists)

    def _begin_item(self) -> None:
        self._end_block()
        number = self._lists[-1] if self._lists else None
        indent = "  " * min(max(0, len(self._lists) - 1), _INDENTS_MAX)
        self._item = f"{indent}{'-' if number is None else f'{number}.'} "
        if number is not None:
            self._lists[-1] = number + 1

    def _end_block(self) -> None:
        """Items of one list stand on lines below each other, all else apart."""
        text = self._taken()
        heading, self._heading, self._preformatted = self._heading, None, False
        if not text.strip():
            return
        item, self._item = self._item, ""
        if heading is not None:
            self._composition.heading(heading, text)
        elif item and self._goes_on_below:
            self._composition.line(item + text)
        else:
            self._composition.block(item + text)
        self._goes_on_below = bool(item)

    def _taken(self) -> str:
        """What was gathered: in code as it is, elsewhere with blanks and line ends of the source as one blank."""
        text = "".join(self._gathered)
        self._gathered.clear()
        if self._preformatted:
            return text
        return "\n".join(filter(None, map(on_one_line, text.split("\v"))))

    def _begin_table(self) -> None:
        if self._tables:
            self._tables[-1].add(on_one_line(self._taken()))
        else:
            self._end_block()
        self._tables.append(Grid())

    def _open_in_table(self, tag: str, attributes: dict[str, str]) -> None:
        grid = self._tables[-1]
        if tag == "caption":
            self._gathered.clear()
        elif tag == "tr":
            grid.add(on_one_line(self._taken()))
            grid.begin_row()
        elif tag in {"td", "th"}:
            grid.add(on_one_line(self._taken()))
            grid.begin_cell(attributes.get("rowspan"), attributes.get("colspan"))
        elif tag in _BLOCKS or tag in _HEADINGS or tag == "li":
            self._gathered.append(" ")

    def _close_in_table(self, tag: str) -> None:
        if tag == "caption":
            self._tables[-1].caption = on_one_line(self._taken())
        elif tag in {"td", "th", "tr"}:
            self._tables[-1].add(on_one_line(self._taken()))
            self._tables[-1].end_cell()
        elif tag == "table":
            self._end_table()

    def _end_table(self) -> None:
        """A table inside a cell becomes the text of that cell."""
        grid = self._tables.pop()
        grid.add(on_one_line(self._taken()))
        rows = grid.rows()
        if self._tables:
            self._gathered.append(" ".join(cell for row in rows for cell in row))
            return
        self._composition.block(grid.caption)
        self._composition.table(rows)
        self._goes_on_below = False


def _is_left_out(token: Start) -> bool:
    if token.tag in _LEFT_OUT:
        return True
    if token.tag in _VOID or token.tag in _CLOSED_BY_OTHERS:
        return False
    style = "".join(token.attributes.get("style", "").lower().split())
    return (
        "hidden" in token.attributes
        or token.attributes.get("role") == "navigation"
        or any(way in style for way in _HIDDEN)
    )
