"""What is written in an image file? PNG, JPEG, TIFF with its pages, BMP, WebP, GIF."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from yiku.adapters.parsers.recognition import INSTALL, PAGES_MAX, Recogniser
from yiku.model.errors import DocumentUnreadable
from yiku.model.parsed import ParsedDocument

if TYPE_CHECKING:
    import numpy

_PIXELS_MAX = 100_000_000
_SIDE_PIXELS_MAX = 3_000
"""What is larger is made smaller: letters that a person can read stay large enough."""


def read(content: bytes, name: str, *, recogniser: Recogniser | None = None) -> ParsedDocument:
    if recogniser is None:
        raise DocumentUnreadable(f"This is an image, and no text can be got from it as it is. {INSTALL}", reason="scan")
    lines: list[str] = []
    page_lines, notices = [], []
    for number, image in enumerate(_frames(content)):
        if number == PAGES_MAX or not recogniser.has_time():
            notices.append(f"There was not enough time to read all pages of this image: {number} were read.")
            break
        page_lines.append(len(lines) + 1)
        lines += recogniser.lines(image) or [""]
    if not any(lines):
        raise DocumentUnreadable("No text was seen in this image.", reason="empty")
    return ParsedDocument(
        format="image",
        text="\n".join(lines),
        page_lines=tuple(page_lines),
        read_by_ocr=tuple(range(1, len(page_lines) + 1)),
        notices=tuple(notices),
    )


def _frames(content: bytes) -> Iterator[numpy.ndarray]:
    import numpy  # Only here, with Pillow: they come with the extra.
    from PIL import Image, ImageOps, ImageSequence

    Image.MAX_IMAGE_PIXELS = _PIXELS_MAX
    try:
        with Image.open(io.BytesIO(content)) as image:
            if image.width * image.height > _PIXELS_MAX:
                raise _too_large(image.width, image.height)
            for frame in ImageSequence.Iterator(image):
                # As whoever took the picture held the camera.
                upright = ImageOps.exif_transpose(frame).convert("RGB")
                upright.thumbnail((_SIDE_PIXELS_MAX, _SIDE_PIXELS_MAX))
                yield numpy.asarray(upright)[:, :, ::-1]  # The models want blue first.
    except Image.DecompressionBombError as error:
        raise _too_large(0, 0) from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise DocumentUnreadable(
            "This image is damaged and cannot be opened: upload it again, or save it anew as PNG.", reason="corrupt"
        ) from error


def _too_large(width: int, height: int) -> DocumentUnreadable:
    size = f" ({width} x {height} pixels)" if width else ""
    return DocumentUnreadable(f"This image is too large{size}: make it smaller, or cut it up.", reason="too_large")
