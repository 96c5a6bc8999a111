"""What is in the chapters of an EPUB, in the order in which they are read?

A chapter without a heading of its own gets the title that the list of contents gives it.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from yiku.adapters.parsers.composition import Composition
from yiku.adapters.parsers.decoding import declared_encoding, decode
from yiku.adapters.parsers.html import write_page
from yiku.adapters.parsers.normalised import on_one_line
from yiku.adapters.parsers.package import Package, beside
from yiku.adapters.parsers.pictures import nothing_said
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_NCX = "application/x-dtbncx+xml"


def read(package: Package, name: str) -> ParsedDocument:
    part = _package_document(package)
    book = package.xml(part)
    chapters = [chapter for chapter in _chapters(book, part) if chapter in package.parts]
    if _locked(package) & set(chapters):
        message = f"{name} is locked to the program it was bought for (DRM): send a copy without that."
        raise DocumentUnreadable(message, reason="password")
    titles = _titles(package, book, part)
    composition = Composition()
    for chapter in chapters:
        _write_chapter(package.read(chapter), titles.get(chapter), composition)
    if not composition.text.strip():
        raise nothing_said(name, sum(1 for item in _named(book, "item") if "image/" in item.get("media-type", "")))
    return ParsedDocument(
        format="epub",
        text=composition.text,
        title=next((title for entry in _named(book, "title") if (title := _said(entry))), None),
        headings=composition.headings,
    )


def _write_chapter(content: bytes, title: str | None, composition: Composition) -> None:
    chapter = Composition()
    write_page(decode(content, hint=declared_encoding(content)).text, chapter)
    if title and chapter.text and not chapter.headings:
        composition.heading(1, title)
    composition.append(chapter)


def _package_document(package: Package) -> str:
    for root in _named(package.xml(_CONTAINER), "rootfile"):
        if (part := root.get("full-path")) in package.parts and part:
            return part
    raise package.broken("it does not say where its chapters are")


def _chapters(book: Element, part: str) -> list[str]:
    """As the spine orders them."""
    items = {item.get("id"): beside(part, item.get("href", "")) for item in _named(book, "item")}
    ordered = [items.get(entry.get("idref")) for entry in _named(book, "itemref")]
    return list(dict.fromkeys(chapter for chapter in ordered if chapter))


def _titles(package: Package, book: Element, part: str) -> dict[str, str]:
    """Chapter → its title by the list of contents, of EPUB 3 or else of EPUB 2."""
    titles: dict[str, str] = {}
    for item in _named(book, "item"):
        contents = beside(part, item.get("href", ""))
        if contents not in package.parts:
            continue
        if "nav" in item.get("properties", "").split():
            for link in _named(package.xml(contents), "a"):
                titles.setdefault(beside(contents, link.get("href", "")), _said(link))
        elif item.get("media-type") == _NCX:
            for point in _named(package.xml(contents), "navPoint"):
                target = next((entry.get("src", "") for entry in _named(point, "content")), "")
                label = next((_said(entry) for entry in _named(point, "text")), "")
                titles.setdefault(beside(contents, target), label)
    return titles


def _locked(package: Package) -> set[str]:
    """Fonts are often scrambled, which hinders nobody; a chapter that is listed here cannot be read."""
    if _ENCRYPTION not in package.parts:
        return set()
    return {beside("", entry.get("URI", "")) for entry in _named(package.xml(_ENCRYPTION), "CipherReference")}


def _named(element: Element, name: str) -> list[Element]:
    """All below with this name, in whatever namespace: books are careless with them."""
    return [found for found in element.iter() if isinstance(found.tag, str) and found.tag.rpartition("}")[2] == name]


def _said(element: Element) -> str:
    return on_one_line("".join(element.itertext()))
