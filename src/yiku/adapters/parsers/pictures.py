"""What is said about the pictures in a document, whose text nobody reads?"""

from __future__ import annotations

from yiku.model.errors import DocumentUnreadable


def nothing_said(name: str, pictures: int) -> DocumentUnreadable:
    """For a document in which no text was found."""
    if pictures:
        message = f"{name} has no text, only pictures ({pictures}). Send it as PDF: with OCR its pages can be read."
        return DocumentUnreadable(message, reason="scan")
    return DocumentUnreadable(f"{name} is empty: there is no text in it.", reason="empty")


def pictures_notice(pictures: int) -> tuple[str, ...]:
    return (f"What is written in its pictures ({pictures}) was not read.",) if pictures else ()
