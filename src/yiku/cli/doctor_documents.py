"""What `yiku doctor` looks at for knowledge bases: can files be read here, and where do they come from and go to?"""

from __future__ import annotations

from collections.abc import AsyncIterator

from yiku.backends import make_parser, ocr_is_installed
from yiku.cli.findings import Finding, State
from yiku.model.errors import DocumentUnreadable
from yiku.settings import Settings

_SAMPLE = "# It works\n能读。\n"


async def examined_documents(settings: Settings) -> AsyncIterator[Finding]:
    if settings.knowledge == "off":
        yield Finding("documents", State.GOOD, "knowledge bases are off")
        return
    yield await _parsing(settings)
    yield _recognition(settings)
    folder = settings.document_folder
    if folder is not None and not folder.is_dir():
        advice = "there is no such folder: make it, or name another with YIKU_DOCUMENT_FOLDER"
        yield Finding("document folder", State.PROBLEM, f"{folder}: {advice}")


def _recognition(settings: Settings) -> Finding:
    if settings.ocr == "off":
        return Finding("scans", State.GOOD, "are not read: YIKU_OCR is off")
    if ocr_is_installed():
        return Finding("scans", State.GOOD, "scans and images are read")
    return Finding("scans", State.GOOD, "are not read: for that, pip install 'yiku[ocr]'")


async def _parsing(settings: Settings) -> Finding:
    """Through the process of its own that every document goes through: a container may not allow one."""
    parser = make_parser(settings)
    try:
        parsed = await parser.parse(_SAMPLE.encode(), name="sample.md")
    except DocumentUnreadable as error:
        return Finding("documents", State.PROBLEM, f"no file can be read here, not even a small text: {error.message}")
    finally:
        await parser.close()
    if parsed.text.strip() != _SAMPLE.strip():
        return Finding("documents", State.PROBLEM, "a small text is not read as it is: install Yiku anew")
    return Finding("documents", State.GOOD, "files are read in a process of their own")
