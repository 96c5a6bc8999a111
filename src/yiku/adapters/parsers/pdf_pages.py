"""What stands on the pages of a PDF? Lines in the order PDFium reads them, and which pages are images."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

from yiku.adapters.parsers.normalised import normalised
from yiku.model.errors import DocumentUnreadable

PAGES_MAX = 5_000
TEXT_CHARACTERS_MAX = 50_000_000
_BOOKMARKS_MAX = 10_000
_SPARSE = 20
"""With fewer characters a page is not text: a page number, a stamp on a scan."""
_PICTURE_SHARE = 0.5
_ANY_PICTURE_SHARE = 0.03
_OBJECTS_MAX = 5_000
_INVISIBLE = pdfium.FPDF_TEXTRENDERMODE_INVISIBLE

_JOINT = "\ufffe"
"""What PDFium writes for the hyphen of a word that it put together again over a line end."""
_IDEOGRAPH = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f…]"
_SPREAD = re.compile(rf"(?<={_IDEOGRAPH}) (?={_IDEOGRAPH})")
_NEIGHBOURS = re.compile(rf"(?<={_IDEOGRAPH}) ?(?={_IDEOGRAPH})")


@dataclass(frozen=True, slots=True)
class Line:
    """`start` is the place of its first character in PDFium's text of the page, None for what does not stand there."""

    text: str
    start: int | None = None
    length: int = 0
    is_table: bool = False


@dataclass(frozen=True, slots=True)
class Bookmark:
    title: str
    level: int
    page: int
    """From 0."""


@dataclass(frozen=True, slots=True)
class PageText:
    """`picture` is the share of the page that images cover, looked at where there is no text to speak of (0 where
    there is). `is_hidden`: the text lies unseen under an image, so somebody's scanner has read it."""

    lines: list[Line]
    picture: float = 0.0
    is_hidden: bool = False

    @property
    def is_picture(self) -> bool:
        return self.picture >= _ANY_PICTURE_SHARE

    @property
    def has_text(self) -> bool:
        """The few characters on a scan are a stamp or a number."""
        return bool(self.lines) and self.picture < _PICTURE_SHARE


def opened(content: bytes) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(content)
        pages = len(document)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise DocumentUnreadable(
                "This PDF is protected by a password: save it without one and upload it again.", reason="password"
            ) from error
        raise DocumentUnreadable(
            "This PDF is damaged beyond what can be repaired: upload it again, or save it anew where it was made.",
            reason="corrupt",
        ) from error
    if pages > PAGES_MAX:
        raise DocumentUnreadable(
            f"This PDF has {pages} pages and at most {PAGES_MAX} can be read: split it.", reason="too_large"
        )
    return document


def pages_of(document: pypdfium2.PdfDocument) -> list[PageText]:
    pages, characters = [], 0
    for number in range(len(document)):
        page = _page(document, number)
        characters += sum(len(line.text) for line in page.lines)
        if characters > TEXT_CHARACTERS_MAX:
            raise DocumentUnreadable(
                f"This PDF has more than {TEXT_CHARACTERS_MAX} characters of text: split it.", reason="too_large"
            )
        pages.append(page)
    return pages


def bookmarks_of(document: pypdfium2.PdfDocument) -> list[Bookmark]:
    found: list[Bookmark] = []
    try:
        for entry in document.get_toc():
            if len(found) == _BOOKMARKS_MAX:
                break
            destination = entry.get_dest()
            page = destination.get_index() if destination else None
            title = " ".join(normalised(entry.get_title()).split())
            if page is not None and title:
                found.append(Bookmark(title, entry.level + 1, page))
    except pypdfium2.PdfiumError:
        return found
    return found


def title_of(document: pypdfium2.PdfDocument) -> str | None:
    title: str = document.get_metadata_value("Title")
    return " ".join(normalised(title).split()) or None


class Places:
    """Where the lines of one page stand: points from its upper left corner, as the layout has them."""

    def __init__(self, document: pypdfium2.PdfDocument, number: int) -> None:
        self._page = document[number]
        self._text = self._page.get_textpage()
        self._left, _, _, self._top = self._page.get_cropbox()
        self.is_upright = self._page.get_rotation() == 0

    def of(self, line: Line) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The middle of its first and of its last character."""
        if line.start is None or line.length == 0:
            return None
        first, last = self._middle(line.start), self._middle(line.start + line.length - 1)
        return (first, last) if first and last else None

    def close(self) -> None:
        self._text.close()
        self._page.close()

    def _middle(self, place: int) -> tuple[float, float] | None:
        index = pdfium.FPDFText_GetCharIndexFromTextIndex(self._text, place)
        edges = [ctypes.c_double() for _ in range(4)]
        if index < 0 or not pdfium.FPDFText_GetCharBox(self._text, index, *map(ctypes.byref, edges)):
            return None
        left, right, bottom, top = (edge.value for edge in edges)
        return (left + right) / 2 - self._left, self._top - (bottom + top) / 2


def _page(document: pypdfium2.PdfDocument, number: int) -> PageText:
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return PageText([])
    try:
        return _text_of(page)
    except pypdfium2.PdfiumError:
        return PageText([])
    finally:
        page.close()


def _text_of(page: pypdfium2.PdfPage) -> PageText:
    text = page.get_textpage()
    lines = list(_lines(text.get_text_range()))
    characters = sum(len("".join(line.text.split())) for line in lines)
    picture, is_hidden = 0.0, False
    if characters < _SPARSE:
        picture = _covered(page)
    elif _is_invisible(text):
        is_hidden = _covered(page) >= _PICTURE_SHARE
    text.close()
    return PageText(lines, picture, is_hidden)


def _lines(text: str) -> Iterator[Line]:
    """PDFium ends lines by `\\r\\n`, and counts them as two characters."""
    start = 0
    for raw in text.split("\r\n"):
        said = normalised(raw.replace(_JOINT, "")).replace("\n", " ").strip()
        # Places count UTF-16 units: a character beyond the basic plane is two.
        wide = sum(character > "\uffff" for character in raw)
        if said:
            blanks = len(raw) - len(raw.lstrip())
            yield Line(_closed_up(said), start + blanks, len(raw.strip()) + wide)
        start += len(raw) + wide + 2


def _closed_up(line: str) -> str:
    """Chinese set with a blank after each character could be found by nobody."""
    blanks = len(_SPREAD.findall(line))
    return _SPREAD.sub("", line) if blanks > 3 and blanks * 5 >= len(_NEIGHBOURS.findall(line)) * 4 else line


def _is_invisible(text: pypdfium2.PdfTextPage) -> bool:
    count = text.count_chars()
    for index in (count // 4, count // 2, count * 3 // 4):
        drawn = pdfium.FPDFText_GetTextObject(text, index)
        if drawn and pdfium.FPDFTextObj_GetTextRenderMode(drawn) != _INVISIBLE:
            return False
    return True


def _covered(page: pypdfium2.PdfPage) -> float:
    """The share of the page that images cover. Strips of one scan add up."""
    area = 0.0
    objects = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=4)
    for _, image in zip(range(_OBJECTS_MAX), objects, strict=False):
        left, bottom, right, top = image.get_bounds()
        area += max(0.0, right - left) * max(0.0, top - bottom)
    return area / max(float(page.get_width() * page.get_height()), 1.0)
