"""What is written in an image? The models of the optional `rapidocr`, one image at a time, as long as there is time."""

from __future__ import annotations

import importlib.util
import signal
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from yiku.adapters.parsers.normalised import on_one_line

if TYPE_CHECKING:
    import numpy
    import pypdfium2

PAGES_MAX = 50
INSTALL = "Reading text in images needs an extra: install yiku[ocr] and upload the file again."
_SIDE_PIXELS_MAX = 2_400
_SCALE = 2.5
"""180 dpi, for a PDF counts 72 points to the inch. Fewer cost no less time, and on scans of 600 dpi, which PDFium makes
smaller without smoothing, letters were lost at 100 and at 144."""
_RESERVE = 0.2
"""Of the time, for what comes after, and for a page that takes longer than the others."""
_SAME_LINE = 0.5
_GAP_HEIGHTS = 3.0

Boxes = Sequence[tuple[Any, str]]


class Recogniser:
    """`seconds` begin with the first image."""

    def __init__(self, *, seconds: float) -> None:
        self._seconds = seconds
        self._end: float | None = None
        self._model: Callable[[Any], Any] | None = None

    @staticmethod
    def is_installed() -> bool:
        return importlib.util.find_spec("rapidocr") is not None

    def pages(self, document: pypdfium2.PdfDocument, numbers: Sequence[int]) -> dict[int, list[str]]:
        """The lines of each page that there was time for, of the first `PAGES_MAX` of them."""
        read: dict[int, list[str]] = {}
        for number in numbers[:PAGES_MAX]:
            if not self.has_time():
                break
            page = document[number]
            scale = min(_SCALE, _SIDE_PIXELS_MAX / max(page.get_width(), page.get_height(), 1))
            read[number] = self.lines(page.render(scale=scale).to_numpy())
            page.close()
        return read

    def has_time(self) -> bool:
        return self._end is None or time.monotonic() < self._end

    def lines(self, image: numpy.ndarray) -> list[str]:
        found = self._recognise(image)
        if found.txts is None:
            return []
        return lines_of([(box.tolist(), text) for box, text in zip(found.boxes, found.txts, strict=True)])

    def _recognise(self, image: numpy.ndarray) -> Any:
        if self._model is None:
            # The time of the reader is over, that of recognition begins; the alarm stands for whatever hangs.
            signal.setitimer(signal.ITIMER_REAL, self._seconds)
            self._end = time.monotonic() + self._seconds * (1 - _RESERVE)
            from rapidocr import RapidOCR  # Only here: optional, and its models take seconds to load.

            self._model = RapidOCR(params={"Global.log_level": "critical"})
        return self._model(image)


def lines_of(boxes: Boxes) -> list[str]:
    """Pieces that stand side by side with little between them are one line; the order is that of the model: from the
    top down, from left to right."""
    lines: list[str] = []
    before: tuple[float, float, float] | None = None
    for corners, text in boxes:
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        height, middle = bottom - top, (top + bottom) / 2
        said = on_one_line(text)
        if not said:
            continue
        if before and _goes_on(before, left, middle, height):
            lines[-1] += f" {said}"
        else:
            lines.append(said)
        before = (right, middle, height)
    return lines


def _goes_on(before: tuple[float, float, float], left: float, middle: float, height: float) -> bool:
    right_before, middle_before, height_before = before
    smaller = min(height, height_before)
    is_beside = abs(middle - middle_before) < _SAME_LINE * smaller
    return is_beside and 0 <= left - right_before < _GAP_HEIGHTS * smaller
