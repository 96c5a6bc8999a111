"""What is written in a PDF? PDFium's text of each page; headings and tables as far as they are found in it.

The canonical text is the lines of the pages one after another, each page beginning on a line of its own; running
headers and footers are left out, tables stand as Markdown, a title that was printed over several lines is one line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pypdfium2

from yiku.adapters.parsers.pdf_headings import Title, headings_of
from yiku.adapters.parsers.pdf_layout import Layout, layout_of, woven
from yiku.adapters.parsers.pdf_pages import Line, Places, bookmarks_of, opened, pages_of, title_of
from yiku.adapters.parsers.recognition import INSTALL, PAGES_MAX, Recogniser
from yiku.adapters.parsers.running_lines import without_running_lines
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import Heading, ParsedDocument

LAYOUT_SHARE = 0.4
"""Of the time there is, how much may be spent on layout."""
_NAMED_PAGES_MAX = 20
_CONTENTS_AT = re.compile(rb"startxref\s+(\d{1,12})\s+%%EOF")
_CONTENTS = re.compile(rb"\s*(?:\d+\s+\d+\s+obj|xref\s+(?:\d{1,10} \d{1,10}\s+|\d{10} \d{5} [nf]\s+)+trailer)")
_END_WITHIN = 1_024


def read(content: bytes, name: str, *, recogniser: Recogniser | None = None, layout_s: float = 20.0) -> ParsedDocument:
    document = opened(content)
    pages = pages_of(document)
    scanned = [number for number, page in enumerate(pages) if page.is_picture]
    hidden = [number for number, page in enumerate(pages) if page.is_hidden]
    notices = []
    if hidden:
        notices.append(f"The text of pages that are scans was read by the scanner, with its errors: {_named(hidden)}.")
    seen = recogniser.pages(document, scanned) if recogniser and scanned else {}
    recognised = {number: texts for number, texts in seen.items() if texts}
    unread = [number for number in scanned if number not in seen]
    if not recognised and not any(page.has_text for page in pages):
        raise _without_text(content, len(pages), scanned, unread, recogniser)
    if unread:
        notices.append(f"Pages that are images were not read: {_named(unread)}. {_why(recogniser)}")
    layout = layout_of(content, seconds=layout_s) if layout_s else Layout()
    if layout_s and layout.pages < len(pages):
        notices.append(f"Headings and tables were looked for on the first {layout.pages} of {len(pages)} pages only.")
    lines = _with_tables(document, [page.lines for page in pages], layout)
    for number, texts in recognised.items():
        lines[number] = [Line(text) for text in texts]
    lines = without_running_lines(lines)
    titles = headings_of(lines, bookmarks_of(document), layout.headings)
    text, headings, page_lines = _assembled(lines, titles)
    return ParsedDocument(
        format="pdf",
        text=text,
        title=_title(document, lines[0]),
        headings=headings,
        page_lines=page_lines,
        read_by_ocr=tuple(number + 1 for number in sorted([*recognised, *hidden])),
        notices=tuple(notices),
    )


def _title(document: pypdfium2.PdfDocument, first: list[Line]) -> str | None:
    """Many PDFs carry the title of something else; one that stands on the first page is theirs."""
    title = title_of(document)
    page = "".join("".join(line.text.split()) for line in first).casefold()
    return title if title and "".join(title.split()).casefold() in page else None


def _with_tables(document: pypdfium2.PdfDocument, pages: list[list[Line]], layout: Layout) -> list[list[Line]]:
    for number in sorted({table.page for table in layout.tables if table.page < len(pages)}):
        places = Places(document, number)
        pages[number] = woven(pages[number], [table for table in layout.tables if table.page == number], places)
        places.close()
    return pages


def _why(recogniser: Recogniser | None) -> str:
    """Why were images not read?"""
    if recogniser is None:
        return INSTALL
    return f"At most {PAGES_MAX} are read, and as many as there is time for: split the file, or allow more time."


def _without_text(
    content: bytes, pages: int, scanned: Sequence[int], unread: Sequence[int], recogniser: Recogniser | None
) -> DocumentUnreadable:
    if not scanned and _is_damaged(content):
        return DocumentUnreadable(
            "This PDF is damaged, and no text is left in it: upload it again, or save it anew where it was made.",
            reason="corrupt",
        )
    if not scanned:
        return DocumentUnreadable(f"There is no text on the pages of this PDF ({pages}).", reason="empty")
    images = f"{len(scanned)} of {pages} pages are images"
    if unread:
        reason = "too_slow" if recogniser else "scan"
        return DocumentUnreadable(f"This PDF has no text layer, {images}. {_why(recogniser)}", reason=reason)
    return DocumentUnreadable(f"This PDF has no text layer, {images} and no text was seen on them.", reason="scan")


def _is_damaged(content: bytes) -> bool:
    """Whether what a PDF ends with does not lead to the table of what is in it."""
    end = _CONTENTS_AT.search(content[-_END_WITHIN:])
    return end is None or not _CONTENTS.match(content, int(end[1]))


def _assembled(
    pages: Sequence[list[Line]], titles: Sequence[Title]
) -> tuple[str, tuple[Heading, ...], tuple[int, ...]]:
    """The text, and where headings and pages stand in it. A page without lines has an empty one."""
    at = {(title.page, title.line): title for title in titles}
    text: list[str] = []
    headings, page_lines = [], []
    for number, lines in enumerate(pages):
        page_lines.append(len(text) + 1)
        place = 0
        while place < len(lines):
            title = at.get((number, place))
            count = title.count if title else 1
            text.append(" ".join(line.text for line in lines[place : place + count]))
            if title:
                headings.append(Heading(len(text), title.level, title.text))
            place += count
        if not lines:
            text.append("")
    return "\n".join(text), tuple(headings), tuple(page_lines)


def _named(pages: Sequence[int]) -> str:
    shown = ", ".join(str(number + 1) for number in pages[:_NAMED_PAGES_MAX])
    return shown if len(pages) <= _NAMED_PAGES_MAX else f"{shown} and {len(pages) - _NAMED_PAGES_MAX} more"
