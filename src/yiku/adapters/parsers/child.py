"""What does the child do? It tells the format, lets the reader of that format read, and frames what came of it.

Readers are imported when their format is there: some bring large libraries. It runs inside `confined_child`.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from importlib import import_module

from yiku.adapters.parsers import framing
from yiku.adapters.parsers.framing import Question
from yiku.adapters.parsers.recognition import Recogniser
from yiku.adapters.parsers.sniffing import format_of
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument

READERS = {
    "zip": "archives",
    "text": "plain_text",
    "markdown": "markdown",
    "html": "html",
    "csv": "csv_rows",
    "xlsx": "spreadsheets",
    "xls": "spreadsheets",
    "json": "json_lines",
    "jsonl": "json_lines",
    "docx": "documents",
    "pptx": "documents",
    "epub": "documents",
    "odt": "documents",
    "doc": "documents",
    "eml": "mail",
}
"""Format → the module here that has `read(content, name)`; PDFs and images are told more than that."""


def answer(data: bytes) -> bytes:
    question = framing.question_of(data)
    # A default handler: the alarm ends the process even inside a library that never looks up.
    signal.setitimer(signal.ITIMER_REAL, question.seconds)
    try:
        return framing.document_bytes(_parsed(question))
    except DocumentUnreadable as problem:
        return framing.unreadable_bytes(problem)


def _parsed(question: Question) -> ParsedDocument:
    kind = format_of(question.content, question.name)
    if kind == "pdf":
        from yiku.adapters.parsers import pdf  # Only now: PDFium is native code that other formats do not need.

        layout_s = question.seconds * pdf.LAYOUT_SHARE if question.layout else 0
        return pdf.read(question.content, question.name, recogniser=_recogniser(question), layout_s=layout_s)
    if kind == "image":
        from yiku.adapters.parsers import images  # Only now, as above.

        return images.read(question.content, question.name, recogniser=_recogniser(question))
    read: Callable[[bytes, str], ParsedDocument] = import_module(f"yiku.adapters.parsers.{READERS[kind]}").read
    return read(question.content, question.name)


def _recogniser(question: Question) -> Recogniser | None:
    return Recogniser(seconds=question.ocr_seconds) if question.ocr and Recogniser.is_installed() else None
