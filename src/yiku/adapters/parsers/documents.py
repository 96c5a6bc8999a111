"""What does a document say that was written in an office program, or an e-book?

DOCX and ODT are taken apart by kreuzberg, which tells headings, lists and tables and repeats merged cells. Slides and
e-books have readers of our own, because kreuzberg does not say where a slide or a chapter begins, and so have the
documents of old Word, of which it loses the Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kreuzberg import ExtractionConfig, ExtractionResult, KreuzbergError, extract_bytes_sync

from yiku.adapters.parsers import books, slides, word_97
from yiku.adapters.parsers.composition import Composition
from yiku.adapters.parsers.normalised import on_one_line
from yiku.adapters.parsers.package import Package
from yiku.adapters.parsers.pictures import nothing_said, pictures_notice
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument

_MIME_TYPES = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "odt": "application/vnd.oasis.opendocument.text",
}
_CAUSES = (("password", "password"), ("encrypt", "password"), ("limit", "too_large"), ("bomb", "too_large"))
"""A word in what kreuzberg says → the reason; anything else is a damaged file."""
_SAID = {
    "password": "{name} is protected with a password: save it without one and send it again.",
    "too_large": "{name} unpacks to more than is read of one file.",
    "corrupt": "{name} is damaged and cannot be opened. Save it again and send that.",
}
_GLUED_NUMBER = re.compile(r"((?:\d{1,3}\.){1,8}\d{0,3}|[A-Z]\.|[IVX]{1,5}\.)(?=[^\W\d_]{2})")
"""`1.2.3Table` and `A.PURPOSE`: the number of a heading without the blank that the program shows."""
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(\S(?:[^*]{0,2000}\S)?)\1(?![\w*])")
_RUNNING = frozenset({"header", "footer"})


def read(content: bytes, name: str) -> ParsedDocument:
    if not content.startswith(b"PK"):
        return word_97.read(content, name)
    package = Package(content, name)
    if "ppt/presentation.xml" in package.parts:
        return slides.read(package, name)
    if "META-INF/container.xml" in package.parts:
        return books.read(package, name)
    if "word/document.xml" in package.parts or "content.xml" not in package.parts:
        return _structured(content, name, "docx")
    if b"encryption-data" in package.read("META-INF/manifest.xml"):
        raise DocumentUnreadable(_SAID["password"].format(name=name), reason="password")
    return _structured(content, name, "odt")


def _structured(content: bytes, name: str, format: str) -> ParsedDocument:
    result = _extracted(content, name, format)
    nodes: Sequence[Mapping[str, Any]] = result.document["nodes"] if result.document else ()
    composition = Composition()
    _write(nodes, composition)
    pictures = sum(1 for node in nodes if node["content"]["node_type"] == "image")
    if not composition.text.strip():
        raise nothing_said(name, pictures)
    return ParsedDocument(
        format=format,
        text=composition.text,
        title=_title(result) or next((found.title for found in composition.headings if found.line == 1), None),
        headings=composition.headings,
        notices=pictures_notice(pictures),
    )


def _extracted(content: bytes, name: str, format: str) -> ExtractionResult:
    config = ExtractionConfig(include_document_structure=True, use_cache=False)
    try:
        return extract_bytes_sync(content, _MIME_TYPES[format], config)
    except KreuzbergError as error:
        said = str(error).lower()
        reason = next((reason for word, reason in _CAUSES if word in said), "corrupt")
        raise DocumentUnreadable(_SAID[reason].format(name=name), reason=reason) from error


def _write(nodes: Sequence[Mapping[str, Any]], composition: Composition) -> None:
    """Nodes come in the order of the document. Running headers and footers belong to no place of it."""
    numbers: dict[int, int] = {}
    previous = None
    for node in nodes:
        content, parent = node["content"], node.get("parent")
        if node.get("content_layer") in _RUNNING:
            continue
        match content["node_type"]:
            case "heading" | "title":
                composition.heading(content.get("level", 1), _numbered_apart(content["text"]))
            case "list_item":
                item = _item(nodes, parent, numbers) + on_one_line(content["text"])
                (composition.line if previous == parent and parent is not None else composition.block)(item)
                previous = parent
                continue
            case "table":
                composition.table(_rows(content["grid"]))
            case "definition_item":
                composition.block(f"{content['term']}: {content['definition']}")
            case "group" | "list" | "image" | "page_break" | "metadata_block" | "slide":
                pass
            case _:
                composition.block(content.get("text") or content.get("content") or "")
        previous = None


def _numbered_apart(written: str) -> str:
    title = on_one_line(written)
    number = _GLUED_NUMBER.match(title)
    return f"{number[1]} {title[number.end() :]}" if number else title


def _item(nodes: Sequence[Mapping[str, Any]], parent: int | None, numbers: dict[int, int]) -> str:
    if parent is None or not nodes[parent]["content"].get("ordered"):
        return "- "
    numbers[parent] = numbers.get(parent, 0) + 1
    return f"{numbers[parent]}. "


def _rows(grid: Mapping[str, Any]) -> list[list[str]]:
    rows = [[""] * grid["cols"] for _ in range(grid["rows"])]
    for cell in grid["cells"]:
        rows[cell["row"]][cell["col"]] = _without_emphasis(cell["content"])
    return rows


def _without_emphasis(written: str) -> str:
    return _EMPHASIS.sub(r"\2", written)


def _title(result: ExtractionResult) -> str | None:
    title = result.metadata.get("title")
    return on_one_line(title) or None if isinstance(title, str) else None
