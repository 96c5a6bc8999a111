"""What does each slide of a PPTX say?

A slide is a page: the title is its heading, the speaker's notes stand below it. Slides come in the order in which they
are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from yiku.adapters.parsers.composition import Composition
from yiku.adapters.parsers.normalised import on_one_line
from yiku.adapters.parsers.package import Package, beside
from yiku.adapters.parsers.pictures import nothing_said, pictures_notice
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PRESENTATION = "ppt/presentation.xml"
_NOTES = "/notesSlide"
_TITLES = frozenset({"title", "ctrTitle"})
_NOT_SAID = frozenset({"dt", "ftr", "sldNum", "sldImg", "hdr"})
"""Placeholders for the date, the footer, the number of the slide, and its picture on the page of notes."""
_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")


def read(package: Package, name: str) -> ParsedDocument:
    composition, notices, pictures = Composition(), [], 0
    for number, part in enumerate(_slides(package), 1):
        composition.page()
        try:
            slide = package.xml(part)
        except DocumentUnreadable as problem:
            if problem.reason != "corrupt":
                raise
            notices.append(f"Slide {number} could not be read.")
            continue
        pictures += _write_slide(slide, composition)
        _write_notes(package, part, composition)
    if not composition.text.strip():
        if notices:
            raise package.broken("none of its slides can be read")
        raise nothing_said(name, pictures)
    return ParsedDocument(
        format="pptx",
        text=composition.text,
        title=next((heading.title for heading in composition.headings), None),
        headings=composition.headings,
        page_lines=composition.page_lines,
        notices=(*notices, *pictures_notice(pictures)),
    )


def _slides(package: Package) -> list[str]:
    """As the presentation lists them; as they are numbered where it lists none."""
    targets = {identifier: target for identifier, _, target in _relations(package, _PRESENTATION)}
    listed = [targets.get(entry.get(f"{_R}id", "")) for entry in package.xml(_PRESENTATION).iter(f"{_P}sldId")]
    found = [part for part in listed if part in package.parts and part is not None]
    if found:
        return found
    numbered = [(int(match[1]), part) for part in package.parts if (match := _SLIDE.fullmatch(part))]
    return [part for _, part in sorted(numbered)]


def _relations(package: Package, part: str) -> Iterator[tuple[str, str, str]]:
    """Identifier, kind and target of all that `part` refers to."""
    folder, _, file = part.rpartition("/")
    relations = f"{folder}/_rels/{file}.rels"
    if relations in package.parts:
        for entry in package.xml(relations):
            yield entry.get("Id", ""), entry.get("Type", ""), beside(part, entry.get("Target", ""))


def _write_slide(slide: Element, composition: Composition) -> int:
    """The title first, wherever it stands on the slide. Returns how many pictures there are."""
    shapes = list(_shapes(slide))
    titles = [shape for shape in shapes if _placeholder(shape) in _TITLES]
    for shape in titles:
        composition.heading(1, on_one_line(" ".join(_paragraphs(shape))))
    for shape in shapes:
        if shape.tag == f"{_A}tbl":
            composition.table(_rows(shape))
        elif shape not in titles and _placeholder(shape) not in _NOT_SAID:
            composition.block("\n".join(_paragraphs(shape)))
    return sum(1 for _ in slide.iter(f"{_P}pic"))


def _write_notes(package: Package, part: str, composition: Composition) -> None:
    for _, kind, target in _relations(package, part):
        if kind.endswith(_NOTES) and target in package.parts:
            said = [_paragraphs(shape) for shape in _shapes(package.xml(target)) if _placeholder(shape) == "body"]
            text = "\n".join(line for lines in said for line in lines)
            composition.block(f"Notes: {text}" if text.strip() else "")


def _shapes(slide: Element) -> Iterator[Element]:
    """Shapes with text, and tables, in the order they are drawn. What is there for old programs says the same again."""
    waiting = [slide]
    while waiting:
        element = waiting.pop()
        if element.tag in {f"{_P}sp", f"{_A}tbl"}:
            yield element
        elif element.tag != _FALLBACK:
            waiting += reversed(element)


def _placeholder(shape: Element) -> str | None:
    found = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return None if found is None else found.get("type", "obj")


def _paragraphs(shape: Element) -> list[str]:
    return [text for paragraph in shape.iter(f"{_A}p") if (text := _text(paragraph)).strip()]


def _text(paragraph: Element) -> str:
    said = []
    for element in paragraph.iter():
        if element.tag == f"{_A}t":
            said.append(element.text or "")
        elif element.tag in {f"{_A}br", f"{_A}tab"}:
            said.append(" ")
    return "".join(said)


def _rows(table: Element) -> list[list[str]]:
    """A cell that is merged into the one before it, or above it, says what that one says."""
    rows: list[list[str]] = []
    for written in table.iter(f"{_A}tr"):
        row: list[str] = []
        for place, cell in enumerate(written.findall(f"{_A}tc")):
            if cell.get("hMerge") in {"1", "true"} and row:
                row.append(row[-1])
            elif cell.get("vMerge") in {"1", "true"} and rows and place < len(rows[-1]):
                row.append(rows[-1][place])
            else:
                row.append(" ".join(_paragraphs(cell)))
        rows.append(row)
    return rows
