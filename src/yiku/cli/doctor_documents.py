"""What `yiku doctor` looks at for knowledge bases: can files be read here, and where do they come from and go to?"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

from yiku.backends import ORIGINALS_FOLDER, make_parser, ocr_is_installed
from yiku.cli.doctor_picture import WORD, picture
from yiku.cli.findings import Finding, State
from yiku.model.errors import DocumentUnreadable
from yiku.settings import Settings

_SAMPLE = "# It works\n能读。\n"


async def examined_documents(settings: Settings) -> AsyncIterator[Finding]:
    if settings.knowledge == "off":
        yield Finding("documents", State.GOOD, "knowledge bases are off")
        return
    yield await _parsing(settings)
    yield await _recognition(settings)
    if settings.originals == "folder":
        yield _originals(settings)
    folder = settings.document_folder
    if folder is not None and not folder.is_dir():
        advice = "there is no such folder: make it, or name another with YIKU_DOCUMENT_FOLDER"
        yield Finding("document folder", State.PROBLEM, f"{folder}: {advice}")


def _originals(settings: Settings) -> Finding:
    """Looked at, not tried: the doctor changes nothing."""
    folder = settings.data_dir / ORIGINALS_FOLDER
    if not folder.exists():
        return Finding("originals", State.GOOD, f"{folder} does not exist yet: the first file makes it")
    if not folder.is_dir():
        return Finding(
            "originals", State.PROBLEM, f"{folder} is no folder, and files cannot be kept in it: move it away"
        )
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        advice = "give it to the user that the server runs as, with chown"
        return Finding("originals", State.PROBLEM, f"{folder} cannot be read and written by this user: {advice}")
    return Finding("originals", State.GOOD, f"{folder} can be read and written")


async def _recognition(settings: Settings) -> Finding:
    if settings.ocr == "off":
        return Finding("scans", State.GOOD, "are not read: YIKU_OCR is off")
    if not ocr_is_installed():
        return Finding("scans", State.GOOD, "are not read: for that, pip install 'yiku[ocr]'")
    advice = "pip install --force-reinstall 'yiku[ocr]', or turn it off with YIKU_OCR"
    parser = make_parser(settings)
    try:
        parsed = await parser.parse(picture(), name="sample.png")
    except DocumentUnreadable as error:
        return Finding(
            "scans", State.PROBLEM, f"cannot be read, though yiku[ocr] is installed: {error.message} ({advice})"
        )
    finally:
        await parser.close()
    if WORD not in parsed.text:
        return Finding("scans", State.PROBLEM, f"two large letters were misread as {parsed.text[:20]!r}: {advice}")
    return Finding("scans", State.GOOD, "scans and images are read")


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
